package dev.trunkline.conf;

/** Which of several servers of one shard gets the next read. */
public enum LoadBalancingStrategy {
    /** Any, at random. */
    RANDOM,
    /** Each in turn. */
    ROUND_ROBIN,
    /** The one with the fewest connections at work. */
    LEAST_ACTIVE_CONNECTIONS
}
