package dev.trunkline.routing.plan;

import dev.trunkline.routing.catalog.Column;
import dev.trunkline.routing.tree.Body;
import dev.trunkline.routing.tree.Expression;
import org.jspecify.annotations.Nullable;

/** What SET assigns. */
final class Assignments {

    private Assignments() {}

    /** The value that a column gets; null if a query or an expression for several columns computes it. */
    static @Nullable Expression valueOf(Body.Assignment assignment, String column) {
        if (assignment.subscripted()) {
            return null;
        }
        int position = assignment.columns().indexOf(column);
        if (assignment.value() instanceof Expression.Row row
                && row.items().size() == assignment.columns().size()) {
            return row.items().get(position);
        }
        return assignment.columns().size() == 1 ? assignment.value() : null;
    }

    /** A default that depends on the time alone is the same in all rows of the statement. */
    private static void checkDefault(Column column, Facts facts, boolean alone) {
        String reason = "The default of column \"" + column.name() + "\" is computed on each shard.";
        if (alone && DefaultText.isOfTime(column)) {
            facts.computedBecause(reason);
        } else {
            facts.differsBecause(reason);
        }
    }

    /** Whether what is assigned to an omnisharded table would be the same on every shard. */
    static void checkOmnisharded(
            Body.Assignment assignment, TableUse table, Facts facts, Inspection inspection, boolean top) {
        if (!table.isOmnisharded() || table.relation() == null) {
            return;
        }
        for (String name : assignment.columns()) {
            Column column = Tables.column(table.relation(), name);
            Expression value = valueOf(assignment, name);
            if (column == null || value == null) {
                continue;
            }
            if (value == Expression.Fixed.DEFAULT && column.volatileDefault()) {
                checkDefault(column, facts, top && assignment.columns().size() == 1);
            }
            if (Inspection.isDateTime(column.typeOid())) {
                inspection.addFixed(value, new Level());
            }
        }
    }
}
