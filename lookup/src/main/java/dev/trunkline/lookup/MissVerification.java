package dev.trunkline.lookup;

/** How a value that the map does not hold is verified before a statement is refused. */
public enum MissVerification {
    /** The rows of the missing values alone are read through the same query, many statements in one batch. */
    PROBE,
    /** The whole map is read again. */
    RELOAD
}
