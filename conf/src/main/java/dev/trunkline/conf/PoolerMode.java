package dev.trunkline.conf;

/** When a server connection goes back to its pool. */
public enum PoolerMode {
    /** At the end of each transaction. */
    TRANSACTION,
    /** When the client leaves. */
    SESSION
}
