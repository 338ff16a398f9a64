package dev.trunkline.routing.key;

/**
 * OIDs of the built-in types that matter to sharding keys.
 *
 * @see <a href="https://github.com/postgres/postgres/blob/REL_18_STABLE/src/include/catalog/pg_type.dat">pg_type.dat</a>
 */
public final class PgType {

    /** Parse left the type of a parameter open. */
    public static final int UNSPECIFIED = 0;

    public static final int BOOL = 16;
    public static final int NAME = 19;
    public static final int INT8 = 20;
    public static final int INT2 = 21;
    public static final int INT4 = 23;
    public static final int TEXT = 25;
    public static final int OID = 26;
    public static final int UNKNOWN = 705;
    public static final int BPCHAR = 1042;
    public static final int VARCHAR = 1043;
    public static final int DATE = 1082;
    public static final int TIME = 1083;
    public static final int TIMESTAMP = 1114;
    public static final int TIMESTAMPTZ = 1184;
    public static final int TIMETZ = 1266;
    public static final int NUMERIC = 1700;
    public static final int UUID = 2950;

    private PgType() {}

    /** The type of an array's elements, or {@link #UNSPECIFIED} for a type that is no array of interest. */
    public static int elementOf(int arrayOid) {
        return switch (arrayOid) {
            case 1003 -> NAME;
            case 1005 -> INT2;
            case 1007 -> INT4;
            case 1009 -> TEXT;
            case 1014 -> BPCHAR;
            case 1015 -> VARCHAR;
            case 1016 -> INT8;
            case 1028 -> OID;
            case 1231 -> NUMERIC;
            case 2951 -> UUID;
            default -> UNSPECIFIED;
        };
    }

    /** The type is int2, int4 or int8. */
    public static boolean isInteger(int oid) {
        return oid == INT2 || oid == INT4 || oid == INT8;
    }

    /** The type holds a date or a time of day: its input function knows words such as {@code now}. */
    public static boolean isDateTime(int oid) {
        return oid == DATE || oid == TIME || oid == TIMESTAMP || oid == TIMESTAMPTZ || oid == TIMETZ;
    }
}
