package dev.trunkline.routing.shard;

import dev.trunkline.conf.NullKey;
import dev.trunkline.routing.key.KeyDecoder;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The table that a COPY FROM fills, and what decides which shards its rows belong to; immutable.
 *
 * @param schema its schema; empty when nobody knows it
 * @param columns those that the stream has fields for, in their order
 * @param keyField which of them is the sharding key, from 0; -1 for an omnisharded table
 * @param rule that of a sharded table; null for an omnisharded one, of which every shard gets every row
 * @param decoder of keys as they are stored; null for an omnisharded table
 * @param nullKey what happens to a row with a NULL key
 * @param dateTimeFields the fields of an omnisharded table that are dates or times: words such as {@code now} mean
 *     something else on each shard
 * @param serverVersion as server_version_num; 0 when nobody knows it
 * @param settings those of the database
 */
public record CopyTarget(
        String schema,
        String table,
        List<String> columns,
        int keyField,
        @Nullable ShardingRule rule,
        @Nullable KeyDecoder decoder,
        NullKey nullKey,
        List<Integer> dateTimeFields,
        int serverVersion,
        CopySettings settings) {

    /** True when the whole stream goes to every shard. */
    public boolean isOmnisharded() {
        return rule == null;
    }

    /** The rule of a sharded table. */
    public ShardingRule shardingRule() {
        return Objects.requireNonNull(rule);
    }

    /** The decoder of a sharded table's keys. */
    public KeyDecoder keyDecoder() {
        return Objects.requireNonNull(decoder);
    }

    /** The name for messages. */
    public String label() {
        return schema.isEmpty() ? table : schema + "." + table;
    }
}
