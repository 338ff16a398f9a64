package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.FrameWriter;

/**
 * Ends a statement: {@code 'C' | int32 length | string tag}.
 *
 * @param tag the command and, where it has one, the number of rows: {@code SELECT 5}, {@code INSERT 0 5}, {@code BEGIN}
 */
public record CommandComplete(String tag) implements BackendMessage {

    /** The answer of {@link #rows()} for a tag without number. */
    public static final long NO_ROWS = -1;

    private static final String INSERT = "INSERT";

    /** The tag of the command with a number of rows; INSERT gets the zero that stands for an OID. */
    public static CommandComplete of(String verb, long rows) {
        return new CommandComplete(verb.equals(INSERT) ? "INSERT 0 " + rows : verb + " " + rows);
    }

    /** The message with the given body. */
    public static CommandComplete decode(byte[] buffer, int offset, int length) {
        BodyReader body = new BodyReader("CommandComplete", buffer, offset, length);
        String tag = body.text();
        body.end();
        return new CommandComplete(tag);
    }

    /**
     * The number of rows in the tag of the given body, {@link #NO_ROWS} if there is none; allocates nothing.
     *
     * @throws dev.trunkline.protocol.error.PgException 08P01 FATAL if the body is malformed or the number exceeds a long
     */
    public static long rows(byte[] buffer, int offset, int length) {
        int end = offset + length - 1;
        if (length < 1 || buffer[end] != 0) {
            throw malformed(buffer, offset, length, "it has no terminator");
        }
        int start = end;
        while (start > offset && isDigit(buffer[start - 1])) {
            start--;
        }
        if (start == end || start == offset || buffer[start - 1] != ' ') {
            return NO_ROWS;
        }
        long rows = 0;
        for (int i = start; i < end; i++) {
            int digit = buffer[i] - '0';
            if (rows > (Long.MAX_VALUE - digit) / 10) {
                throw malformed(buffer, offset, length, "the number of rows is too large");
            }
            rows = rows * 10 + digit;
        }
        return rows;
    }

    /** Whether the tag of the given body begins with the given word of ASCII; allocates nothing. */
    public static boolean hasVerb(byte[] buffer, int offset, int length, String verb) {
        int end = verb.length();
        if (length <= end || (buffer[offset + end] != ' ' && buffer[offset + end] != 0)) {
            return false;
        }
        for (int i = 0; i < end; i++) {
            if (buffer[offset + i] != verb.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** The number of rows, {@link #NO_ROWS} if the tag has none. */
    public long rows() {
        byte[] body = body();
        return rows(body, 0, body.length);
    }

    /** The tag without its numbers: {@code INSERT}, {@code CREATE TABLE}. */
    public String verb() {
        int end = withoutNumber(tag, tag.length());
        // The OID of INSERT is the one other number.
        return tag.startsWith("INSERT ") ? INSERT : tag.substring(0, end);
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(BackendType.COMMAND_COMPLETE);
        out.cstring(tag);
        out.end();
    }

    private byte[] body() {
        FrameWriter out = new FrameWriter();
        out.cstring(tag);
        return out.toByteArray();
    }

    private static int withoutNumber(String tag, int end) {
        int space = tag.lastIndexOf(' ', end - 1);
        boolean isNumber = space > 0 && tag.substring(space + 1, end).chars().allMatch(c -> isDigit((byte) c));
        return isNumber && space + 1 < end ? space : end;
    }

    private static boolean isDigit(byte code) {
        return code >= '0' && code <= '9';
    }

    private static RuntimeException malformed(byte[] buffer, int offset, int length, String detail) {
        return new BodyReader("CommandComplete", buffer, offset, length).malformed(detail);
    }
}
