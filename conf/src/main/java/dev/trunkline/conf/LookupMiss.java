package dev.trunkline.conf;

/** How a value that a lookup map does not hold is verified. */
public enum LookupMiss {
    /** The missing values alone are read through the lookup query. */
    PROBE,
    /** The whole map is read again. */
    RELOAD
}
