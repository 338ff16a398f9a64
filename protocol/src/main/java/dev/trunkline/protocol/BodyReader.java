package dev.trunkline.protocol;

import dev.trunkline.protocol.error.ProtocolErrors;
import java.util.Objects;

/**
 * A cursor over the body of one message that never reads outside of it.
 *
 * <p>Every fault of the sender (a field beyond the end, a string without terminator, bytes left over) becomes the same
 * error: 08P01 FATAL, since what follows in the stream cannot be trusted either.
 */
public final class BodyReader {

    private final String message;
    private final byte[] buffer;
    private final int end;
    private int position;

    /**
     * A cursor at the start of the body.
     *
     * @param message the name of the message for error texts
     */
    public BodyReader(String message, byte[] buffer, int offset, int length) {
        this.message = message;
        this.position = Objects.checkFromIndexSize(offset, length, buffer.length);
        this.end = offset + length;
        this.buffer = buffer;
    }

    /** One byte. */
    public byte int8() {
        require(1);
        return buffer[position++];
    }

    /** Two bytes as 0 to 65535: how PostgreSQL reads counts. */
    public int uint16() {
        require(2);
        int value = Frame.uint16(buffer, position);
        position += 2;
        return value;
    }

    /** Two bytes as -32768 to 32767: type sizes and column numbers. */
    public int int16() {
        require(2);
        int value = Frame.int16(buffer, position);
        position += 2;
        return value;
    }

    /** Four bytes. */
    public int int32() {
        require(4);
        int value = Frame.int32(buffer, position);
        position += 4;
        return value;
    }

    /**
     * A count of two bytes that so many elements of at least the given size must follow.
     *
     * <p>Checked here so that no array is allotted for elements that were never sent.
     */
    public int count(int bytesPerElement) {
        int count = uint16();
        if (count * bytesPerElement > remaining()) {
            throw malformed("it announces " + count + " elements in " + remaining() + " bytes");
        }
        return count;
    }

    /**
     * A length of four bytes: 0 or more, or -1 for NULL, never more than what is left.
     *
     * <p>The bytes themselves are not consumed.
     */
    public int nullableLength() {
        int length = int32();
        if (length < -1 || length > remaining()) {
            throw malformed("a field has length " + length + " with " + remaining() + " bytes left");
        }
        return length;
    }

    /**
     * A terminated string that identifies something, such as the name of a prepared statement.
     *
     * <p>Bytes that are not UTF-8 are refused rather than replaced: two different names must not become one.
     *
     * @throws dev.trunkline.protocol.error.PgException 22021 if it is not UTF-8, 08P01 FATAL if it has no terminator
     */
    public String name() {
        ByteSlice bytes = cstring();
        if (bytes.isEmpty()) {
            return "";
        }
        String text = bytes.toString();
        if (text.indexOf('\uFFFD') >= 0 && !bytes.equals(ByteSlice.of(text))) {
            throw ProtocolErrors.nameNotUtf8(message);
        }
        return text;
    }

    /** A terminated string for people or logs; bytes that are not UTF-8 become U+FFFD. */
    public String text() {
        return cstring().toString();
    }

    /** A terminated string as it was sent, without the terminator. */
    public ByteSlice cstring() {
        int start = position;
        while (position < end) {
            if (buffer[position++] == 0) {
                return new ByteSlice(buffer, start, position - 1 - start);
            }
        }
        throw malformed("a string has no terminator");
    }

    /** The next bytes, not copied. */
    public ByteSlice slice(int length) {
        require(length);
        ByteSlice slice = new ByteSlice(buffer, position, length);
        position += length;
        return slice;
    }

    /** All that is left, not copied; may be empty. */
    public ByteSlice rest() {
        return slice(remaining());
    }

    /** Passes over bytes. */
    public void skip(int length) {
        require(length);
        position += length;
    }

    /** The cursor as an index into the array. */
    public int position() {
        return position;
    }

    /** The number of bytes not yet read. */
    public int remaining() {
        return end - position;
    }

    /** Asserts that the body is used up. */
    public void end() {
        if (position != end) {
            throw malformed(remaining() + " bytes follow its last field");
        }
    }

    /** The error of a body whose fields contradict the manual; the caller throws it. */
    public RuntimeException malformed(String detail) {
        return ProtocolErrors.malformedMessage(message, detail);
    }

    private void require(int length) {
        if (length < 0 || length > remaining()) {
            throw malformed("it ends " + (length < 0 ? "before its start" : "within a field"));
        }
    }
}
