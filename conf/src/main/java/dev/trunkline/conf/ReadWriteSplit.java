package dev.trunkline.conf;

/** Which servers of a shard take reads. */
public enum ReadWriteSplit {
    /** The replicas and the primary. */
    INCLUDE_PRIMARY,
    /** The replicas alone. */
    EXCLUDE_PRIMARY,
    /** The replicas, and the primary while every replica is banned. */
    INCLUDE_PRIMARY_IF_REPLICA_BANNED,
    /** The primary, and the replicas while it is banned. */
    PREFER_PRIMARY
}
