package dev.trunkline.conf;

/** What the second column of a lookup query means. */
public enum LookupResult {
    /** A value that is hashed or mapped as if the statement had carried it. */
    VALUE,
    /** The number of the shard itself, from 0. */
    SHARD
}
