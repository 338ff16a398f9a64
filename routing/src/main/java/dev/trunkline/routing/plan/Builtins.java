package dev.trunkline.routing.plan;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is known of the functions that come with PostgreSQL. */
final class Builtins {

    /**
     * Stable functions whose result depends on their arguments and on session settings alone, which are the same on
     * all shards; not on the time, the server or the database.
     */
    private static final Set<String> STABLE_AND_EQUAL = Set.of(
            "anytextcat",
            "array_to_json",
            "array_to_string",
            "concat",
            "concat_ws",
            "convert",
            "convert_from",
            "convert_to",
            "date",
            "date_add",
            "date_part",
            "date_subtract",
            "date_trunc",
            "enum_first",
            "enum_last",
            "enum_range",
            "extract",
            "format",
            "generate_series",
            "json_array",
            "json_build_array",
            "json_build_object",
            "json_populate_record",
            "json_populate_recordset",
            "json_scalar",
            "json_serialize",
            "json_to_record",
            "json_to_recordset",
            "jsonb_build_array",
            "jsonb_build_object",
            "jsonb_populate_record",
            "jsonb_populate_recordset",
            "jsonb_to_record",
            "jsonb_to_recordset",
            "length",
            "make_timestamptz",
            "numeric",
            "overlaps",
            "phraseto_tsquery",
            "plainto_tsquery",
            "quote_literal",
            "quote_nullable",
            "row_to_json",
            "textanycat",
            "time",
            "timestamp",
            "timestamptz",
            "timetz",
            "timezone",
            "to_char",
            "to_date",
            "to_json",
            "to_jsonb",
            "to_number",
            "to_timestamp",
            "to_tsquery",
            "to_tsvector",
            "websearch_to_tsquery",
            "xmlelement",
            "xmlforest");

    /** Aggregates that do not depend on the order in which rows come. */
    private static final Set<String> ORDERLESS =
            Set.of("avg", "bit_and", "bit_or", "bit_xor", "bool_and", "bool_or", "count", "every", "max", "min", "sum");

    private static final Map<String, Function> BY_NAME = read();

    private Builtins() {}

    /**
     * A function by its worst overload.
     *
     * @param equal on every shard it yields the same for the same arguments
     * @param aggregate it is an aggregate
     * @param window it is a window function
     */
    record Function(boolean equal, boolean aggregate, boolean window) {}

    /** The function, or null when PostgreSQL brings none of that name. */
    static @Nullable Function function(String name) {
        return BY_NAME.get(name);
    }

    private static Map<String, Function> read() {
        Map<String, Function> functions = new HashMap<>();
        try (InputStream in = Objects.requireNonNull(Builtins.class.getResourceAsStream("builtin-functions.txt"));
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII))) {
            String line = lines.readLine();
            while (line != null) {
                if (!line.startsWith("#")) {
                    String[] parts = line.split(" ", 2);
                    functions.put(parts[0], function(parts[0], parts[1]));
                }
                line = lines.readLine();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Map.copyOf(functions);
    }

    private static Function function(String name, String flags) {
        boolean aggregate = flags.endsWith("a");
        boolean window = flags.endsWith("w");
        boolean equal = aggregate
                ? ORDERLESS.contains(name)
                : !window && (flags.startsWith("i") || STABLE_AND_EQUAL.contains(name));
        return new Function(equal, aggregate, window);
    }
}
