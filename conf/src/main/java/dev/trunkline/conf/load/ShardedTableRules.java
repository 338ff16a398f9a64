package dev.trunkline.conf.load;

import dev.trunkline.conf.LookupResult;
import dev.trunkline.conf.ShardedTable;
import dev.trunkline.conf.load.Draft.Placed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rules of sharded tables and their lookups. */
final class ShardedTableRules {

    private ShardedTableRules() {}

    private static List<Placed<ShardedTable>> tables(Draft draft) {
        return Draft.sound(draft.shardedTables());
    }

    static void knownDatabase(Draft draft, Faults faults) {
        for (Placed<ShardedTable> table : tables(draft)) {
            Names.requireDatabase(draft, table.place(), table.record().database(), faults);
        }
    }

    private record Subject(
            String database,
            @Nullable String schema,
            @Nullable String name,
            String column) {

        static Subject of(ShardedTable table) {
            return new Subject(table.database(), table.schema(), table.name(), table.column());
        }
    }

    static void eachOnce(Draft draft, Faults faults) {
        Map<Subject, String> seen = new HashMap<>();
        for (Placed<ShardedTable> table : tables(draft)) {
            String first = seen.putIfAbsent(Subject.of(table.record()), table.place());
            if (first != null) {
                faults.add(table.place(), "the same database, schema, name and column as " + first);
            }
        }
    }

    /** A row has one home: a table that is named for two columns would have two. */
    static void oneKeyPerTable(Draft draft, Faults faults) {
        record Table(String database, @Nullable String schema, String name) {}
        Map<Table, Placed<ShardedTable>> seen = new HashMap<>();
        for (Placed<ShardedTable> table : tables(draft)) {
            ShardedTable rule = table.record();
            if (rule.name() == null) {
                continue;
            }
            Placed<ShardedTable> first =
                    seen.putIfAbsent(new Table(rule.database(), rule.schema(), rule.name()), table);
            if (first != null && !first.record().column().equals(rule.column())) {
                faults.add(
                        table.place(),
                        "table \"" + rule.name() + "\" already has the sharding key \""
                                + first.record().column() + "\" (" + first.place() + ")");
            }
        }
    }

    static void lookupAndQueryTogether(Draft draft, Faults faults) {
        for (Placed<ShardedTable> table : tables(draft)) {
            if ((table.record().lookup() == null) != (table.record().query() == null)) {
                faults.add(table.place(), "\"lookup\" and \"query\" must be set together");
            }
        }
    }

    /** The map is read on one shard: every shard must hold the same rows. */
    static void lookupIsOmnisharded(Draft draft, Faults faults) {
        for (Placed<ShardedTable> table : tables(draft)) {
            String lookup = table.record().lookup();
            String database = table.record().database();
            if (lookup != null && !isOmnisharded(draft, database, lookup)) {
                faults.add(
                        table.place("lookup"),
                        "table \"" + lookup + "\" must be listed in omnisharded_tables of database \"" + database
                                + "\"");
            }
        }
    }

    /** Read from the plain values: an entry with a fault in another key still lists its tables. */
    private static boolean isOmnisharded(Draft draft, String database, String table) {
        return draft.omnishardedTables().stream()
                .map(Section::values)
                .filter(values -> database.equals(values.get("database")))
                .anyMatch(values -> values.get("tables") instanceof List<?> names && names.contains(table));
    }

    static void queryIsOneSelect(Draft draft, Faults faults) {
        for (Placed<ShardedTable> table : tables(draft)) {
            String query = table.record().query();
            if (query != null) {
                LookupQuery.of(query).fault().ifPresent(problem -> faults.add(table.place("query"), problem));
            }
        }
    }

    static void resultNeedsLookup(Draft draft, Faults faults) {
        for (Placed<ShardedTable> table : tables(draft)) {
            ShardedTable rule = table.record();
            if (rule.lookupResult() == LookupResult.SHARD && rule.lookup() == null) {
                faults.add(table.place("lookup_result"), "\"shard\" needs \"lookup\" and \"query\"");
            }
            if (rule.lookupResult() == LookupResult.SHARD && !rule.mapping().isEmpty()) {
                faults.add(table.place("lookup_result"), "\"shard\" leaves nothing for \"mapping\" to decide");
            }
        }
    }
}
