package dev.trunkline.proxy.scenario;

import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.routing.key.PgType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The ways in which a client may send one statement with values. */
enum Protocol {

    /** One Query; the values stand in the text. */
    SIMPLE {
        @Override
        int send(WireClient wire, Map<String, String> prepared, String sql, @Nullable Object[] values) {
            wire.query(inlined(sql, values));
            return 1;
        }
    },

    /** Unnamed statement and portal, values as text, their types left to the server. */
    EXTENDED {
        @Override
        int send(WireClient wire, Map<String, String> prepared, String sql, @Nullable Object[] values) {
            wire.parse("", sql)
                    .bind("", "", texts(values))
                    .describe("")
                    .execute("")
                    .sync();
            return 1;
        }
    },

    /** Unnamed statement and portal, values in binary with their types declared. */
    BINARY {
        @Override
        int send(WireClient wire, Map<String, String> prepared, String sql, @Nullable Object[] values) {
            int[] types = Arrays.stream(values).mapToInt(Protocol::type).toArray();
            Object[] binary = Arrays.stream(values).map(Protocol::binary).toArray();
            wire.parse("", sql, types)
                    .bind("", "", binary)
                    .describe("")
                    .execute("")
                    .sync();
            return 1;
        }
    },

    /** A named statement, parsed and described in a batch of its own at its first use, as drivers do. */
    PREPARED {
        @Override
        int send(WireClient wire, Map<String, String> prepared, String sql, @Nullable Object[] values) {
            int answers = 1;
            String name = prepared.get(sql);
            if (name == null) {
                name = "s" + prepared.size();
                prepared.put(sql, name);
                wire.parse(name, sql).describeStatement(name).sync();
                answers++;
            }
            wire.send(Frontend.bind("", name, texts(values))).execute("").sync();
            return answers;
        }
    };

    private static final int TEXT_ARRAY = 1009;
    private static final Pattern PARAMETER = Pattern.compile("\\$(\\d+)");

    /**
     * Sends one statement up to its Sync.
     *
     * @param prepared statement names by text, the client's own
     * @param values for {@code $1}, {@code $2} and so on
     * @return how many times the server will say ReadyForQuery
     */
    abstract int send(WireClient wire, Map<String, String> prepared, String sql, @Nullable Object[] values);

    private static String inlined(String sql, @Nullable Object[] values) {
        Matcher parameter = PARAMETER.matcher(sql);
        return parameter.replaceAll(
                found -> Matcher.quoteReplacement(literal(values[Integer.parseInt(found.group(1)) - 1])));
    }

    /** Arrays in their text form; everything else has one by itself. */
    private static @Nullable Object[] texts(@Nullable Object[] values) {
        return Arrays.stream(values)
                .map(value -> value instanceof String[] array ? arrayText(array) : value)
                .toArray();
    }

    private static String arrayText(@Nullable String[] array) {
        return Arrays.stream(array)
                .map(each ->
                        each == null ? "NULL" : '"' + each.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
                .collect(Collectors.joining(",", "{", "}"));
    }

    /** One dimension, a flag that tells of NULLs, the element type, length and lower bound, then the elements. */
    private static byte[] arrayBytes(@Nullable String[] array) {
        Frame.Builder bytes = Frame.of('a')
                .int32(1)
                .int32(1)
                .int32(PgType.TEXT)
                .int32(array.length)
                .int32(1);
        for (String each : array) {
            bytes = bytes.value(each == null ? null : each.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.build().body();
    }

    private static String literal(@Nullable Object value) {
        if (value == null || value instanceof Number) {
            return String.valueOf(value);
        } else if (value instanceof String[] array) {
            return literal(arrayText(array));
        }
        return "'" + value.toString().replace("'", "''") + "'";
    }

    private static int type(@Nullable Object value) {
        if (value instanceof Long) {
            return PgType.INT8;
        } else if (value instanceof Integer) {
            return PgType.INT4;
        } else if (value instanceof Short) {
            return PgType.INT2;
        } else if (value instanceof UUID) {
            return PgType.UUID;
        } else if (value instanceof String[]) {
            return TEXT_ARRAY;
        }
        return PgType.TEXT;
    }

    private static byte @Nullable [] binary(@Nullable Object value) {
        if (value instanceof Long number) {
            return ByteBuffer.allocate(8).putLong(number).array();
        } else if (value instanceof Integer number) {
            return ByteBuffer.allocate(4).putInt(number).array();
        } else if (value instanceof Short number) {
            return ByteBuffer.allocate(2).putShort(number).array();
        } else if (value instanceof UUID uuid) {
            return ByteBuffer.allocate(16)
                    .putLong(uuid.getMostSignificantBits())
                    .putLong(uuid.getLeastSignificantBits())
                    .array();
        } else if (value instanceof String[] array) {
            return arrayBytes(array);
        }
        return value == null ? null : value.toString().getBytes(StandardCharsets.UTF_8);
    }
}
