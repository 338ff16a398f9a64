package dev.trunkline.routing.key;

import dev.trunkline.protocol.error.PgException;
import java.nio.charset.StandardCharsets;

/**
 * The elements of an array that a key is compared with by {@code = ANY (array)}; the dimensions do not matter to that
 * comparison.
 *
 * @see <a href="https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO">Array Input and Output Syntax</a>
 */
public final class KeyArray {

    private static final int HEADER_BYTES = 12;
    private static final int DIMENSION_BYTES = 8;
    private static final int MAX_DIMENSIONS = 6;

    private KeyArray() {}

    /** Takes each element in turn. */
    @FunctionalInterface
    public interface Sink {

        /**
         * Takes one element.
         *
         * @param decoding what became of it
         * @param key the value for {@link Decoding#KEY}, valid during the call
         */
        void accept(Decoding decoding, DecodedKey key);
    }

    /**
     * The elements of an array parameter.
     *
     * @return KEY when the sink got every element, NULL for a NULL array, UNKNOWN for a type that is no array of keys
     * @throws PgException 22P02 or 22003 for a malformed array or element, 22P03 for a malformed binary array
     */
    public static Decoding parameter(KeyDecoder decoder, Parameters parameters, int parameter, Sink sink) {
        if (parameters.isNull(parameter)) {
            return Decoding.NULL;
        }
        byte[] bytes = parameters.bytes();
        int offset = parameters.offset(parameter);
        int length = parameters.length(parameter);
        int arrayOid = parameters.typeOid(parameter);
        int elementOid = PgType.elementOf(arrayOid);
        if (parameters.isBinary(parameter)) {
            return binary(decoder, bytes, offset, length, parameter, sink);
        }
        if (arrayOid != PgType.UNSPECIFIED && elementOid == PgType.UNSPECIFIED) {
            return Decoding.UNKNOWN;
        }
        return text(decoder, elementOid, bytes, offset, length, sink);
    }

    /**
     * The elements of an array in text form whose element type is that of the key.
     *
     * @throws PgException 22P02 or 22003 for a malformed array or element
     */
    public static Decoding text(KeyDecoder decoder, byte[] bytes, int offset, int length, Sink sink) {
        return text(decoder, PgType.UNSPECIFIED, bytes, offset, length, sink);
    }

    private static Decoding text(KeyDecoder decoder, int elementOid, byte[] bytes, int offset, int length, Sink sink) {
        DecodedKey key = new DecodedKey();
        ArrayText elements = new ArrayText(bytes, offset, length);
        while (elements.next()) {
            Decoding decoding = elements.isNull()
                    ? Decoding.NULL
                    : decoder.text(elements.bytes(), elements.offset(), elements.length(), elementOid, key);
            sink.accept(decoding, key);
        }
        return Decoding.KEY;
    }

    /**
     * {@code int32 dimensions | int32 hasNull | int32 elementOid | (int32 size | int32 lowerBound)* | (int32 length |
     * byte*)*}.
     */
    private static Decoding binary(KeyDecoder decoder, byte[] bytes, int offset, int length, int parameter, Sink sink) {
        int end = offset + length;
        int dimensions = length < HEADER_BYTES ? -1 : BinaryInteger.int4(bytes, offset);
        boolean wellFormed = dimensions >= 0
                && dimensions <= MAX_DIMENSIONS
                && length >= HEADER_BYTES + dimensions * DIMENSION_BYTES;
        if (!wellFormed) {
            throw KeyErrors.invalidBinary(parameter);
        }
        int elementOid = BinaryInteger.int4(bytes, offset + 8);
        int at = offset + HEADER_BYTES + dimensions * DIMENSION_BYTES;
        DecodedKey key = new DecodedKey();
        while (at < end) {
            int elementLength = at + 4 <= end ? BinaryInteger.int4(bytes, at) : Integer.MAX_VALUE;
            at += 4;
            if (elementLength > end - at) {
                throw KeyErrors.invalidBinary(parameter);
            }
            if (elementLength < 0) {
                sink.accept(Decoding.NULL, key);
            } else {
                sink.accept(decoder.binary(bytes, at, elementLength, elementOid, parameter, key), key);
                at += elementLength;
            }
        }
        return Decoding.KEY;
    }

    /** The elements of an array's text form, one after the other, whatever its dimensions. */
    private static final class ArrayText {

        private final byte[] text;
        private final int start;
        private final int end;
        private final byte[] unescaped;
        private int at;
        private int depth;
        private boolean elementMayFollow;
        private boolean isNull;
        private byte[] element;
        private int offset;
        private int length;

        ArrayText(byte[] text, int offset, int length) {
            this.text = text;
            this.start = offset;
            this.end = offset + length;
            this.at = offset;
            this.element = text;
            this.unescaped = new byte[length];
            skipBounds();
            skipSpace();
            if (at >= end || text[at] != '{') {
                throw malformed();
            }
        }

        boolean isNull() {
            return isNull;
        }

        byte[] bytes() {
            return element;
        }

        int offset() {
            return offset;
        }

        int length() {
            return length;
        }

        /** Moves to the next element; false behind the last. */
        boolean next() {
            while (true) {
                skipSpace();
                if (at >= end) {
                    if (depth != 0) {
                        throw malformed();
                    }
                    return false;
                }
                byte b = text[at];
                if (b == '{') {
                    depth++;
                    elementMayFollow = true;
                    at++;
                } else if (depth == 0) {
                    throw malformed();
                } else if (b == '}') {
                    depth--;
                    elementMayFollow = false;
                    at++;
                } else if (b == ',') {
                    if (elementMayFollow) {
                        throw malformed();
                    }
                    elementMayFollow = true;
                    at++;
                } else if (elementMayFollow) {
                    elementMayFollow = false;
                    read();
                    return true;
                } else {
                    throw malformed();
                }
            }
        }

        /** {@code [1:2][0:4]={…}}: the bounds do not matter. */
        private void skipBounds() {
            skipSpace();
            if (at < end && text[at] == '[') {
                while (at < end && text[at] != '=') {
                    at++;
                }
                at++;
            }
        }

        private void read() {
            element = unescaped;
            offset = 0;
            length = 0;
            boolean escaped = false;
            boolean quoted = text[at] == '"';
            if (quoted) {
                at++;
            }
            while (at < end && !endsElement(text[at], quoted)) {
                if (text[at] == '\\') {
                    escaped = true;
                    at++;
                }
                if (at < end) {
                    unescaped[length++] = text[at++];
                }
            }
            if (at >= end) {
                throw malformed();
            }
            if (quoted) {
                at++;
            } else {
                trim(escaped);
            }
            isNull = !quoted && !escaped && spellsNull();
        }

        private static boolean endsElement(byte b, boolean quoted) {
            return quoted ? b == '"' : b == ',' || b == '}' || b == '{' || b == '"';
        }

        /** Blanks behind an unquoted element do not count; with escapes nobody can say which were meant. */
        private void trim(boolean escaped) {
            if (escaped && length > 0 && isSpace(unescaped[length - 1])) {
                throw malformed();
            }
            while (length > 0 && isSpace(unescaped[length - 1])) {
                length--;
            }
            if (length == 0) {
                throw malformed();
            }
        }

        private boolean spellsNull() {
            return length == 4 && new String(unescaped, 0, 4, StandardCharsets.ISO_8859_1).equalsIgnoreCase("null");
        }

        private void skipSpace() {
            while (at < end && isSpace(text[at])) {
                at++;
            }
        }

        private static boolean isSpace(byte b) {
            return b == ' ' || (b >= '\t' && b <= '\r');
        }

        private PgException malformed() {
            return KeyErrors.malformedArray(new String(text, start, end - start, StandardCharsets.UTF_8));
        }
    }
}
