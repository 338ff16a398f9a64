package dev.trunkline.conf;

/** What a server of a shard is. */
public enum Role {
    /** It takes writes. */
    PRIMARY,
    /** It follows a primary and takes reads. */
    REPLICA,
    /** Found out by asking the server. */
    AUTO
}
