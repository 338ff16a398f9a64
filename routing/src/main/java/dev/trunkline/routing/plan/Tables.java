package dev.trunkline.routing.plan;

import dev.trunkline.conf.UnlistedTables;
import dev.trunkline.routing.catalog.Catalog;
import dev.trunkline.routing.catalog.Column;
import dev.trunkline.routing.catalog.QualifiedName;
import dev.trunkline.routing.catalog.Relation;
import dev.trunkline.routing.key.KeyColumn;
import dev.trunkline.routing.shard.ShardingRule;
import dev.trunkline.routing.shard.ShardingRules;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What each relation of a database is to routing, by the rules and the catalog. Immutable. */
final class Tables {

    private static final Set<String> SYSTEM_SCHEMAS = Set.of("pg_catalog", "information_schema", "pg_toast");
    private static final String TEMPORARY_SCHEMA = "pg_temp";
    private static final String SYSTEM_PREFIX = "pg_";

    private final ShardingRules rules;
    private final Catalog catalog;
    private final Map<QualifiedName, TableUse> uses = new HashMap<>();
    private final Set<String> hiding = new HashSet<>();

    Tables(ShardingRules rules, Catalog catalog) {
        this.rules = rules;
        this.catalog = catalog;
        catalog.relations().values().forEach(relation -> uses.put(relation.name(), use(relation)));
        uses.values().stream().filter(use -> !use.isOmnisharded()).forEach(use -> hiding.add(use.name()));
        rules.named().forEach(rule -> hiding.add(Objects.requireNonNull(rule.table())));
    }

    /**
     * The relation that a name means.
     *
     * @param schema null when the name is not qualified
     */
    TableUse resolve(@Nullable String schema, String name, List<String> searchPath, Set<String> temporaryTables) {
        if (schema != null) {
            return qualified(schema, name);
        }
        if (temporaryTables.contains(name)) {
            return TableUse.of(TEMPORARY_SCHEMA, name, TableUse.Kind.TEMPORARY);
        }
        Relation relation = catalog.resolve(name, searchPath);
        if (relation != null) {
            return use(relation.name());
        }
        if (name.startsWith(SYSTEM_PREFIX) || searchPath.contains("information_schema")) {
            return TableUse.of("pg_catalog", name, TableUse.Kind.SYSTEM);
        }
        return unknown("", name);
    }

    /** Whether some relation of this name, in whatever schema, has rows that are not on every shard. */
    boolean mayHideRows(String name) {
        return hiding.contains(name);
    }

    /** What a relation of the catalog is. */
    TableUse use(QualifiedName name) {
        TableUse use = uses.get(name);
        return use == null ? unknown(name.schema(), name.name()) : use;
    }

    private TableUse qualified(String schema, String name) {
        if (SYSTEM_SCHEMAS.contains(schema)) {
            return TableUse.of(schema, name, TableUse.Kind.SYSTEM);
        }
        if (schema.startsWith(TEMPORARY_SCHEMA)) {
            return TableUse.of(schema, name, TableUse.Kind.TEMPORARY);
        }
        return use(new QualifiedName(schema, name));
    }

    /** A relation that the catalog does not know may have been created since: rules that name it hold. */
    private TableUse unknown(String schema, String name) {
        if (rules.omnisharded().contains(name)) {
            return TableUse.of(schema, name, omnisharded(name));
        }
        ShardingRule rule = rules.named().stream()
                .filter(named -> name.equals(named.table()))
                .filter(named -> schema.isEmpty() || named.schema() == null || schema.equals(named.schema()))
                .findFirst()
                .orElse(null);
        return rule == null
                ? TableUse.of(schema, name, TableUse.Kind.UNKNOWN)
                : new TableUse(schema, name, TableUse.Kind.SHARDED, null, rule, null, null);
    }

    private TableUse use(Relation relation) {
        TableUse explicit = explicit(relation.name(), relation);
        if (explicit != null) {
            return explicit;
        }
        for (QualifiedName ancestor : relation.ancestors()) {
            TableUse inherited = explicit(ancestor, relation);
            if (inherited != null) {
                return inherited;
            }
        }
        return switch (relation.kind()) {
            case TABLE, PARTITIONED_TABLE, FOREIGN_TABLE -> nameless(relation);
            case VIEW -> of(relation, TableUse.Kind.VIEW);
            case MATERIALIZED_VIEW -> of(relation, TableUse.Kind.VIEW);
            case SEQUENCE -> of(relation, TableUse.Kind.UNLISTED);
        };
    }

    private @Nullable TableUse explicit(QualifiedName name, Relation relation) {
        if (rules.omnisharded().contains(name.name())) {
            return of(relation, omnisharded(name.name()));
        }
        for (ShardingRule rule : rules.named()) {
            boolean schema = rule.schema() == null || rule.schema().equals(name.schema());
            if (schema && name.name().equals(rule.table())) {
                return sharded(relation, rule);
            }
        }
        return null;
    }

    private TableUse.Kind omnisharded(String name) {
        return rules.sticky().contains(name) ? TableUse.Kind.STICKY : TableUse.Kind.OMNISHARDED;
    }

    private TableUse nameless(Relation relation) {
        for (ShardingRule rule : rules.nameless()) {
            boolean schema = rule.schema() == null
                    || rule.schema().equals(relation.name().schema());
            if (schema && column(relation, rule.column()) != null) {
                return sharded(relation, rule);
            }
        }
        return unlisted(relation);
    }

    private TableUse unlisted(Relation relation) {
        UnlistedTables.Mode mode = rules.unlistedTables().mode();
        return switch (mode) {
            case ERROR -> of(relation, TableUse.Kind.UNLISTED);
            case OMNI -> of(relation, TableUse.Kind.OMNISHARDED);
            case SHARD -> of(relation, TableUse.Kind.SINGLE);
        };
    }

    private static TableUse of(Relation relation, TableUse.Kind kind) {
        return new TableUse(relation.name().schema(), relation.name().name(), kind, relation, null, null, null);
    }

    private static TableUse sharded(Relation relation, ShardingRule rule) {
        Column key = column(relation, rule.column());
        return new TableUse(
                relation.name().schema(),
                relation.name().name(),
                TableUse.Kind.SHARDED,
                relation,
                rule,
                key,
                fault(rule, key));
    }

    /** A rule that does not fit the real column would hash something else than what is stored. */
    private static @Nullable String fault(ShardingRule rule, @Nullable Column key) {
        if (key == null) {
            return "The table has no column \"" + rule.column() + "\", which its sharding rule names.";
        }
        if (!KeyColumn.isFamily(rule.type(), key.typeOid())) {
            return "The type of column \"" + key.name() + "\" is not of the data type that its sharding rule names.";
        }
        if (!key.deterministicCollation()) {
            return "Column \"" + key.name() + "\" has a nondeterministic collation: equal keys may hash differently.";
        }
        return null;
    }

    static @Nullable Column column(Relation relation, String name) {
        for (Column column : relation.columns()) {
            if (column.name().equals(name)) {
                return column;
            }
        }
        return null;
    }
}
