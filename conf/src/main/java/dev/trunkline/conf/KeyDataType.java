package dev.trunkline.conf;

/** The family of a sharding key: how its values are read, compared and hashed. */
public enum KeyDataType {
    /** int2, int4 and int8. */
    BIGINT,
    /** text and varchar. */
    VARCHAR,
    /** uuid. */
    UUID
}
