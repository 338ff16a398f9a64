package dev.trunkline.routing.shard;

import dev.trunkline.routing.key.DecodedKey;
import dev.trunkline.routing.key.ShardingKey;

/**
 * The remainder of the row hash, as {@code PARTITION BY HASH} with one partition per shard.
 *
 * @param shardCount at least 1
 */
record HashFunction(int shardCount) implements ShardingFunction {

    @Override
    public int shard(DecodedKey key) {
        return PartitionHash.shard(
                switch (key.type()) {
                    case BIGINT -> PartitionHash.ofLong(key.longValue());
                    case UUID -> PartitionHash.ofUuid(key.mostSignificant(), key.leastSignificant());
                    case VARCHAR -> PartitionHash.ofBytes(key.bytes(), key.offset(), key.length());
                },
                shardCount);
    }

    @Override
    public int shard(ShardingKey key) {
        return PartitionHash.shard(
                switch (key.type()) {
                    case BIGINT -> PartitionHash.ofLong(key.longValue());
                    case UUID -> PartitionHash.ofUuid(key.mostSignificant(), key.leastSignificant());
                    case VARCHAR -> PartitionHash.ofBytes(key.bytes(), 0, key.bytes().length);
                },
                shardCount);
    }
}
