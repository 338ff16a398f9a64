package dev.trunkline.conf;

/** What happens to an INSERT whose rows belong to several shards. */
public enum SplitInserts {
    /** Each shard gets its rows, in one transaction. */
    REWRITE,
    /** The statement is refused. */
    ERROR
}
