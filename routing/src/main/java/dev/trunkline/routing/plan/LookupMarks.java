package dev.trunkline.routing.plan;

import dev.trunkline.routing.catalog.Catalog;
import dev.trunkline.routing.catalog.Column;
import dev.trunkline.routing.catalog.QualifiedName;
import dev.trunkline.routing.catalog.Relation;
import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.PgType;
import dev.trunkline.routing.shard.Lookup;
import dev.trunkline.routing.shard.ShardingRules;
import dev.trunkline.routing.tree.From;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which statements may change what lookups read: for each relation a mask of the lookups behind which it stands,
 * itself, by its partitions, by views, or by what foreign keys do. Immutable.
 */
final class LookupMarks {

    private final Catalog catalog;
    private final List<Lookup> lookups;
    private final Map<QualifiedName, Long> own = new HashMap<>();
    private final Map<String, Long> byName = new HashMap<>();
    /** By lookup: what its query reads; null if nobody knows. */
    private final List<@Nullable LookupQuery> queries = new ArrayList<>();

    /** By lookup: the columns that its query reads, of whatever table; null if it may read others than it names. */
    private final List<@Nullable Set<String>> columnsOf = new ArrayList<>();

    private final long everything;
    /** Lookups whose query cannot be analysed: nobody knows what they read. */
    private long unknown;

    LookupMarks(ShardingRules rules, Catalog catalog) {
        this.catalog = catalog;
        this.lookups = rules.lookups();
        this.everything = lookups.stream().mapToLong(Lookup::bit).reduce(0, (a, b) -> a | b);
        for (Lookup lookup : lookups) {
            add(lookup);
        }
    }

    private void add(Lookup lookup) {
        LookupQuery query = LookupQuery.of(lookup.query());
        queries.add(query);
        columnsOf.add(query != null && namesTablesAlone(query) ? query.columns() : null);
        if (query == null) {
            unknown |= lookup.bit();
        }
        addNamed(lookup.schema(), lookup.table(), lookup.bit());
        for (From.Table table : query == null ? List.<From.Table>of() : query.tables()) {
            addNamed(table.schema(), table.name(), lookup.bit());
        }
    }

    /** Else columns of tables are read that the query does not name. */
    private boolean namesTablesAlone(LookupQuery query) {
        return query.tables().stream().allMatch(table -> {
            List<Relation> meant = catalog.relations().values().stream()
                    .filter(relation -> relation.name().name().equals(table.name()))
                    .toList();
            return !meant.isEmpty() && meant.stream().allMatch(LookupMarks::isTable);
        });
    }

    /** The name may mean a relation of any schema: the session that loads the map has a search path of its own. */
    private void addNamed(@Nullable String schema, String name, long bit) {
        byName.merge(name, bit, (a, b) -> a | b);
        for (Relation relation : catalog.relations().values()) {
            boolean named = relation.name().name().equals(name)
                    && (schema == null || schema.equals(relation.name().schema()));
            if (named) {
                addRead(relation, bit);
            }
        }
    }

    private void addRead(Relation relation, long bit) {
        Set<QualifiedName> read = new HashSet<>(relation.reads());
        read.add(relation.name());
        for (Relation other : catalog.relations().values()) {
            boolean partition = other.ancestors().stream().anyMatch(read::contains);
            // What is written through a view is written in what it reads.
            boolean through = other.reads().stream().anyMatch(read::contains);
            if (partition || through || read.contains(other.name())) {
                own.merge(other.name(), bit, (a, b) -> a | b);
                other.ancestors().forEach(ancestor -> own.merge(ancestor, bit, (a, b) -> a | b));
            }
        }
    }

    /** Every lookup: for statements whose writes nobody knows. */
    long everything() {
        return everything;
    }

    /** A statement that names a relation. */
    long named(String name) {
        return byName.getOrDefault(name, 0L);
    }

    /** An INSERT that changes no row. */
    long insert(TableUse table) {
        return own(table);
    }

    /**
     * Of the lookups that an INSERT marks, those of which it may do more than add entries for keys that had none: the
     * others keep what is known of them.
     */
    long changedByInsert(TableUse table) {
        long changed = insert(table);
        for (Lookup lookup : lookups) {
            LookupQuery query = queries.get(lookup.index());
            if (query != null && onlyGrows(query, lookup, table.relation())) {
                changed &= ~lookup.bit();
            }
        }
        return changed;
    }

    /**
     * Each entry is a row of this table, and no two rows can have equal keys: by an index, and because equal keys are
     * equal values of the column. A name that may be a view's as well proves nothing.
     */
    private boolean onlyGrows(LookupQuery query, Lookup lookup, @Nullable Relation written) {
        if (written == null || query.key() == null || query.tables().size() != 1) {
            return false;
        }
        From.Table table = query.tables().get(0);
        boolean plain = isPlain(written)
                && written.name().name().equals(table.name())
                && catalog.relations().values().stream()
                        .filter(other -> other.name().name().equals(table.name()))
                        .allMatch(LookupMarks::isTable);
        return plain
                && written.columns().stream()
                        .anyMatch(column -> column.name().equals(query.key())
                                && column.unique()
                                && isOfType(column, lookup.type()));
    }

    private boolean isPlain(Relation relation) {
        boolean hasChildren = relation.kind() == Relation.Kind.TABLE
                && catalog.relations().values().stream()
                        .anyMatch(other -> other.ancestors().contains(relation.name()));
        return isTable(relation)
                && !hasChildren
                && relation.ancestors().isEmpty()
                && !relation.hasTriggers()
                && !relation.rowSecurity();
    }

    private static boolean isTable(Relation relation) {
        return relation.kind() == Relation.Kind.TABLE || relation.kind() == Relation.Kind.PARTITIONED_TABLE;
    }

    private static boolean isOfType(Column column, KeyType type) {
        return switch (type) {
            case BIGINT -> PgType.isInteger(column.typeOid());
            case UUID -> column.typeOid() == PgType.UUID;
            case VARCHAR ->
                column.deterministicCollation()
                        && (column.typeOid() == PgType.TEXT || column.typeOid() == PgType.VARCHAR);
        };
    }

    /** A statement that may change or delete rows. */
    long change(TableUse table) {
        Relation relation = table.relation();
        long marks = own(table);
        if (relation != null) {
            marks |= all(relation.cascadesTo());
        }
        return marks;
    }

    /**
     * An UPDATE of these columns: lookups that read none of them do not see it. The columns of a view have names of
     * their own, and what a trigger or a generated column adds has none in the statement.
     */
    long update(TableUse table, Set<String> columns) {
        Relation relation = table.relation();
        if (relation == null || !isTable(relation) || changesMore(relation)) {
            return change(table);
        }
        long marks = all(relation.cascadesTo()) | unknown;
        for (Lookup lookup : lookups) {
            Set<String> read = columnsOf.get(lookup.index());
            boolean reads = read == null || columns.stream().anyMatch(read::contains);
            if (reads) {
                marks |= own(table) & lookup.bit();
            }
        }
        return marks;
    }

    /** TRUNCATE. */
    long truncate(TableUse table, boolean cascade) {
        Relation relation = table.relation();
        long marks = change(table);
        return relation != null && cascade ? marks | all(relation.referencedBy()) : marks;
    }

    /** The rows of a partition or child are updated as well, with its own triggers and generated columns. */
    private boolean changesMore(Relation updated) {
        return catalog.relations().values().stream()
                .filter(relation -> relation == updated || relation.ancestors().contains(updated.name()))
                .anyMatch(relation -> relation.hasTriggers() || hasGenerated(relation));
    }

    private static boolean hasGenerated(Relation relation) {
        return relation.columns().stream().anyMatch(Column::generated);
    }

    private long own(TableUse table) {
        Relation relation = table.relation();
        long marks = relation == null ? byName.getOrDefault(table.name(), 0L) : own.getOrDefault(relation.name(), 0L);
        return marks | unknown;
    }

    private long all(List<QualifiedName> names) {
        long marks = 0;
        for (QualifiedName name : names) {
            marks |= own.getOrDefault(name, 0L);
        }
        return marks;
    }
}
