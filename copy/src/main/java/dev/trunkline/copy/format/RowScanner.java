package dev.trunkline.copy.format;

import java.util.Arrays;
import java.util.List;

/**
 * Finds in a stream that comes in pieces where its rows end, and reads one field of each, the key. The same bytes give
 * the same rows however they are cut. Allocates nothing per row.
 *
 * <p>{@link #scan} stops at each event; call it again from {@link #position()} to go on. For each row there is one KEY
 * (unless the row has too few fields) and one ROW.
 *
 * <p>Not thread-safe; one object per stream.
 */
public abstract class RowScanner {

    /** Where a scan has stopped. */
    public enum Event {
        /** At the end of the bytes. */
        MORE,
        /** Behind the key's field, which can be read now. The rest of the row is still to come. */
        KEY,
        /** Behind a row. */
        ROW,
        /** Behind the header, a line or that of the binary format. */
        HEADER,
        /** Behind the marker that ends the data: what follows is none. In {@link #finish}: behind the last row. */
        END
    }

    /** What the key's field holds. */
    public enum KeyValue {
        /** A value: see {@link #keyBytes()}. */
        VALUE,
        NULL,
        /** The column's default is asked for. */
        DEFAULT
    }

    private static final byte[] NOTHING = {};

    private int position;
    private long line;
    private int fieldsFound;
    private KeyValue keyValue = KeyValue.NULL;
    private byte[] keyBytes = NOTHING;
    private int keyOffset;
    private int keyLength;
    // The beginning of a field that was cut.
    private byte[] kept = NOTHING;
    private int keptLength;

    /** Package-private: the formats are PostgreSQL's. */
    RowScanner() {}

    /**
     * A scanner at the beginning of a stream.
     *
     * @param columns of the statement, in the order of the fields
     * @param keyField which of them is read, from 0
     * @param csvMarker in CSV a backslash and a point alone on a line end the data: PostgreSQL before version 18
     * @param encoding of a stream of lines
     */
    public static RowScanner of(
            CopyOptions options, List<String> columns, int keyField, boolean csvMarker, KeyEncoding encoding) {
        return switch (options.format()) {
            case TEXT -> new TextScanner(options, keyField, encoding);
            case CSV -> new CsvScanner(options, keyField, columns.get(keyField), csvMarker, encoding);
            case BINARY -> new BinaryScanner(columns.size(), keyField);
        };
    }

    /**
     * Scans up to the next event.
     *
     * @throws dev.trunkline.protocol.error.PgException 22P04 if the stream is not of the format
     */
    public abstract Event scan(byte[] bytes, int from, int end);

    /**
     * The events that the end of the stream brings: KEY and ROW of a row without an end, in the end always END.
     *
     * @throws dev.trunkline.protocol.error.PgException 22P04 if the stream must not end here
     */
    public abstract Event finish();

    /**
     * Something follows END, which only the line formats pass over.
     *
     * @throws dev.trunkline.protocol.error.PgException 22P04
     */
    public void behindEnd() {}

    /** Where the last scan has stopped, exclusive. */
    public final int position() {
        return position;
    }

    /** The line of the stream that is being read, as PostgreSQL counts it, from 1; rows of the binary format. */
    public final long line() {
        return line;
    }

    /**
     * How many lines a server counts in the row that has just ended if it has read no line before: how lines end, by which
     * it counts those within quotes, it does not know yet.
     */
    public int linesAsFirst() {
        return 1;
    }

    /** What the key's field holds; valid from KEY to the next scan. */
    public final KeyValue keyValue() {
        return keyValue;
    }

    /** Holds the value of the key, decoded, in UTF-8; valid from KEY to the next scan. */
    public final byte[] keyBytes() {
        return keyBytes;
    }

    public final int keyOffset() {
        return keyOffset;
    }

    public final int keyLength() {
        return keyLength;
    }

    /** How many fields the row had that has just ended without a key. */
    public final int fieldsFound() {
        return fieldsFound;
    }

    final void tooFewFields(int found) {
        fieldsFound = found;
    }

    final Event at(int newPosition, Event event) {
        position = newPosition;
        return event;
    }

    final void nextLine() {
        line++;
    }

    final void key(KeyValue value, byte[] bytes, int offset, int length) {
        keyValue = value;
        keyBytes = bytes;
        keyOffset = offset;
        keyLength = length;
    }

    final void noKey(KeyValue value) {
        key(value, NOTHING, 0, 0);
    }

    // ---- a field that is cut

    /** Keeps bytes of the field: more of it comes with the next piece. */
    final void keep(byte[] bytes, int from, int end) {
        int length = end - from;
        if (kept.length - keptLength < length) {
            kept = Arrays.copyOf(kept, Math.max(2 * kept.length, Math.max(64, keptLength + length)));
        }
        System.arraycopy(bytes, from, kept, keptLength, length);
        keptLength += length;
    }

    final boolean hasKept() {
        return keptLength > 0;
    }

    final byte[] kept() {
        return kept;
    }

    final int keptLength() {
        return keptLength;
    }

    /** Forgets what was kept; its bytes stay as they are until the next {@link #keep}. */
    final void forgetKept() {
        keptLength = 0;
    }

    static boolean equal(byte[] text, byte[] bytes, int offset, int length) {
        return text.length == length && Arrays.equals(text, 0, length, bytes, offset, offset + length);
    }
}
