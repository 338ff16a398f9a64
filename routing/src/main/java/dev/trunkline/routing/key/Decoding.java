package dev.trunkline.routing.key;

/** What became of a value that stands where a sharding key is expected. */
public enum Decoding {
    /** The key is known. */
    KEY,
    /** The value is NULL. */
    NULL,
    /** No row can hold a key that equals the value (4.5 for an integer, a number beyond int8). */
    NO_ROW,
    /** The value has a type whose comparison with the key is not a comparison of keys. */
    UNKNOWN
}
