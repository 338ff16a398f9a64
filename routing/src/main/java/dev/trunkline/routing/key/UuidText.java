package dev.trunkline.routing.key;

import dev.trunkline.protocol.error.PgException;
import java.nio.charset.StandardCharsets;

/**
 * PostgreSQL's input function of uuid: 32 hexadecimal digits of either case, braces around or not, a hyphen after any
 * group of four digits.
 *
 * @see <a href="https://www.postgresql.org/docs/current/datatype-uuid.html">UUID Type</a>
 */
final class UuidText {

    private static final int DIGITS = 32;

    private UuidText() {}

    /**
     * Sets the key to the uuid that text[offset, offset + length) spells.
     *
     * @throws PgException 22P02 for bad syntax
     */
    static void parse(byte[] text, int offset, int length, DecodedKey key) {
        int end = offset + length;
        boolean braces = length > 0 && text[offset] == '{';
        int at = braces ? offset + 1 : offset;
        long high = 0;
        long low = 0;
        for (int digits = 0; digits < DIGITS; digits++) {
            int digit = at < end && text[at] > 0 ? Character.digit((char) text[at], 16) : -1;
            if (digit < 0) {
                throw invalid(text, offset, length);
            }
            high = high << 4 | low >>> 60;
            low = low << 4 | digit;
            at++;
            boolean groupEnds = digits % 4 == 3 && digits < DIGITS - 1;
            if (groupEnds && at < end && text[at] == '-') {
                at++;
            }
        }
        if (braces && at < end && text[at] == '}') {
            at++;
            braces = false;
        }
        if (braces || at != end) {
            throw invalid(text, offset, length);
        }
        key.setUuid(high, low);
    }

    private static PgException invalid(byte[] text, int offset, int length) {
        return KeyErrors.invalidText("uuid", new String(text, offset, length, StandardCharsets.UTF_8));
    }
}
