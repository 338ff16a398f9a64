package dev.trunkline.conf;

/**
 * Which statements may be rewritten.
 *
 * @param splitInserts what happens to an INSERT whose rows belong to several shards
 * @param shardKey what happens to an UPDATE of the sharding key
 */
public record Rewrite(
        @Default("rewrite") SplitInserts splitInserts,
        @Default("error") ShardKeyUpdate shardKey) {}
