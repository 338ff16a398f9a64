package dev.trunkline.proxy.measure;

/** What is measured as a distribution, not as a sum alone. */
public enum Timing {
    /** How long sessions wait for a connection. */
    WAIT,
    /** How long servers take for a request. */
    QUERY,
    /** How long transactions take. */
    TRANSACTION
}
