package dev.trunkline.routing.plan;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** An item of a FROM clause as names see it: its visible name and its columns. */
final class Source {

    /** Whether a source has a column. */
    enum Has {
        YES,
        NO,
        /** Its columns are not known. */
        MAYBE
    }

    private final @Nullable String name;
    private final @Nullable String schema;
    private final @Nullable List<String> columns;
    private final ToIntFunction<String> variables;
    private final Map<String, Integer> known = new HashMap<>();

    /**
     * @param name the name that qualifies its columns; null if it has none
     * @param schema the schema that may stand before the name; null if none may
     * @param columns its columns in order; null if nobody knows them
     * @param variables makes the variable of a column, asked once for each; may answer {@link Variables#NONE}
     */
    Source(
            @Nullable String name,
            @Nullable String schema,
            @Nullable List<String> columns,
            ToIntFunction<String> variables) {
        this.name = name;
        this.schema = schema;
        this.columns = columns;
        this.variables = variables;
    }

    /** A source whose columns nobody knows. */
    static Source unknown(@Nullable String name) {
        return new Source(name, null, null, column -> Variables.NONE);
    }

    /** A source of given columns, each with its variable. */
    static Source of(@Nullable String name, List<Output> outputs) {
        Map<String, Integer> variables = new LinkedHashMap<>();
        // A name that occurs twice cannot be used.
        outputs.forEach(output -> variables.merge(output.name(), output.variable(), (one, other) -> Variables.NONE));
        return new Source(
                name,
                null,
                outputs.stream().map(Output::name).toList(),
                column -> variables.getOrDefault(column, Variables.NONE));
    }

    boolean isNamed(String qualifier) {
        return qualifier.equals(name);
    }

    boolean isNamed(String schemaQualifier, String qualifier) {
        return qualifier.equals(name) && schemaQualifier.equals(schema);
    }

    @Nullable
    List<String> columns() {
        return columns;
    }

    Has has(String column) {
        if (columns == null) {
            return Has.MAYBE;
        }
        return columns.contains(column) ? Has.YES : Has.NO;
    }

    int variable(String column) {
        return known.computeIfAbsent(column, variables::applyAsInt);
    }
}
