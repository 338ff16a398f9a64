package dev.trunkline.routing.plan;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Interprets UNION, INTERSECT and EXCEPT, when their operands have been. */
final class SetOperations {

    private final Variables variables;

    SetOperations(Variables variables) {
        this.variables = variables;
    }

    Rows combine(List<Rows> operands, boolean unionAll, boolean limited, boolean ordered) {
        return new Rows(origin(operands, unionAll, limited, ordered), outputs(operands, limited));
    }

    private static Origin origin(List<Rows> operands, boolean unionAll, boolean limited, boolean ordered) {
        Origin origin = Origin.appended(operands.stream().map(Rows::origin).toList());
        if (!(origin instanceof Origin.Partitioned)) {
            return origin;
        }
        if (!unionAll) {
            return new Origin.Broken("It holds UNION, INTERSECT or EXCEPT of sharded tables.");
        }
        if (limited) {
            return new Origin.Broken("It holds LIMIT, OFFSET or FETCH.");
        }
        return ordered ? new Origin.Broken("It holds ORDER BY.") : origin;
    }

    /** A condition on a column of the result may be put on that column of every operand. */
    private @Nullable List<Output> outputs(List<Rows> operands, boolean limited) {
        List<Output> first = operands.get(0).outputs();
        if (first == null) {
            return null;
        }
        List<Output> outputs = new ArrayList<>();
        for (int i = 0; i < first.size(); i++) {
            Output column = first.get(i);
            int variable = column.variable() == Variables.NONE
                    ? Variables.NONE
                    : variables.add(variables.columnClass(column.variable()), variables.typmod(column.variable()));
            outputs.add(new Output(column.name(), variable, !limited));
            for (Rows operand : operands) {
                flow(variable, operand.outputs(), i);
            }
        }
        return outputs;
    }

    private void flow(int variable, @Nullable List<Output> operand, int column) {
        if (operand != null && column < operand.size() && operand.get(column).pushable()) {
            variables.flow(variable, operand.get(column).variable());
        }
    }
}
