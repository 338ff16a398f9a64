package dev.trunkline.routing.plan;

import dev.trunkline.routing.key.PgType;
import dev.trunkline.routing.tree.Expression;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Goes through whole expressions: the functions they call, the subqueries and system columns they hold. */
final class Inspection {

    private static final Set<String> SYSTEM_COLUMNS = Set.of("ctid", "xmin", "xmax", "cmin", "cmax", "tableoid");

    private final Environment environment;
    private final Facts facts;
    private final Predicates.Subqueries subqueries;

    Inspection(Environment environment, Facts facts, Predicates.Subqueries subqueries) {
        this.environment = environment;
        this.facts = facts;
        this.subqueries = subqueries;
    }

    void inspectAll(Collection<? extends Expression> expressions, Scope scope, Level level) {
        expressions.forEach(expression -> inspect(expression, scope, level));
    }

    void inspect(@Nullable Expression expression, Scope scope, Level level) {
        if (expression == null) {
            return;
        }
        if (expression instanceof Expression.Call call) {
            inspectCall(call, scope, level);
        } else if (expression instanceof Expression.Column column && SYSTEM_COLUMNS.contains(column.name())) {
            facts.differsBecause("It uses the system column \"" + column.name() + "\".");
        } else if (expression instanceof Expression.Cast cast && isDateTime(cast.type())) {
            addFixed(cast.operand(), level);
        }
        if (expression.query() != null) {
            Rows ignored = subqueries.rows(expression.query(), scope);
        }
        inspectAll(expression.children(), scope, level);
    }

    /** A date or time that is given as text may be the word {@code now}. */
    void addFixed(Expression value, Level level) {
        KeyRef ref = KeyPlaces.value(value, ColumnClass.TEXT);
        if (ref != null && ref != KeyRef.Fixed.NULL) {
            facts.mustBeFixed.add(new KeySet.Rows(List.of(ref), level.list, level.stride));
        }
    }

    static boolean isDateTime(int typeOid) {
        return PgType.isDateTime(typeOid);
    }

    private static boolean isDateTime(String type) {
        return type.contains("date") || type.contains("time");
    }

    private void inspectCall(Expression.Call call, Scope scope, Level level) {
        String schema = call.path().size() > 1 ? call.path().get(call.path().size() - 2) : null;
        String name = call.name();
        FunctionUse use = environment.database().functions.use(schema, name, environment.searchPath());
        if (use == FunctionUse.OPAQUE) {
            throw RoutingErrors.opaqueFunction(name);
        }
        facts.unknownRelation |= use == FunctionUse.UNKNOWN;
        facts.foreignFunction |= use.isForeign();
        if (call.window() != null) {
            level.windows.add(call.window());
            facts.differsBecause("It calls the window function \"" + name + "\".");
            return;
        }
        if (use.isAggregate()) {
            level.aggregated = true;
            checkOuterAggregate(call, scope);
        }
        if (use.mayAggregate()) {
            level.maybeAggregate = name;
        }
        if (use.isEqualEverywhere()) {
            return;
        }
        String reason = "It calls function \"" + name + "\".";
        Once.Call once = Once.call(use, name);
        if (once == Once.Call.TIME || once == Once.Call.VALUE && level.once) {
            facts.computedBecause(reason);
        } else {
            facts.differsBecause(reason);
        }
    }

    /** An aggregate over columns of an outer query belongs to that query. */
    private void checkOuterAggregate(Expression.Call call, Scope scope) {
        List<Scope.Found> columns = new ArrayList<>();
        collect(call.arguments(), scope, columns);
        boolean inner = columns.isEmpty()
                || columns.stream()
                        .anyMatch(found ->
                                found.source() != null && scope.sources().contains(found.source()));
        if (!inner && scope.hasOuterSources()) {
            facts.cannotBeJoinedBecause("It holds an aggregate over columns of an outer query.");
        }
    }

    private static void collect(List<Expression> expressions, Scope scope, List<Scope.Found> into) {
        for (Expression expression : expressions) {
            if (expression instanceof Expression.Column column) {
                into.add(scope.find(column.path()));
            }
            collect(expression.children(), scope, into);
        }
    }
}
