package dev.trunkline.routing.shard;

import dev.trunkline.conf.ShardMapping;
import dev.trunkline.routing.key.KeyType;
import java.util.List;

/** Makes sharding functions. */
public final class ShardingFunctions {

    private ShardingFunctions() {}

    /** The function of a rule without a mapping. */
    public static ShardingFunction hash(int shardCount) {
        return new HashFunction(shardCount);
    }

    /** The function of a rule with a mapping, whose values are spelled canonically for the type. */
    public static ShardingFunction mapping(KeyType type, List<ShardMapping> mappings) {
        return MappingFunction.of(type, mappings);
    }
}
