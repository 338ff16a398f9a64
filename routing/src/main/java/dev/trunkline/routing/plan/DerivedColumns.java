package dev.trunkline.routing.plan;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes a source of what a query yields. */
final class DerivedColumns {

    private DerivedColumns() {}

    /**
     * The source of a subquery or common table expression.
     *
     * @param columns new names of its first columns
     */
    static Source source(Variables variables, Rows rows, @Nullable String alias, List<String> columns) {
        List<Output> outputs = rows.outputs();
        if (outputs == null) {
            return Source.unknown(alias);
        }
        List<Output> visible = new ArrayList<>();
        for (int i = 0; i < outputs.size(); i++) {
            Output output = outputs.get(i);
            String name = i < columns.size() ? columns.get(i) : output.name();
            visible.add(new Output(name, variable(variables, output), output.pushable()));
        }
        return Source.of(alias, visible);
    }

    /** A column of its own: conditions on it reach the table's column only if they may be pushed there. */
    private static int variable(Variables variables, Output output) {
        if (output.variable() == Variables.NONE) {
            return Variables.NONE;
        }
        int inner = output.variable();
        int outer = variables.add(variables.columnClass(inner), variables.typmod(inner));
        if (output.pushable()) {
            variables.equate(inner, outer);
        } else {
            variables.flow(inner, outer);
        }
        return outer;
    }
}
