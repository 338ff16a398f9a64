package dev.trunkline.routing.shard;

import dev.trunkline.routing.key.DecodedKey;
import dev.trunkline.routing.key.ShardingKey;

/** From a (translated) sharding key value to the shard that holds its rows. Equal functions are equal objects. */
public interface ShardingFunction {

    /** What {@link #shard} answers for a value that no list, range or default takes. */
    int UNMAPPED = -1;

    /** The shard from 0, or {@link #UNMAPPED}. */
    int shard(DecodedKey key);

    /** The shard from 0, or {@link #UNMAPPED}. */
    int shard(ShardingKey key);
}
