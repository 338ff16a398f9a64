package dev.trunkline.routing.key;

import dev.trunkline.protocol.error.PgException;

/** Integers in network byte order, as the binary format sends them. */
final class BinaryInteger {

    private BinaryInteger() {}

    /**
     * Reads an int2, int4, int8 or oid; a value of an open type by its length.
     *
     * @throws PgException 22P03 if the length is not the type's
     */
    static long read(byte[] bytes, int offset, int length, int oid, int parameter) {
        if (oid != PgType.UNSPECIFIED && length != lengthOf(oid)) {
            throw KeyErrors.invalidBinary(parameter);
        }
        return switch (length) {
            case Short.BYTES -> (short) (bytes[offset] << 8 | (bytes[offset + 1] & 0xFF));
            case Integer.BYTES -> oid == PgType.OID ? int4(bytes, offset) & 0xFFFF_FFFFL : int4(bytes, offset);
            case Long.BYTES -> int8(bytes, offset);
            default -> throw KeyErrors.invalidBinary(parameter);
        };
    }

    /** Whether a value of the type has this length. */
    static boolean isLength(int length, int oid) {
        return oid == PgType.UNSPECIFIED
                ? length == Short.BYTES || length == Integer.BYTES || length == Long.BYTES
                : length == lengthOf(oid);
    }

    static long int8(byte[] bytes, int offset) {
        return (long) int4(bytes, offset) << 32 | (int4(bytes, offset + 4) & 0xFFFF_FFFFL);
    }

    static int int4(byte[] bytes, int offset) {
        return bytes[offset] << 24
                | (bytes[offset + 1] & 0xFF) << 16
                | (bytes[offset + 2] & 0xFF) << 8
                | (bytes[offset + 3] & 0xFF);
    }

    private static int lengthOf(int oid) {
        return switch (oid) {
            case PgType.INT2 -> Short.BYTES;
            case PgType.INT8 -> Long.BYTES;
            default -> Integer.BYTES;
        };
    }
}
