package dev.trunkline.routing.key;

/**
 * What must be known of a sharding key column to bring a value into canonical form.
 *
 * @param type the family of the key
 * @param typeOid the column's type; {@link PgType#UNSPECIFIED} when the catalog does not tell
 * @param typmod atttypmod, -1 = none
 * @param integerPrefixes integers may be spelled {@code 0x2a} and {@code 1_000}: the server is version 16 or later
 */
public record KeyColumn(KeyType type, int typeOid, int typmod, boolean integerPrefixes) {

    /** atttypmod of a character type counts the four bytes of a length word. */
    private static final int TYPMOD_HEADER = 4;

    /** Whether a column of this type can hold keys of the family. */
    public static boolean isFamily(KeyType type, int typeOid) {
        return switch (type) {
            case BIGINT -> PgType.isInteger(typeOid);
            case VARCHAR -> typeOid == PgType.TEXT || typeOid == PgType.VARCHAR || typeOid == PgType.BPCHAR;
            case UUID -> typeOid == PgType.UUID;
        };
    }

    /** The column is char(n), whose trailing blanks mean nothing. */
    boolean isBlankPadded() {
        return typeOid == PgType.BPCHAR;
    }

    /** The column is varchar, or may be: compared with a char(n), both sides lose their trailing blanks. */
    boolean mayBeVarchar() {
        return typeOid == PgType.VARCHAR || typeOid == PgType.UNSPECIFIED;
    }

    /** How many characters the column holds; Integer.MAX_VALUE when not limited. */
    int characters() {
        return type == KeyType.VARCHAR && typmod >= TYPMOD_HEADER ? typmod - TYPMOD_HEADER : Integer.MAX_VALUE;
    }
}
