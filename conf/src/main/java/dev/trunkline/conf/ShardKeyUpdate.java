package dev.trunkline.conf;

/** What happens to an UPDATE that changes the sharding key. */
public enum ShardKeyUpdate {
    /** The statement is refused. */
    ERROR,
    /** The row moves to the shard of its new key. */
    REWRITE
}
