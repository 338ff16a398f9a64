package dev.trunkline.conf;

/** What happens to ORDER BY of a text over several shards whose collation does not compare bytes. */
public enum TextOrder {
    /** The statement is refused. */
    ERROR,
    /** Shards are asked to order by the collation "C". */
    COLLATE_C
}
