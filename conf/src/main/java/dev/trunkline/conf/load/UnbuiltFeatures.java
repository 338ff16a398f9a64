package dev.trunkline.conf.load;

import dev.trunkline.conf.Database;
import dev.trunkline.conf.General;
import dev.trunkline.conf.LoadBalancingStrategy;
import dev.trunkline.conf.LookupSourceMode;
import dev.trunkline.conf.NullKey;
import dev.trunkline.conf.PreparedStatements;
import dev.trunkline.conf.ReadWriteSplit;
import dev.trunkline.conf.Rewrite;
import dev.trunkline.conf.Role;
import dev.trunkline.conf.ShardKeyUpdate;
import dev.trunkline.conf.TextOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The settings whose function does not exist: each may only be set to what the product does without it, because a
 * setting that is accepted and ignored is a hole. Whoever builds a function deletes its row.
 */
final class UnbuiltFeatures {

    private static final List<Row> ROWS = List.of(
            row(
                    General.class,
                    "load_balancing_strategy",
                    "several servers for one shard",
                    LoadBalancingStrategy.RANDOM),
            row(General.class, "read_write_split", "replicas", ReadWriteSplit.INCLUDE_PRIMARY),
            row(General.class, "ban_timeout", "leaving out servers that fail", Duration.ofMinutes(5)),
            row(
                    General.class,
                    "prepared_statements",
                    "refusing or ignoring prepared statements",
                    PreparedStatements.FULL),
            row(General.class, "null_key", "rows with a NULL sharding key", NullKey.ERROR),
            row(General.class, "lazy_transactions", "transactions that begin on every shard", true),
            row(General.class, "text_order", "ordering texts over several shards", TextOrder.ERROR),
            row(General.class, "expanded_explain", "EXPLAIN over several shards", false),
            row(General.class, "lookup_source", "reading lookup maps on other shards than 0", LookupSourceMode.SHARD0),
            row(Database.class, "role", "replicas", Role.PRIMARY),
            row(Rewrite.class, "shard_key", "moving rows to another shard", ShardKeyUpdate.ERROR));

    private UnbuiltFeatures() {}

    private record Row(Class<? extends Record> section, String key, String reason, Predicate<Object> isBuilt) {

        boolean forbids(Class<? extends Record> section, String key, Object value) {
            return this.section == section && this.key.equals(key) && !isBuilt.test(value);
        }
    }

    private static Row row(Class<? extends Record> section, String key, String reason, Object... built) {
        return new Row(section, key, reason, Arrays.asList(built)::contains);
    }

    /** What is missing for a key to have a value, or nothing when the value may be used. */
    static Optional<String> missingFor(Class<? extends Record> section, String key, Object value) {
        return ROWS.stream()
                .filter(row -> row.forbids(section, key, value))
                .map(Row::reason)
                .findFirst();
    }

    /** Every row as {@code Section.key}. */
    static List<String> keys() {
        return ROWS.stream()
                .map(row -> row.section().getSimpleName() + "." + row.key())
                .toList();
    }
}
