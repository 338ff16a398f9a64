package dev.trunkline.conf.load;

import dev.trunkline.conf.KeyDataType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Sharding key values of the file: one spelling per value, and their order. */
final class KeyValues {

    private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]+");
    /** What PostgreSQL reads as a uuid: a hyphen may follow each group of four digits, braces may surround it. */
    private static final Pattern UUID = Pattern.compile("(?:[0-9A-Fa-f]{4}-?){7}[0-9A-Fa-f]{4}");

    private KeyValues() {}

    /** The one spelling of a value, or null when the text is not a value of the type. */
    static @Nullable String canonical(KeyDataType type, String text) {
        return switch (type) {
            case BIGINT -> integer(text);
            case UUID -> uuid(text);
            case VARCHAR -> text.indexOf('\0') < 0 ? text : null;
        };
    }

    /** The order of canonical values: signed integers, the bytes of texts (collation "C") and of uuids. */
    static Comparator<String> order(KeyDataType type) {
        return switch (type) {
            case BIGINT -> Comparator.comparingLong(Long::parseLong);
            case UUID -> Comparator.naturalOrder();
            case VARCHAR ->
                (left, right) -> Arrays.compareUnsigned(
                        left.getBytes(StandardCharsets.UTF_8), right.getBytes(StandardCharsets.UTF_8));
        };
    }

    private static @Nullable String integer(String text) {
        if (!INTEGER.matcher(text).matches()) {
            return null;
        }
        try {
            return Long.toString(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return null; // beyond 64 bits
        }
    }

    private static @Nullable String uuid(String text) {
        boolean braced = text.startsWith("{") && text.endsWith("}");
        String bare = braced ? text.substring(1, text.length() - 1) : text;
        if (!UUID.matcher(bare).matches()) {
            return null;
        }
        String digits = bare.replace("-", "").toLowerCase(Locale.ROOT);
        return String.join(
                "-",
                digits.substring(0, 8),
                digits.substring(8, 12),
                digits.substring(12, 16),
                digits.substring(16, 20),
                digits.substring(20));
    }
}
