package dev.trunkline.routing.plan;

import dev.trunkline.routing.catalog.Column;
import dev.trunkline.routing.tree.Body;
import dev.trunkline.routing.tree.Expression;
import dev.trunkline.routing.tree.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Interprets INSERT. */
final class Inserts {

    private static final String EXCLUDED = "excluded";

    private final Environment environment;
    private final Facts facts;
    private final TableSources tables;
    private final Inspection inspection;
    private final Selects selects;
    private final Queries queries;

    Inserts(
            Environment environment,
            Facts facts,
            TableSources tables,
            Inspection inspection,
            Selects selects,
            Queries queries) {
        this.environment = environment;
        this.facts = facts;
        this.tables = tables;
        this.inspection = inspection;
        this.selects = selects;
        this.queries = queries;
    }

    Rows insert(Body.Insert insert, @Nullable Scope outer, boolean top) {
        int firstUse = facts.uses.size();
        Scope scope = new Scope(outer);
        TableSources.Leaf target = tables.written(insert.table());
        scope.add(target.source());
        TableUse table = target.table();
        if (top && table.relation() != null) {
            facts.target = new Once.Target(table.relation().columns(), insert.columns());
        }
        Origin origin = source(insert, table, firstUse, outer, top);
        conflict(insert.conflict(), table, firstUse, scope, top);
        boolean changes = insert.conflict() != null && insert.conflict().update();
        if (changes) {
            facts.changesLookups(environment.database().marks.change(table));
        } else {
            facts.lookupWrites |= environment.database().marks.insert(table);
            facts.lookupChanges |= environment.database().marks.changedByInsert(table);
        }
        List<Output> returned = selects.returned(insert.returning(), scope);
        return new Rows(answering(origin, firstUse), returned);
    }

    private Origin answering(Origin origin, int firstUse) {
        if (!(origin instanceof Origin.Partitioned partitioned)) {
            return origin;
        }
        return partitioned.roots().size() == 1
                ? Origin.partitioned(partitioned.roots().get(0).answeringFor(firstUse, facts.uses.size()))
                : new Origin.Broken("It inserts the result of UNION ALL.");
    }

    private Origin source(Body.Insert insert, TableUse table, int use, @Nullable Scope outer, boolean top) {
        Query source = insert.source();
        if (source == null) {
            return defaults(table, top);
        }
        if (source.body() instanceof Body.Values values && source.with().isEmpty()) {
            return values(insert, values, table, use, outer, top);
        }
        Rows rows = queries.query(source, outer, false);
        int width = rows.outputs() == null ? -1 : rows.outputs().size();
        List<String> columns = columns(table, insert.columns(), width);
        implied(insert, columns, table, top);
        if (table.kind() == TableUse.Kind.SHARDED) {
            selected(source.body(), rows, columns, table, use);
        }
        checkOmnisharded(table, columns, List.of(), new Level());
        return rows.origin();
    }

    /** DEFAULT VALUES. */
    private Origin defaults(TableUse table, boolean top) {
        if (table.rule() != null) {
            throw RoutingErrors.missingKey(table.label(), table.rule().column());
        }
        checkOmnisharded(table, List.of(), List.of(), new Level(-1, 0, top));
        return Origin.Replicated.INSTANCE;
    }

    private Origin values(
            Body.Insert insert, Body.Values values, TableUse table, int use, @Nullable Scope outer, boolean top) {
        Scope scope = new Scope(outer);
        Level level = new Level(values.list(), stride(values), top);
        values.rows().forEach(row -> inspection.inspectAll(row, scope, level));
        int width = values.rows().get(0).size();
        List<String> columns = columns(table, insert.columns(), width);
        implied(insert, columns, table, top);
        facts.target = facts.target.filling(columns);
        checkOmnisharded(table, columns, values.rows(), level);
        if (table.rule() == null) {
            return Origin.Replicated.INSTANCE;
        }
        KeySet keys = keys(values, columns, table, use);
        ShardedUse inserted = facts.uses.get(use);
        facts.uses.set(use, new ShardedUse(tables.stored(table), inserted.key(), inserted.source()));
        facts.variables.bound(inserted.key(), keys);
        return new Origin.Broken("It inserts rows of several shards.");
    }

    private KeySet keys(Body.Values values, List<String> columns, TableUse table, int use) {
        int position = keyPosition(columns, table);
        ColumnClass columnClass =
                facts.variables.columnClass(facts.uses.get(use).key());
        List<KeyRef> refs = new ArrayList<>();
        for (List<Expression> row : values.rows()) {
            refs.add(key(position < row.size() ? row.get(position) : Expression.Fixed.DEFAULT, table, columnClass));
        }
        return new KeySet.Rows(refs, values.list(), stride(values));
    }

    private int stride(Body.Values values) {
        return values.list() < 0 ? 0 : environment.parameterStride().applyAsInt(values.list());
    }

    private static KeyRef key(Expression value, TableUse table, ColumnClass columnClass) {
        String column = table.shardingRule().column();
        if (value == Expression.Fixed.DEFAULT) {
            throw RoutingErrors.missingKey(table.label(), column);
        }
        KeyRef ref = KeyPlaces.value(value, columnClass);
        if (ref == null) {
            throw RoutingErrors.computedKey(table.label(), column);
        }
        return ref;
    }

    /** Where the key stands among the columns. */
    private int keyPosition(List<String> columns, TableUse table) {
        String key = table.shardingRule().column();
        int position = columns.indexOf(key);
        Column column = table.key();
        boolean ignored =
                column != null && (column.generated() || (environment.overridesUserValue() && column.hasDefault()));
        if (position < 0 || ignored) {
            throw RoutingErrors.missingKey(table.label(), key);
        }
        return position;
    }

    /** INSERT … SELECT: the key is a constant, or a column that bounds it and lies on the same shard. */
    private void selected(Body source, Rows rows, List<String> columns, TableUse table, int use) {
        int position = keyPosition(columns, table);
        ShardedUse target = facts.uses.get(use);
        String key = table.shardingRule().column();
        KeyRef ref = source instanceof Body.Select select
                ? constant(select, position, facts.variables.columnClass(target.key()))
                : null;
        if (ref != null) {
            facts.uses.set(use, new ShardedUse(tables.stored(table), target.key(), target.source()));
            facts.variables.bound(target.key(), new KeySet.Rows(List.of(ref), -1, 0));
            return;
        }
        List<Output> outputs = rows.outputs();
        int variable = outputs == null || position >= outputs.size()
                ? Variables.NONE
                : outputs.get(position).variable();
        boolean fits = variable != Variables.NONE
                && facts.variables.columnClass(variable) == facts.variables.columnClass(target.key())
                && fitsLength(variable, target.key());
        if (!fits) {
            throw RoutingErrors.computedKey(table.label(), key);
        }
        facts.variables.flow(variable, target.key());
    }

    /** A shorter column would cut trailing blanks off, and another key be stored than was read. */
    private boolean fitsLength(int from, int to) {
        int typmod = facts.variables.typmod(to);
        return typmod < 0 || typmod == facts.variables.typmod(from);
    }

    private static @Nullable KeyRef constant(Body.Select select, int position, ColumnClass columnClass) {
        boolean stars = select.items().stream()
                .limit(position + 1L)
                .anyMatch(item -> item.expression() instanceof Expression.Star);
        return stars || position >= select.items().size()
                ? null
                : KeyPlaces.value(select.items().get(position).expression(), columnClass);
    }

    /**
     * The columns that get values: those listed, or as many of the table's as there are values.
     *
     * @param width how many values there are; -1 = nobody knows
     */
    List<String> columns(TableUse table, List<String> listed, int width) {
        if (!listed.isEmpty()) {
            return listed;
        }
        if (table.relation() == null || width < 0) {
            if (table.kind() != TableUse.Kind.SHARDED && !table.isOmnisharded()) {
                return List.of();
            }
            throw RoutingErrors.notAnalysed("The columns of its INSERT are not known: give a column list.");
        }
        return table.relation().columns().stream()
                .map(Column::name)
                .limit(width)
                .toList();
    }

    /** The columns as a list to be sent: the table may have others by now than the catalog says. */
    private void implied(Body.Insert insert, List<String> columns, TableUse table, boolean top) {
        if (!insert.columns().isEmpty() || table.relation() == null) {
            return;
        }
        if (top) {
            facts.impliedColumns = columns;
        } else if (table.kind() == TableUse.Kind.SHARDED) {
            throw RoutingErrors.notAnalysed("An INSERT within WITH has no column list.");
        }
    }

    /**
     * Whether what is inserted into an omnisharded table would be the same on every shard.
     *
     * @param rows the values, if they are listed
     */
    void checkOmnisharded(TableUse table, List<String> columns, List<List<Expression>> rows, Level level) {
        if (!table.isOmnisharded() || table.relation() == null) {
            return;
        }
        for (Column column : table.relation().columns()) {
            int position = columns.indexOf(column.name());
            if (position < 0) {
                checkDefault(column, level.once);
            } else {
                rows.stream()
                        .filter(row -> position < row.size())
                        .forEach(row -> checkValue(column, row.get(position), level));
            }
        }
        if (environment.overridesUserValue()) {
            facts.differsBecause("Identity columns are computed on each shard.");
        }
    }

    private void checkDefault(Column column, boolean once) {
        if (!column.volatileDefault()) {
            return;
        }
        String reason = "The default of column \"" + column.name() + "\" is computed on each shard.";
        if (once && column.volatileExpression() != null) {
            facts.computedBecause(reason);
        } else {
            facts.differsBecause(reason);
        }
    }

    private void checkValue(Column column, Expression value, Level level) {
        if (value == Expression.Fixed.DEFAULT) {
            checkDefault(column, level.once);
        }
        if (value instanceof Expression.Constant && column.volatileDefault()) {
            facts.defaultsOnce &= level.once && column.volatileExpression() != null;
            facts.mustBeGiven.add(Objects.requireNonNull(KeyPlaces.value(value, ColumnClass.TEXT)));
        }
        if (Inspection.isDateTime(column.typeOid())) {
            inspection.addFixed(value, level);
        }
    }

    private void conflict(Body.@Nullable Conflict conflict, TableUse table, int use, Scope scope, boolean top) {
        if (conflict == null) {
            return;
        }
        scope.add(Source.unknown(EXCLUDED));
        inspection.inspectAll(conflict.expressions(), scope, new Level());
        for (Body.Assignment assignment : conflict.assignments()) {
            inspection.inspect(assignment.value(), scope, new Level());
            Assignments.checkOmnisharded(assignment, table, facts, inspection, top);
            if (table.rule() != null
                    && assignment.columns().contains(table.rule().column())) {
                checkKey(assignment, table, use);
            }
        }
    }

    /** The row in the way keeps its key, or gets one of the same shard. */
    private void checkKey(Body.Assignment assignment, TableUse table, int use) {
        String key = table.shardingRule().column();
        Expression value = Assignments.valueOf(assignment, key);
        if (value instanceof Expression.Column column && column.path().equals(List.of(EXCLUDED, key))) {
            return;
        }
        KeyRef ref = value == null
                ? null
                : KeyPlaces.value(
                        value, facts.variables.columnClass(facts.uses.get(use).key()));
        if (ref == null) {
            throw RoutingErrors.keyUpdate(table.label(), key);
        }
        facts.keyChanges.add(new Facts.KeyChange(use, ref, tables.stored(table)));
    }
}
