package dev.trunkline.routing.plan;

import dev.trunkline.routing.tree.Body;
import dev.trunkline.routing.tree.Expression;
import dev.trunkline.routing.tree.Query;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Interprets a statement: which tables it uses, what bounds their sharding keys, which of them are joined by their
 * keys, and whether the shards' own answers together are the answer. Made for one statement.
 *
 * @throws dev.trunkline.protocol.error.PgException from its methods if the statement cannot be run on several shards at
 *     all
 */
final class Interpreter implements Queries {

    /** More tables than any sane statement uses; common table expressions may multiply them. */
    private static final int MAX_USES = 500;

    private final Facts facts = new Facts();
    private final Inspection inspection;
    private final Selects selects;
    private final SetOperations setOperations;
    private final Writes writes;

    Interpreter(Environment environment) {
        Predicates predicates = new Predicates(facts, this::subquery);
        this.inspection = new Inspection(environment, facts, this::subquery);
        TableSources tables = new TableSources(environment, facts);
        FromClause fromClause = new FromClause(facts, tables, predicates, inspection, this);
        this.selects = new Selects(facts, fromClause, predicates, inspection);
        this.setOperations = new SetOperations(facts.variables);
        this.writes = new Writes(environment, facts, tables, fromClause, predicates, inspection, selects, this);
    }

    Facts facts() {
        return facts;
    }

    /** What a whole statement yields. */
    Rows statement(Query query) {
        return query(query, null, true);
    }

    @Override
    public Rows query(Query query, @Nullable Scope outer, boolean top) {
        if (facts.uses.size() > MAX_USES) {
            throw RoutingErrors.notAnalysed("It uses too many tables.");
        }
        if (!query.limits().isEmpty()) {
            facts.differsBecause("It holds LIMIT, OFFSET or FETCH.");
        }
        return body(query, with(query, outer), top);
    }

    private Rows subquery(Query query, Scope scope) {
        // Not computeIfAbsent: looking at a query looks at the queries within it.
        Rows rows = scope.subqueries().get(query);
        if (rows == null) {
            rows = query(query, scope, false);
            scope.subqueries().put(query, rows);
        }
        return rows;
    }

    /** The scope in which the common table expressions are visible, each to those that come after it. */
    private @Nullable Scope with(Query query, @Nullable Scope outer) {
        Scope scope = outer;
        for (Query.Cte cte : query.with()) {
            Scope next = new Scope(scope);
            boolean writes = isWrite(cte.query().body());
            Rows written = writes ? query(cte.query(), scope, false) : null;
            next.add(new CommonTable(cte, query.recursive() ? next : visible(scope), written));
            scope = next;
        }
        return scope;
    }

    private static Scope visible(@Nullable Scope scope) {
        return scope == null ? new Scope(null) : scope;
    }

    private static boolean isWrite(Body body) {
        return body instanceof Body.Insert
                || body instanceof Body.Update
                || body instanceof Body.Delete
                || body instanceof Body.Merge;
    }

    private Rows body(Query query, @Nullable Scope outer, boolean top) {
        Body body = query.body();
        if (body instanceof Body.Select select) {
            return selects.select(query, select, outer, top);
        }
        if (body instanceof Body.SetOperation operation) {
            return setOperation(query, operation, outer, top);
        }
        if (body instanceof Body.Values values) {
            return values(query, values, outer);
        }
        Rows rows = writes.write(body, outer, top);
        facts.written.add(rows.origin());
        return rows;
    }

    private Rows setOperation(Query query, Body.SetOperation operation, @Nullable Scope outer, boolean top) {
        List<Rows> operands = new ArrayList<>();
        for (Query operand : operation.queries()) {
            operands.add(query(operand, outer, false));
        }
        boolean limited = !query.limits().stream().allMatch(limit -> limit == Expression.Fixed.NULL);
        boolean ordered = top && !query.orderBy().isEmpty();
        Scope scope = new Scope(outer);
        inspection.inspectAll(query.orderBy(), scope, new Level());
        inspection.inspectAll(query.limits(), scope, new Level());
        return setOperations.combine(operands, operation.unionAll(), limited, ordered);
    }

    private Rows values(Query query, Body.Values values, @Nullable Scope outer) {
        int firstUse = facts.uses.size();
        Scope scope = new Scope(outer);
        Level level = new Level();
        values.rows().forEach(row -> inspection.inspectAll(row, scope, level));
        inspection.inspectAll(query.orderBy(), scope, level);
        inspection.inspectAll(query.limits(), scope, level);
        List<Output> outputs = new ArrayList<>();
        for (int i = 0; i < values.rows().get(0).size(); i++) {
            outputs.add(new Output("column" + (i + 1), Variables.NONE, true));
        }
        Origin origin = facts.uses.size() > firstUse
                ? new Origin.Broken("A subquery reads a sharded table, but the query around it does not.")
                : Origin.Replicated.INSTANCE;
        return new Rows(origin, outputs);
    }
}
