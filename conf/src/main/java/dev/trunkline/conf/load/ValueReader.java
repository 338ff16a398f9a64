package dev.trunkline.conf.load;

import dev.trunkline.conf.Range;
import dev.trunkline.conf.Secret;
import dev.trunkline.conf.UnlistedTables;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Turns one JSON scalar into the value of a key. Every method answers null when it has recorded a fault. */
final class ValueReader {

    private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]{1,18}");
    private static final long HIGHEST_SHARD = 65_535;

    private final Substitution substitution;
    private final Faults faults;

    ValueReader(Substitution substitution, Faults faults) {
        this.substitution = substitution;
        this.faults = faults;
    }

    /** A text that may stand for a number or a boolean: it came from the environment or is a default. */
    private record Spelled(String text) {}

    @Nullable
    Object defaultOf(Key key) {
        String text = key.defaultText();
        return text == null ? null : convert(key, new Spelled(text), key.name());
    }

    @Nullable
    Object read(Key key, Object json, String place) {
        if (json instanceof String text && Substitution.isNeededFor(text)) {
            String substituted = substitution.apply(text, place);
            return substituted == null ? null : convert(key, new Spelled(substituted), place);
        }
        return convert(key, json, place);
    }

    private @Nullable Object convert(Key key, Object json, String place) {
        Class<?> type = key.type();
        if (key.isKeyValue()) {
            return keyValue(json, place);
        }
        if (type == String.class) {
            return text(json, place);
        }
        if (type == Secret.class) {
            String text = text(json, place);
            return text == null ? null : new Secret(text);
        }
        if (type == boolean.class) {
            return bool(json, place);
        }
        if (type == int.class || type == Integer.class) {
            Long number = number(json, place, range(key));
            return number == null ? null : (Object) number.intValue();
        }
        if (type == Duration.class) {
            Long number = number(json, place, range(key));
            return number == null ? null : Duration.ofMillis(number);
        }
        if (type == UnlistedTables.class) {
            return unlistedTables(json, place);
        }
        return constant(type, json, place);
    }

    private static Range range(Key key) {
        Range range = key.range();
        if (range == null) {
            throw new IllegalStateException("no range for " + key.name());
        }
        return range;
    }

    private @Nullable String text(Object json, String place) {
        String text = json instanceof Spelled spelled ? spelled.text() : json instanceof String string ? string : null;
        if (text == null) {
            return wrongType(place, "a string", json);
        }
        if (text.isEmpty()) {
            faults.add(place, "must not be empty");
            return null;
        }
        return text;
    }

    /** Kept as written: what the text means is up to the data type of the rule that it belongs to. */
    private @Nullable String keyValue(Object json, String place) {
        if (json instanceof Spelled spelled) {
            return spelled.text();
        }
        if (json instanceof String || isInteger(json)) {
            return json.toString();
        }
        return wrongType(place, "a string or an integer", json);
    }

    private @Nullable Boolean bool(Object json, String place) {
        if (json instanceof Boolean bool) {
            return bool;
        }
        if (json instanceof Spelled spelled && List.of("true", "false").contains(spelled.text())) {
            return Boolean.valueOf(spelled.text());
        }
        return wrongType(place, "true or false", json);
    }

    private @Nullable Long number(Object json, String place, Range range) {
        Long number = integer(json);
        if (number == null && !(json instanceof BigInteger)) {
            return wrongType(place, "an integer", json);
        }
        if (number == null || number < range.min() || number > range.max()) {
            faults.add(place, "must be between " + range.min() + " and " + range.max() + ", not " + json(json));
            return null;
        }
        return number;
    }

    private static @Nullable Long integer(Object json) {
        if (json instanceof Integer || json instanceof Long) {
            return ((Number) json).longValue();
        }
        boolean spelled =
                json instanceof Spelled text && INTEGER.matcher(text.text()).matches();
        return spelled ? Long.valueOf(((Spelled) json).text()) : null;
    }

    private static boolean isInteger(Object json) {
        return json instanceof Integer || json instanceof Long || json instanceof BigInteger;
    }

    private @Nullable UnlistedTables unlistedTables(Object json, String place) {
        Long shard = integer(json);
        if (shard != null && shard >= 0 && shard <= HIGHEST_SHARD) {
            return UnlistedTables.onShard(shard.intValue());
        }
        String text = json instanceof Spelled spelled ? spelled.text() : json.toString();
        if (text.equals("error")) {
            return UnlistedTables.ERROR;
        }
        if (text.equals("omni")) {
            return UnlistedTables.OMNI;
        }
        faults.add(place, "must be \"error\", \"omni\" or the number of a shard, not " + json(json));
        return null;
    }

    private @Nullable Object constant(Class<?> type, Object json, String place) {
        String text = text(json, place);
        if (text == null) {
            return null;
        }
        for (Object constant : type.getEnumConstants()) {
            if (spelling(constant).equals(text)) {
                return constant;
            }
        }
        faults.add(place, "must be " + allowed(type) + ", not \"" + text + "\"");
        return null;
    }

    private static String allowed(Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(constant -> "\"" + spelling(constant) + "\"")
                .collect(Collectors.joining(" or "));
    }

    /** An enumeration's constant as the file spells it. */
    static String spelling(Object constant) {
        return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT);
    }

    private <T> @Nullable T wrongType(String place, String wanted, Object json) {
        faults.add(place, "must be " + wanted + ", not " + describe(json));
        return null;
    }

    /** The kind of a value, not the value: it may be a secret. */
    static String describe(@Nullable Object json) {
        if (json == null) {
            return "null";
        }
        if (json instanceof Map) {
            return "an object";
        }
        if (json instanceof List) {
            return "a list";
        }
        if (json instanceof Boolean) {
            return "a boolean";
        }
        return json instanceof Number ? "a number" : "a string";
    }

    private static String json(Object json) {
        if (json instanceof Number || json instanceof Boolean) {
            return json.toString();
        }
        if (json instanceof Spelled spelled) {
            return "\"" + spelled.text() + "\"";
        }
        return json instanceof String text ? "\"" + text + "\"" : describe(json);
    }
}
