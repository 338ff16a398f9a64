package dev.trunkline.routing.key;

import dev.trunkline.protocol.error.PgException;
import java.nio.charset.StandardCharsets;

/**
 * PostgreSQL's input function of int8: blanks around, a sign, digits; since version 16 also digits of base 16, 8 and 2
 * after {@code 0x}, {@code 0o}, {@code 0b}, and underscores between digits.
 *
 * @see <a href="https://github.com/postgres/postgres/blob/REL_18_STABLE/src/backend/utils/adt/numutils.c">numutils.c</a>
 */
final class IntegerText {

    private IntegerText() {}

    /**
     * The integer that text[offset, offset + length) spells.
     *
     * @param withPrefixes the server is version 16 or later
     * @throws PgException 22P02 for bad syntax, 22003 beyond int8
     */
    static long parse(byte[] text, int offset, int length, boolean withPrefixes) {
        int end = trimmedEnd(text, offset, offset + length);
        int at = trimmedStart(text, offset, end);
        boolean negative = at < end && text[at] == '-';
        if (negative || (at < end && text[at] == '+')) {
            at++;
        }
        int base = withPrefixes ? baseAt(text, at, end) : 10;
        // An underscore may follow a base prefix, but not stand first in a decimal number.
        int first = base == 10 ? at : at + 2;
        boolean afterDigit = base != 10;
        long value = 0;
        boolean overflow = false;
        boolean ended = false;
        for (int i = first; i < end; i++) {
            if (text[i] == '_' && withPrefixes && afterDigit) {
                afterDigit = false;
                continue;
            }
            int digit = Character.digit((char) (text[i] & 0xFF), base);
            if (digit < 0 || text[i] < 0) {
                throw invalid(text, offset, length);
            }
            afterDigit = true;
            ended = true;
            overflow |= value < (Long.MIN_VALUE + digit) / base;
            value = value * base - digit;
        }
        if (!ended || !afterDigit) {
            throw invalid(text, offset, length);
        }
        if (overflow || (!negative && value == Long.MIN_VALUE)) {
            throw KeyErrors.outOfRange("bigint", string(text, offset, length));
        }
        return negative ? value : -value;
    }

    private static int baseAt(byte[] text, int at, int end) {
        if (at + 1 >= end || text[at] != '0') {
            return 10;
        }
        return switch (text[at + 1]) {
            case 'x', 'X' -> 16;
            case 'o', 'O' -> 8;
            case 'b', 'B' -> 2;
            default -> 10;
        };
    }

    private static int trimmedStart(byte[] text, int from, int end) {
        int at = from;
        while (at < end && isSpace(text[at])) {
            at++;
        }
        return at;
    }

    private static int trimmedEnd(byte[] text, int from, int end) {
        int at = end;
        while (at > from && isSpace(text[at - 1])) {
            at--;
        }
        return at;
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || (b >= '\t' && b <= '\r');
    }

    private static PgException invalid(byte[] text, int offset, int length) {
        return KeyErrors.invalidText("bigint", string(text, offset, length));
    }

    private static String string(byte[] text, int offset, int length) {
        return new String(text, offset, length, StandardCharsets.UTF_8);
    }
}
