package dev.trunkline.lookup.map;

import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import org.jspecify.annotations.Nullable;

/** Reads a column of a lookup query, given as text, into its canonical form. */
public final class CanonicalKey {

    private static final int UUID_DIGITS = 32;

    private CanonicalKey() {}

    /** The key, or null when the text is not of that type. */
    public static @Nullable ShardingKey parse(KeyType type, String text) {
        return switch (type) {
            case BIGINT -> parseLong(text);
            case UUID -> parseUuid(text);
            case VARCHAR -> ShardingKey.ofText(text);
        };
    }

    /**
     * Decimal as int8in reads it: blanks around, a sign, leading zeros. The hexadecimal, octal, binary and underscored
     * forms that servers accept from version 16 on are never printed by a server and are not read.
     */
    private static @Nullable ShardingKey parseLong(String text) {
        int start = 0;
        int end = text.length();
        while (start < end && isSpace(text.charAt(start))) {
            start++;
        }
        while (end > start && isSpace(text.charAt(end - 1))) {
            end--;
        }
        boolean negative = start < end && text.charAt(start) == '-';
        if (negative || (start < end && text.charAt(start) == '+')) {
            start++;
        }
        if (start == end) {
            return null;
        }
        // Accumulated as a negative number, because the range has one more of them.
        long value = 0;
        for (int i = start; i < end; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9 || value < (Long.MIN_VALUE + digit) / 10) {
                return null;
            }
            value = value * 10 - digit;
        }
        if (!negative && value == Long.MIN_VALUE) {
            return null;
        }
        return ShardingKey.ofLong(negative ? value : -value);
    }

    private static boolean isSpace(char c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }

    /** Every spelling that uuid_in accepts: any case, braces, a hyphen after any group of four digits. */
    private static @Nullable ShardingKey parseUuid(String text) {
        int start = 0;
        int end = text.length();
        if (end > 0 && text.charAt(0) == '{') {
            if (text.charAt(end - 1) != '}') {
                return null;
            }
            start++;
            end--;
        }
        long high = 0;
        long low = 0;
        int digits = 0;
        for (int i = start; i < end; i++) {
            char c = text.charAt(i);
            if (c == '-') {
                if (digits == 0 || digits == UUID_DIGITS || digits % 4 != 0 || text.charAt(i - 1) == '-') {
                    return null;
                }
                continue;
            }
            int digit = c < 128 ? Character.digit(c, 16) : -1;
            if (digit < 0 || digits == UUID_DIGITS) {
                return null;
            }
            if (digits < UUID_DIGITS / 2) {
                high = high << 4 | digit;
            } else {
                low = low << 4 | digit;
            }
            digits++;
        }
        return digits == UUID_DIGITS ? ShardingKey.ofUuid(high, low) : null;
    }
}
