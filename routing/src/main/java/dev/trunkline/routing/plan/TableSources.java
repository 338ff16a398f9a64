package dev.trunkline.routing.plan;

import dev.trunkline.routing.catalog.Column;
import dev.trunkline.routing.catalog.QualifiedName;
import dev.trunkline.routing.catalog.Relation;
import dev.trunkline.routing.key.KeyColumn;
import dev.trunkline.routing.key.KeyDecoder;
import dev.trunkline.routing.shard.ShardingRule;
import dev.trunkline.routing.tree.From;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes sources of tables and views. */
final class TableSources {

    private static final int NO_TYPMOD = -1;

    private final Environment environment;
    private final Facts facts;

    TableSources(Environment environment, Facts facts) {
        this.environment = environment;
        this.facts = facts;
    }

    /** A table in a statement: its names, where its rows come from, what it is. */
    record Leaf(Source source, Origin origin, TableUse table) {}

    /** A table that is read. */
    Leaf read(From.Table from) {
        TableUse table = resolve(from);
        facts.readsTable = true;
        facts.stickyTable |= table.kind() == TableUse.Kind.STICKY;
        if (table.kind() == TableUse.Kind.VIEW) {
            readView(table);
        }
        return leaf(from, table);
    }

    /** A table that is written. */
    Leaf written(From.Table from) {
        TableUse table = resolve(from);
        switch (table.kind()) {
            case VIEW -> throw RoutingErrors.viewWrite(table.label());
            case UNLISTED -> throw RoutingErrors.unlistedWrite(table.label());
            case UNKNOWN -> throw RoutingErrors.noRelation(table.label());
            case SHARDED -> facts.shardedWrite = true;
            case OMNISHARDED, STICKY -> facts.omnishardedWrites.add(table);
            case SINGLE, SYSTEM, TEMPORARY -> facts.readsTable = true;
        }
        return leaf(from, table);
    }

    private TableUse resolve(From.Table from) {
        TableUse table = environment.resolve(from.schema(), from.name());
        boolean unknown = table.relation() == null
                && table.kind() != TableUse.Kind.SYSTEM
                && table.kind() != TableUse.Kind.TEMPORARY;
        facts.unknownRelation |= unknown;
        facts.systemTable |= table.kind() == TableUse.Kind.SYSTEM;
        facts.temporaryTable |= table.kind() == TableUse.Kind.TEMPORARY;
        if (table.fault() != null) {
            throw RoutingErrors.unusableRule(table.label(), table.fault());
        }
        return table;
    }

    private Leaf leaf(From.Table from, TableUse table) {
        return switch (table.kind()) {
            case SHARDED -> sharded(from, table);
            case SINGLE ->
                single(
                        from,
                        table,
                        environment.database().rules.unlistedTables().shard());
            case UNLISTED, UNKNOWN -> single(from, table, 0);
            case OMNISHARDED, STICKY, VIEW, SYSTEM, TEMPORARY ->
                new Leaf(source(from, table, Variables.NONE), Origin.Replicated.INSTANCE, table);
        };
    }

    private Leaf single(From.Table from, TableUse table, int shard) {
        facts.singleShards.set(shard);
        Origin origin = new Origin.Broken("Table \"" + table.label() + "\" is on one shard only.");
        return new Leaf(source(from, table, Variables.NONE), origin, table);
    }

    private Leaf sharded(From.Table from, TableUse table) {
        ShardingRule rule = table.shardingRule();
        Column column = table.key();
        int key = column == null
                ? facts.variables.add(ColumnClass.of(rule.type()), NO_TYPMOD)
                : facts.variables.add(ColumnClass.of(column.typeOid()), column.typmod());
        Source source = source(from, table, key);
        int use = facts.uses.size();
        KeyTarget target =
                new KeyTarget(table.label(), rule.column(), rule, KeyDecoder.compared(keyColumn(table)), false);
        facts.uses.add(new ShardedUse(target, key, source));
        return new Leaf(source, Origin.partitioned(new Origin.Root(key, rule, use, use + 1)), table);
    }

    /** The key as values of INSERT and UPDATE are stored in it. */
    KeyTarget stored(TableUse table) {
        ShardingRule rule = table.shardingRule();
        return new KeyTarget(table.label(), rule.column(), rule, KeyDecoder.stored(keyColumn(table)), true);
    }

    private KeyColumn keyColumn(TableUse table) {
        Column column = table.key();
        boolean prefixes = environment.database().integerPrefixes;
        ShardingRule rule = table.shardingRule();
        return column == null
                ? new KeyColumn(rule.type(), 0, NO_TYPMOD, prefixes)
                : new KeyColumn(rule.type(), column.typeOid(), column.typmod(), prefixes);
    }

    private Source source(From.Table from, TableUse table, int key) {
        Relation relation = table.relation();
        boolean aliased = from.alias() != null;
        String schema = aliased ? null : table.schema();
        String keyName = table.rule() == null ? null : table.rule().column();
        if (relation == null) {
            return new Source(from.visibleName(), schema, null, name -> name.equals(keyName) ? key : Variables.NONE);
        }
        List<String> names = visibleNames(relation, from.columns());
        return new Source(
                from.visibleName(), schema, names, name -> variable(relation, names.indexOf(name), keyName, key));
    }

    private static List<String> visibleNames(Relation relation, List<String> aliases) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < relation.columns().size(); i++) {
            names.add(
                    i < aliases.size()
                            ? aliases.get(i)
                            : relation.columns().get(i).name());
        }
        return names;
    }

    private int variable(Relation relation, int position, @Nullable String keyName, int key) {
        Column column = relation.columns().get(position);
        return column.name().equals(keyName)
                ? key
                : facts.variables.add(ColumnClass.of(column.typeOid()), column.typmod());
    }

    /** What a view computes is not known, only what it reads. */
    private void readView(TableUse view) {
        Relation relation = java.util.Objects.requireNonNull(view.relation());
        for (QualifiedName function : relation.calls()) {
            FunctionUse use = environment.database().functions.use(function);
            if (use == FunctionUse.OPAQUE || use == FunctionUse.UNKNOWN) {
                throw RoutingErrors.opaqueFunction(function.name());
            }
        }
        facts.differsBecause("It reads view \"" + view.label() + "\".");
        facts.systemTable |= relation.reads().isEmpty();
        for (QualifiedName name : relation.reads()) {
            readThroughView(view, environment.database().tables.use(name));
        }
    }

    private void readThroughView(TableUse view, TableUse table) {
        switch (table.kind()) {
            case SHARDED -> throw RoutingErrors.viewOverSharded(view.label());
            case SINGLE ->
                facts.singleShards.set(
                        environment.database().rules.unlistedTables().shard());
            case UNLISTED, UNKNOWN -> facts.singleShards.set(0);
            case STICKY -> facts.stickyTable = true;
            case OMNISHARDED, VIEW, SYSTEM, TEMPORARY -> facts.readsTable = true;
        }
    }
}
