package dev.trunkline.routing.shard;

import dev.trunkline.conf.Configuration;
import dev.trunkline.conf.CopyBinaryLookup;
import dev.trunkline.conf.LookupResult;
import dev.trunkline.conf.NullKey;
import dev.trunkline.conf.OmnishardedTables;
import dev.trunkline.conf.ShardKeyUpdate;
import dev.trunkline.conf.ShardedTable;
import dev.trunkline.conf.SplitInserts;
import dev.trunkline.conf.UnlistedTables;
import dev.trunkline.routing.key.KeyType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the tables of one database are sharded; immutable.
 *
 * @param shardCount at least 1
 * @param named the rules that name a table
 * @param nameless the rules for every table that has their column
 * @param omnisharded names of omnisharded tables; they match in every schema and win over sharding rules
 * @param sticky those of them that one client reads on one shard
 * @param lookups the lookups of the rules, by index
 * @param unlistedTables what a table in neither list is
 * @param nullKey what happens to a row with a NULL key
 * @param splitInserts what happens to an INSERT whose rows belong to several shards
 * @param shardKeyUpdate what happens to an UPDATE of the key
 * @param crossShardDisabled statements over several shards are refused
 * @param copy how COPY into sharded tables behaves
 */
public record ShardingRules(
        int shardCount,
        List<ShardingRule> named,
        List<ShardingRule> nameless,
        Set<String> omnisharded,
        Set<String> sticky,
        List<Lookup> lookups,
        UnlistedTables unlistedTables,
        NullKey nullKey,
        SplitInserts splitInserts,
        ShardKeyUpdate shardKeyUpdate,
        boolean crossShardDisabled,
        CopySettings copy) {

    /** The rules that a configuration sets for a database. */
    public static ShardingRules of(Configuration configuration, String database) {
        int shardCount = Math.max(1, configuration.shardCount(database));
        Lookups lookups = new Lookups();
        List<ShardingRule> rules = configuration.shardedTables(database).stream()
                .map(table -> rule(table, lookups.of(table), shardCount))
                .toList();
        List<OmnishardedTables> omnisharded = configuration.omnishardedTables(database);
        return new ShardingRules(
                shardCount,
                rules.stream().filter(rule -> rule.table() != null).toList(),
                rules.stream().filter(rule -> rule.table() == null).toList(),
                names(omnisharded),
                names(omnisharded.stream().filter(OmnishardedTables::sticky).toList()),
                lookups.all(),
                configuration.general().unlistedTables(),
                configuration.general().nullKey(),
                configuration.rewrite().splitInserts(),
                configuration.rewrite().shardKey(),
                configuration.general().crossShardDisabled(),
                new CopySettings(
                        configuration.general().copyBinaryLookup() == CopyBinaryLookup.TRANSLATE,
                        configuration.general().maxMessageSize()));
    }

    private static Set<String> names(List<OmnishardedTables> entries) {
        Set<String> names = new HashSet<>();
        entries.forEach(entry -> names.addAll(entry.tables()));
        return Set.copyOf(names);
    }

    private static ShardingRule rule(ShardedTable table, @Nullable Lookup lookup, int shardCount) {
        KeyType type = type(table);
        ShardingFunction function = table.mapping().isEmpty()
                ? ShardingFunctions.hash(shardCount)
                : ShardingFunctions.mapping(type, table.mapping());
        return new ShardingRule(
                table.schema(),
                table.name(),
                table.column(),
                type,
                lookup,
                table.lookupResult() == LookupResult.SHARD,
                function,
                shardCount);
    }

    private static KeyType type(ShardedTable table) {
        return switch (table.dataType()) {
            case BIGINT -> KeyType.BIGINT;
            case VARCHAR -> KeyType.VARCHAR;
            case UUID -> KeyType.UUID;
        };
    }

    /** Numbers the lookups: equal ones get one number. */
    private static final class Lookups {

        private record Source(String table, String query, KeyType type, boolean namesShard) {}

        private final Map<Source, Lookup> bySource = new LinkedHashMap<>();

        @Nullable
        Lookup of(ShardedTable rule) {
            String table = rule.lookup();
            if (table == null) {
                return null;
            }
            boolean namesShard = rule.lookupResult() == LookupResult.SHARD;
            Source source = new Source(table, Objects.requireNonNull(rule.query()), type(rule), namesShard);
            return bySource.computeIfAbsent(source, key -> lookup(key, rule));
        }

        private Lookup lookup(Source source, ShardedTable rule) {
            String name = rule.name();
            return new Lookup(
                    bySource.size(),
                    null,
                    source.table(),
                    source.query(),
                    source.type(),
                    rule.column(),
                    name == null ? "*" : name,
                    source.namesShard());
        }

        List<Lookup> all() {
            return new ArrayList<>(bySource.values());
        }
    }
}
