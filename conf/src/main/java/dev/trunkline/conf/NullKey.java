package dev.trunkline.conf;

/** What happens to a row that is inserted with a NULL sharding key. */
public enum NullKey {
    /** The statement is refused. */
    ERROR,
    /** The row is stored on shard 0, as PostgreSQL hash-partitions it. */
    SHARD0
}
