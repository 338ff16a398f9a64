package dev.trunkline.proxy.oracle;

/**
 * The forms of statements that the traffic is made of.
 *
 * <p>A <em>promised</em> form is one that the proxy must never refuse, as long as a transaction writes one shard only:
 * keys in the plain places, reads that need no merge, omnisharded tables, the catalogs.
 */
enum Form {
    POINT_READ(true),
    READ_BY_TENANT(true),
    READ_BY_LIST(true),
    READ_BY_OR(true),
    READ_BY_AND(true),
    READ_WITH_CAST(true),
    READ_BY_ALIAS(true),
    READ_QUOTED(true),
    READ_OTHER_SCHEMA(true),
    READ_BY_BIGINT(true),
    READ_BY_SMALLINT(true),
    READ_BY_UUID(true),
    READ_BY_PLAIN_TEXT(true),
    READ_NOTHING(true),
    READ_WITH_NULL_KEY(true),
    JOIN_OMNISHARDED(true),
    JOIN_BY_KEY(true),
    JOIN_WITHOUT_KEY(true),
    SUBQUERY_BY_KEY(true),
    AGGREGATE_ON_ONE_SHARD(true),
    SCATTER_READ(true),
    READ_FOR_UPDATE(true),
    READ_CATALOG(true),
    READ_WITHOUT_TABLE(true),
    READ_OMNISHARDED(true),

    INSERT_WITH_COLUMNS(true),
    INSERT_WITHOUT_COLUMNS(true),
    INSERT_RETURNING(true),
    INSERT_ROWS_OF_ONE_KEY(true),
    INSERT_ROWS_OF_SEVERAL_KEYS(true),
    INSERT_BY_BIGINT(true),
    INSERT_BY_SMALLINT(true),
    INSERT_BY_UUID(true),
    INSERT_BY_PLAIN_TEXT(true),
    UPSERT_NOTHING(true),
    UPSERT_UPDATE(true),
    UPDATE_BY_KEY(true),
    UPDATE_BY_KEY_AND_MORE(true),
    UPDATE_BY_LIST(true),
    UPDATE_BY_PLAIN_KEY(true),
    DELETE_BY_KEY_AND_MORE(true),
    DELETE_BY_PLAIN_KEY(true),
    SCATTER_UPDATE(true),
    SCATTER_DELETE(true),
    WRITE_SETTINGS(true),
    WRITE_TENANTS(true),
    NEW_TENANT(true),
    CHANGED_TENANT(true),

    BEGIN(true),
    COMMIT(true),
    ROLLBACK(true),
    SAVEPOINT(true),
    SET(true),
    SHOW(true),

    UNIQUE_VIOLATION(true),
    OTHER_VIOLATION(true),
    DIVISION_BY_ZERO(true),
    SYNTAX_ERROR(true),
    UNKNOWN_NAME(true),
    BAD_VALUE(true),
    NULL_KEY(true),
    UNMAPPED_KEY(true),

    PIPELINE(true),
    STRING_OF_STATEMENTS(true),
    PIPELINE_OVER_SHARDS(false),
    /** Right answers need more than keys: joins of other shapes, INSERT from SELECT, MERGE, data-modifying WITH. */
    DEEPER(false),
    /** Several shards would have to be merged, or rows moved; refused with 0A000 until that is built. */
    NEEDS_MERGE(false),
    WRITE_ON_SECOND_SHARD(false),
    OWN_MAPPING(false),
    PINNING(false);

    private final boolean promised;

    Form(boolean promised) {
        this.promised = promised;
    }

    boolean isPromised() {
        return promised;
    }
}
