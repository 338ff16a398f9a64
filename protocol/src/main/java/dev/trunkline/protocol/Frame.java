package dev.trunkline.protocol;

/**
 * The layout that all messages share, and big-endian access to a {@code byte[]}.
 *
 * <pre>
 *  type     length (counts itself, not the type)      body
 * +-----+-----+-----+-----+-----+-----+- - -
 * |  1  |           4           |  length - 4
 * +-----+-----+-----+-----+-----+-----+- - -
 * </pre>
 *
 * The first packets of a connection have no type. In this module a <em>body</em> is always what follows the length.
 *
 * @see <a href="https://www.postgresql.org/docs/18/protocol-overview.html">Overview</a>
 */
public final class Frame {

    /** Type and length. */
    public static final int HEADER_BYTES = 5;

    /** The length alone: the header of the packets that open a connection. */
    public static final int LENGTH_BYTES = 4;

    /** The longest opening packet, length included, that PostgreSQL accepts; it bounds memory before a login. */
    public static final int MAX_STARTUP_BYTES = 10_000;

    /** The longest authentication message body that PostgreSQL accepts. */
    public static final int MAX_AUTHENTICATION_BYTES = 65_535;

    /** The limit PostgreSQL puts on bodies that hold a name or nothing. */
    public static final int MAX_SMALL_BODY_BYTES = 10_000;

    private Frame() {}

    /** The two bytes at the offset as -32768 to 32767. */
    public static int int16(byte[] buffer, int offset) {
        return (buffer[offset] << 8) | (buffer[offset + 1] & 0xff);
    }

    /** The two bytes at the offset as 0 to 65535, as PostgreSQL reads the counts of Parse and Bind. */
    public static int uint16(byte[] buffer, int offset) {
        return int16(buffer, offset) & 0xffff;
    }

    /** The four bytes at the offset. */
    public static int int32(byte[] buffer, int offset) {
        return (buffer[offset] << 24)
                | ((buffer[offset + 1] & 0xff) << 16)
                | ((buffer[offset + 2] & 0xff) << 8)
                | (buffer[offset + 3] & 0xff);
    }

    /** Writes the low 16 bits at the offset. */
    public static void putInt16(byte[] buffer, int offset, int value) {
        buffer[offset] = (byte) (value >>> 8);
        buffer[offset + 1] = (byte) value;
    }

    /** Writes the four bytes at the offset. */
    public static void putInt32(byte[] buffer, int offset, int value) {
        buffer[offset] = (byte) (value >>> 24);
        buffer[offset + 1] = (byte) (value >>> 16);
        buffer[offset + 2] = (byte) (value >>> 8);
        buffer[offset + 3] = (byte) value;
    }
}
