package dev.trunkline.routing.plan;

import dev.trunkline.routing.tree.Body;
import dev.trunkline.routing.tree.Expression;
import dev.trunkline.routing.tree.From;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Interprets UPDATE, DELETE and MERGE; INSERT is {@link Inserts}'. */
final class Writes {

    private final Environment environment;
    private final Facts facts;
    private final TableSources tables;
    private final FromClause fromClause;
    private final Predicates predicates;
    private final Inspection inspection;
    private final Selects selects;
    private final Inserts inserts;

    Writes(
            Environment environment,
            Facts facts,
            TableSources tables,
            FromClause fromClause,
            Predicates predicates,
            Inspection inspection,
            Selects selects,
            Queries queries) {
        this.environment = environment;
        this.facts = facts;
        this.tables = tables;
        this.fromClause = fromClause;
        this.predicates = predicates;
        this.inspection = inspection;
        this.selects = selects;
        this.inserts = new Inserts(environment, facts, tables, inspection, selects, queries);
    }

    Rows write(Body body, @Nullable Scope outer, boolean top) {
        if (body instanceof Body.Insert insert) {
            return inserts.insert(insert, outer, top);
        }
        if (body instanceof Body.Update update) {
            return update(update, outer, top);
        }
        if (body instanceof Body.Delete delete) {
            return delete(delete, outer);
        }
        return merge((Body.Merge) body, outer);
    }

    private Rows update(Body.Update update, @Nullable Scope outer, boolean top) {
        int firstUse = facts.uses.size();
        Scope scope = new Scope(outer);
        TableSources.Leaf target = tables.written(update.table());
        target(target.table(), top);
        scope.add(target.source());
        Origin origin = affected(target, update.from(), update.where(), scope);
        Set<String> columns = new HashSet<>();
        for (Body.Assignment assignment : update.assignments()) {
            inspection.inspect(assignment.value(), scope, new Level());
            columns.addAll(assignment.columns());
            Assignments.checkOmnisharded(assignment, target.table(), facts, inspection, top);
            checkKey(assignment, target, firstUse, scope);
        }
        facts.changesLookups(environment.database().marks.update(target.table(), columns));
        return new Rows(answering(origin, firstUse), selects.returned(update.returning(), scope));
    }

    private void target(TableUse table, boolean top) {
        if (top && table.relation() != null) {
            facts.target = new Once.Target(table.relation().columns(), List.of());
        }
    }

    private Rows delete(Body.Delete delete, @Nullable Scope outer) {
        int firstUse = facts.uses.size();
        Scope scope = new Scope(outer);
        TableSources.Leaf target = tables.written(delete.table());
        scope.add(target.source());
        Origin origin = affected(target, delete.using(), delete.where(), scope);
        facts.changesLookups(environment.database().marks.change(target.table()));
        return new Rows(answering(origin, firstUse), selects.returned(delete.returning(), scope));
    }

    /** Where the rows are that a statement changes: each row of the target is one of its shard's. */
    private Origin affected(TableSources.Leaf target, @Nullable From from, @Nullable Expression where, Scope scope) {
        Origin origin = target.origin();
        if (from != null) {
            FromClause.Node node = fromClause.read(from, scope);
            origin = Origin.joined(origin, fromClause.join(node, scope, Predicates.needed(where, scope)));
        }
        predicates.hold(where, scope, scope.all());
        inspection.inspect(where, scope, new Level());
        return origin;
    }

    private Origin answering(Origin origin, int firstUse) {
        if (origin instanceof Origin.Partitioned partitioned
                && partitioned.roots().size() == 1) {
            return Origin.partitioned(partitioned.roots().get(0).answeringFor(firstUse, facts.uses.size()));
        }
        return origin instanceof Origin.Partitioned
                ? new Origin.Broken("It writes rows by the result of UNION ALL.")
                : origin;
    }

    /** A key that is set must be the one that the row has, or one of the same shard. */
    private void checkKey(Body.Assignment assignment, TableSources.Leaf target, int use, Scope scope) {
        TableUse table = target.table();
        if (table.rule() == null || !assignment.columns().contains(table.rule().column())) {
            return;
        }
        String key = table.rule().column();
        Expression value = Assignments.valueOf(assignment, key);
        int variable = facts.uses.get(use).key();
        if (value instanceof Expression.Column column) {
            int other = scope.find(column.path()).variable();
            if (other == variable || facts.variables.areSame(other, variable)) {
                return;
            }
        }
        KeyRef ref = value == null ? null : KeyPlaces.value(value, facts.variables.columnClass(variable));
        if (ref == null) {
            throw RoutingErrors.keyUpdate(table.label(), key);
        }
        facts.keyChanges.add(new Facts.KeyChange(use, ref, tables.stored(table)));
    }

    /** MERGE: today into omnisharded tables only. */
    private Rows merge(Body.Merge merge, @Nullable Scope outer) {
        Scope scope = new Scope(outer);
        TableSources.Leaf target = tables.written(merge.table());
        if (target.table().kind() == TableUse.Kind.SHARDED) {
            throw RoutingErrors.notOverSeveralShards(
                    "MERGE into sharded table \"" + target.table().label() + "\"",
                    "Use INSERT ... ON CONFLICT, or UPDATE and INSERT in a transaction.");
        }
        scope.add(target.source());
        FromClause.Node node = fromClause.read(merge.source(), scope);
        Origin source = fromClause.join(node, scope, Set.of());
        inspection.inspect(merge.on(), scope, new Level());
        inspection.inspectAll(merge.conditions(), scope, new Level());
        for (Body.Assignment assignment : merge.assignments()) {
            inspection.inspect(assignment.value(), scope, new Level());
            Assignments.checkOmnisharded(assignment, target.table(), facts, inspection, false);
        }
        for (Body.Inserted inserted : merge.inserted()) {
            inspection.inspectAll(inserted.values(), scope, new Level());
            List<String> columns = inserts.columns(
                    target.table(), inserted.columns(), inserted.values().size());
            inserts.checkOmnisharded(target.table(), columns, List.of(inserted.values()), new Level());
        }
        facts.changesLookups(environment.database().marks.change(target.table()));
        Origin origin = Objects.requireNonNull(Origin.joined(target.origin(), source));
        return new Rows(origin, selects.returned(merge.returning(), scope));
    }
}
