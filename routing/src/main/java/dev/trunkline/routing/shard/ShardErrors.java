package dev.trunkline.routing.shard;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.SqlState;

/** Faults on the way from a key to a shard. */
final class ShardErrors {

    private ShardErrors() {}

    /** 22023: a lookup that yields shard numbers names one that does not exist; a remainder would hide it. */
    static PgException noSuchShard(String number, int shardCount) {
        return new PgException(
                        SqlState.INVALID_PARAMETER_VALUE, "sharding key lookup names a shard that does not exist")
                .withDetail("The lookup query yields \"" + number + "\", the database has " + shardCount + " shards.")
                .withHint("Correct the row of the lookup table.");
    }
}
