package dev.trunkline.routing.sql;

import java.util.Arrays;

/**
 * What two statements have in common that differ in constants, case, white space and comments alone; made to be filled
 * again and again by {@link #of}. Not thread-safe.
 *
 * <p>The canonical bytes are the statement with identifiers folded and constants replaced by placeholders of their
 * type, an IN list of constants by one placeholder, the rows of a VALUES list by one row. Statements of equal bytes have
 * the same plan; the constants themselves are in {@link #slots()} and {@link #rows()}. The bytes are no SQL. A routing
 * directive's presence is part of the shape.
 */
public final class Shape {

    private final ByteBuilder canonical = new ByteBuilder(512);
    private final Slots slots = new Slots();
    private final Rows rows = new Rows();
    private final ShapeWriter writer = new ShapeWriter(canonical, slots, rows);
    private long fingerprint;
    private int firstToken;
    private int endToken;

    /** Fills this with the shape of one statement of {@code statements}. */
    public void of(Tokens tokens, Statements statements, int statement) {
        of(
                tokens,
                statements.firstToken(statement),
                statements.endToken(statement),
                statements.hasDirective(statement));
    }

    /** Fills this with the shape of the tokens from {@code first} to before {@code end}. */
    public void of(Tokens tokens, int first, int end, boolean directive) {
        firstToken = first;
        endToken = end;
        canonical.clear();
        slots.clear();
        rows.clear();
        writer.write(tokens, first, end, directive);
        fingerprint = Fingerprint.of(canonical.array(), canonical.length());
    }

    /** Hash of the canonical bytes, other in each process; on a hit compare the bytes too. */
    public long fingerprint() {
        return fingerprint;
    }

    /** The first token of the statement. */
    public int firstToken() {
        return firstToken;
    }

    /** The token after the statement's last. */
    public int endToken() {
        return endToken;
    }

    /** Number of canonical bytes. */
    public int length() {
        return canonical.length();
    }

    /** Whether the canonical bytes are these. */
    public boolean matches(byte[] canonicalBytes) {
        return Arrays.equals(canonical.array(), 0, canonical.length(), canonicalBytes, 0, canonicalBytes.length);
    }

    /** A copy of the canonical bytes. */
    public byte[] toByteArray() {
        return canonical.toByteArray();
    }

    /** The constants left open; valid until the next call of {@link #of}. */
    public Slots slots() {
        return slots;
    }

    /** The VALUES lists of which the shape holds one row; valid until the next call of {@link #of}. */
    public Rows rows() {
        return rows;
    }
}
