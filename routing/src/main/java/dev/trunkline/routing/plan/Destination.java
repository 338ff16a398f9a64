package dev.trunkline.routing.plan;

import dev.trunkline.routing.key.ShardingKey;
import java.util.BitSet;
import java.util.List;

/** Where one statement runs, when its values are known. */
public sealed interface Destination {

    /** Any one shard: no row anywhere is of interest. */
    enum Fixed implements Destination {
        ANY
    }

    /** One shard. */
    record One(int shard) implements Destination {}

    /** These shards, at least two; their rows are to be joined. */
    record Several(BitSet shards) implements Destination {}

    /**
     * The rows of an INSERT belong to these shards, at least two.
     *
     * @param table the table, for messages
     * @param rowShards the shard of each row of the VALUES list
     */
    record Rows(String table, List<Integer> rowShards) implements Destination {}

    /**
     * Keys must be translated first.
     *
     * @param keys every key of the statement for this lookup, each once
     */
    record Missing(int lookup, List<ShardingKey> keys) implements Destination {}
}
