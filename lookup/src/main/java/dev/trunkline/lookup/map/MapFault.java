package dev.trunkline.lookup.map;

/**
 * The rows of a lookup query are not a map: a duplicate, a NULL, a value that does not parse, too much of it.
 *
 * <p>The message may be logged: it holds no key. The detail holds the key and goes to the client alone.
 */
public final class MapFault extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String detail;

    private MapFault(String message, String detail) {
        super(message, null, false, false);
        this.detail = detail;
    }

    /** One key with two different values. */
    public static MapFault twoValues(Object key, Object first, Object second) {
        return new MapFault(
                "one key has two different values",
                "the query returns both \"" + first + "\" and \"" + second + "\" for the key \"" + key + "\"");
    }

    /** A key whose value is NULL. */
    public static MapFault nullValue(Object key) {
        return new MapFault("a value is NULL", "the query returns NULL for the key \"" + key + "\"");
    }

    /** A value that is not of the configured data type. */
    public static MapFault malformedValue(Object key, Object value, Object type) {
        return new MapFault(
                "a value is not of the configured data type",
                "the query returns \"" + value + "\" for the key \"" + key + "\", which is not a " + type);
    }

    /** A value that is to be the number of a shard and is no such number. */
    public static MapFault noShardNumber(Object key, Object value) {
        return new MapFault(
                "a value is not the number of a shard",
                "the query returns \"" + value + "\" for the key \"" + key + "\"");
    }

    /** More memory than allowed. */
    public static MapFault tooLarge(long entries, long maxBytes) {
        return new MapFault("the map is too large", "it exceeds " + maxBytes + " bytes after " + entries + " entries");
    }

    /** A query of a wrong number of columns. */
    public static MapFault columnCount(int columns) {
        return new MapFault(
                "the query must return two columns", "it returns " + columns + (columns == 1 ? " column" : " columns"));
    }

    /** What is wrong with which key. */
    public String detail() {
        return detail;
    }
}
