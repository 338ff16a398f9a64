package dev.trunkline.lookup.source;

import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The SQL that reads a lookup query inside a client's transaction, as one Query: what the client has set there must not
 * change its meaning, and nothing of it may stay. Texts travel as hexadecimal digits in both directions, because the
 * client has chosen the encoding of this connection and how strings are written.
 *
 * <p>Three results say something, each with a number of columns of its own: one row of three columns, see
 * {@link #CIRCUMSTANCES}, then rows of key and value. A temporary table is found by no name of the query: its schema
 * stands last in the search path, and so does not come first by itself.
 *
 * @see <a href="https://www.postgresql.org/docs/current/sql-rollback-to.html">ROLLBACK TO SAVEPOINT takes back what SET
 *     LOCAL has set since</a>
 */
final class OwnReadText {

    private static final String SAVEPOINT = "trunkline_own_read";

    /** Back to the savepoint, after success and after an error alike. */
    static final String UNDO = "ROLLBACK TO SAVEPOINT " + SAVEPOINT + ";RELEASE SAVEPOINT " + SAVEPOINT;

    /** Between the schemas of a search path. */
    static final String SEPARATOR = " / ";

    /** Session user, isolation level, effective search path joined by {@link #SEPARATOR}; in hexadecimal digits. */
    static final String CIRCUMSTANCES = ";SELECT " + hex("SESSION_USER") + ", "
            + hex("pg_catalog.current_setting('transaction_isolation')") + ", "
            + hex("pg_catalog.array_to_string(pg_catalog.current_schemas(false), '" + SEPARATOR + "')");

    private OwnReadText() {}

    /**
     * A whole Query.
     *
     * @param probed the keys whose rows are asked for; null = every row
     * @param timeoutMillis how long it may wait for locks, and how long it may take
     */
    static String of(LookupQuery query, ReadForm form, @Nullable List<ShardingKey> probed, long timeoutMillis) {
        String path = Stream.concat(form.searchPath().stream().map(OwnReadText::identifier), Stream.of("pg_temp"))
                .collect(Collectors.joining(", "));
        return "SAVEPOINT " + SAVEPOINT
                + ";SET LOCAL ROLE NONE;SET LOCAL row_security TO off"
                + ";SET LOCAL lock_timeout TO " + timeoutMillis
                + ";SET LOCAL statement_timeout TO " + timeoutMillis
                + ";SELECT pg_catalog.set_config('search_path', " + text(path) + ", true)"
                + CIRCUMSTANCES
                + ";SELECT " + hex("t.k::pg_catalog.text") + ", " + hex("t.v::pg_catalog.text") + " FROM (\n"
                + query.text() + "\n) AS t(k, v)"
                + (probed == null ? "" : " WHERE t.k = ANY(" + array(query.type(), probed) + ")")
                + ";" + UNDO;
    }

    private static String array(KeyType type, List<ShardingKey> keys) {
        return switch (type) {
            case BIGINT -> "'{" + list(keys) + "}'::pg_catalog.int8[]";
            case UUID -> "'{" + list(keys) + "}'::pg_catalog.uuid[]";
            case VARCHAR ->
                keys.stream()
                        .filter(ProbeKeys::isStorable)
                        .map(key -> text(key.toString()))
                        .collect(Collectors.joining(", ", "ARRAY[", "]::pg_catalog.text[]"));
        };
    }

    private static String list(List<ShardingKey> keys) {
        return keys.stream().map(ShardingKey::toString).collect(Collectors.joining(","));
    }

    private static String hex(String expression) {
        return "pg_catalog.encode(pg_catalog.convert_to(" + expression + ", 'UTF8'), 'hex')";
    }

    private static String text(String text) {
        String digits = HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
        return "pg_catalog.convert_from(pg_catalog.decode('" + digits + "', 'hex'), 'UTF8')";
    }

    private static String identifier(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
