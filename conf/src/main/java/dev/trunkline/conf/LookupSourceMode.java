package dev.trunkline.conf;

/** Where a lookup map is read. */
public enum LookupSourceMode {
    /** On the primary of shard 0. */
    SHARD0,
    /** On the shards in turn. */
    ROUND_ROBIN
}
