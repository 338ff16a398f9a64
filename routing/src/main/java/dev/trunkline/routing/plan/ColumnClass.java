package dev.trunkline.routing.plan;

import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.PgType;

/** Columns of one class are equal, as {@code =} compares them, exactly when their canonical keys are. */
enum ColumnClass {
    INTEGER,
    TEXT,
    /** char(n): trailing blanks do not count, not even against a varchar. */
    BLANK_PADDED,
    UUID,
    /** Any other type: what equality means there is not our business. */
    OTHER;

    static ColumnClass of(int typeOid) {
        return switch (typeOid) {
            case PgType.INT2, PgType.INT4, PgType.INT8 -> INTEGER;
            case PgType.TEXT, PgType.VARCHAR -> TEXT;
            case PgType.BPCHAR -> BLANK_PADDED;
            case PgType.UUID -> UUID;
            default -> OTHER;
        };
    }

    static ColumnClass of(KeyType type) {
        return switch (type) {
            case BIGINT -> INTEGER;
            case VARCHAR -> TEXT;
            case UUID -> UUID;
        };
    }
}
