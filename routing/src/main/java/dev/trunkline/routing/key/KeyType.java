package dev.trunkline.routing.key;

/** The family of a sharding key: decides how a value is parsed, compared and hashed. */
public enum KeyType {
    /** int2, int4 and int8: equal values hash equal. */
    BIGINT,
    /** text and varchar: the bytes in UTF-8. */
    VARCHAR,
    /** The 16 bytes; every spelling that PostgreSQL accepts is the same value. */
    UUID
}
