package dev.trunkline.routing.sql;

import java.util.Arrays;

/**
 * The value of a constant; made to be filled again and again. After {@link #decodeString} the value is
 * bytes()[offset(), offset() + length()), after {@link #decodeNumber} it is {@link #value()}. Not thread-safe.
 *
 * @see <a href="https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-CONSTANTS">Constants</a>
 */
public final class Literal {

    /** What a numeric constant turned out to be. */
    public enum Number {
        /** A whole number within bigint: {@code 4}, {@code 4.0}, {@code 1e3}. */
        INTEGRAL,
        /** Not a whole number: {@code 4.5}. */
        FRACTIONAL,
        /** A whole number beyond bigint. */
        OUT_OF_RANGE
    }

    private byte[] bytes = new byte[0];
    private int offset;
    private int length;
    private final ByteBuilder buffer = new ByteBuilder(64);
    private final NumberLiteral number = new NumberLiteral();

    /** The array that holds the decoded string: the lexed text itself when nothing in it is escaped. */
    public byte[] bytes() {
        return bytes;
    }

    public int offset() {
        return offset;
    }

    public int length() {
        return length;
    }

    /** The whole number of the last {@link #decodeNumber} that was INTEGRAL. */
    public long value() {
        return number.value();
    }

    /** A copy of the decoded string. */
    public byte[] toByteArray() {
        return Arrays.copyOfRange(bytes, offset, offset + length);
    }

    /**
     * Decodes a string constant (STRING, ESCAPE_STRING, UNICODE_STRING, DOLLAR_STRING, NATIONAL_STRING) to UTF-8, its
     * continuations joined.
     *
     * @return false if PostgreSQL refuses the constant: a malformed escape, or one that yields a zero byte or half of
     *     a surrogate pair; the value is then undefined
     * @throws IllegalArgumentException if the token is no such constant
     */
    public boolean decodeString(Tokens tokens, int token) {
        return switch (tokens.kind(token)) {
            case STRING -> decodePlain(tokens.text(), tokens.start(token), tokens.end(token));
            case NATIONAL_STRING -> decodePlain(tokens.text(), tokens.start(token) + 1, tokens.end(token));
            case DOLLAR_STRING -> decodeDollar(tokens.text(), tokens.start(token), tokens.end(token));
            case ESCAPE_STRING -> decodeEscapes(tokens, token);
            case UNICODE_STRING -> decodeUnicode(tokens, token);
            default -> throw new IllegalArgumentException("not a string constant: " + tokens.kind(token));
        };
    }

    /**
     * Decodes an INTEGER or NUMERIC constant; {@link #value()} then holds it if it is INTEGRAL.
     *
     * @param negative a minus sign stands before it
     */
    public Number decodeNumber(Tokens tokens, int token, boolean negative) {
        return number.decode(tokens, token, negative);
    }

    boolean decodeUnicode(Tokens tokens, int token) {
        boolean valid = UnicodeEscapes.decode(tokens, token, buffer);
        use(buffer);
        return valid;
    }

    private boolean decodeEscapes(Tokens tokens, int token) {
        boolean valid = StringEscapes.decode(tokens, token, buffer);
        use(buffer);
        return valid;
    }

    /** A constant without a doubled quote and without a continuation is the text between its quotes. */
    private boolean decodePlain(byte[] text, int quoteAt, int end) {
        for (int i = quoteAt + 1; i < end - 1; i++) {
            if (text[i] == '\'') {
                buffer.clear();
                Segments.appendUnquoted(text, quoteAt, end, buffer);
                use(buffer);
                return true;
            }
        }
        return slice(text, quoteAt + 1, end - 1);
    }

    private boolean decodeDollar(byte[] text, int start, int end) {
        int bodyAt = Scan.dollarDelimiter(text, start, end);
        return slice(text, bodyAt, end - (bodyAt - start));
    }

    private boolean slice(byte[] text, int from, int to) {
        bytes = text;
        offset = from;
        length = to - from;
        return true;
    }

    private void use(ByteBuilder decoded) {
        bytes = decoded.array();
        offset = 0;
        length = decoded.length();
    }
}
