package dev.trunkline.routing.key;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/**
 * A value of type numeric that is compared with an integer key: PostgreSQL casts the key to numeric, so 4.0 equals 4
 * and 4.5 equals no key at all.
 */
final class Numeric {

    private static final long BASE = 10_000;
    private static final int HEADER_BYTES = 8;
    private static final int POSITIVE = 0x0000;
    private static final int NEGATIVE = 0x4000;

    private Numeric() {}

    /** Decodes the text of a numeric; a spelling that Java does not know (NaN, Infinity, 0x10) is UNKNOWN. */
    static Decoding text(byte[] text, int offset, int length, DecodedKey key) {
        try {
            return integral(new BigDecimal(new String(text, offset, length, StandardCharsets.ISO_8859_1).strip()), key);
        } catch (NumberFormatException e) {
            return Decoding.UNKNOWN;
        }
    }

    /**
     * Decodes a binary numeric: {@code int16 digits | int16 weight | int16 sign | int16 scale | int16 base-10000 digit…}.
     *
     * @return UNKNOWN for what is not a finite number or has not the length that its header tells
     */
    static Decoding binary(byte[] bytes, int offset, int length, DecodedKey key) {
        if (length < HEADER_BYTES) {
            return Decoding.UNKNOWN;
        }
        int count = int16(bytes, offset);
        int weight = int16(bytes, offset + 2);
        int sign = int16(bytes, offset + 4) & 0xFFFF;
        boolean wellFormed = count >= 0 && length == HEADER_BYTES + 2 * count && (sign == POSITIVE || sign == NEGATIVE);
        if (!wellFormed) {
            return Decoding.UNKNOWN;
        }
        return sum(bytes, offset + HEADER_BYTES, count, weight, sign == NEGATIVE ? -1 : 1, key);
    }

    private static Decoding sum(byte[] bytes, int offset, int count, int weight, int sign, DecodedKey key) {
        long value = 0;
        for (int i = 0; i < Math.max(count, weight + 1); i++) {
            int digit = i < count ? int16(bytes, offset + 2 * i) : 0;
            boolean fraction = i > weight;
            if (fraction && digit == 0) {
                continue;
            }
            boolean overflows = value < (Long.MIN_VALUE + digit) / BASE || value > (Long.MAX_VALUE - digit) / BASE;
            if (fraction || overflows) {
                return Decoding.NO_ROW;
            }
            value = value * BASE + (long) sign * digit;
        }
        key.setLong(value);
        return Decoding.KEY;
    }

    private static Decoding integral(BigDecimal value, DecodedKey key) {
        try {
            key.setLong(value.longValueExact());
            return Decoding.KEY;
        } catch (ArithmeticException e) {
            return Decoding.NO_ROW;
        }
    }

    private static int int16(byte[] bytes, int at) {
        return (short) ((bytes[at] & 0xFF) << 8 | (bytes[at + 1] & 0xFF));
    }
}
