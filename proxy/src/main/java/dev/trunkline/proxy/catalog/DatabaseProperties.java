package dev.trunkline.proxy.catalog;

import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a server says about itself and the connection's database.
 *
 * @param serverVersion server_version_num, e.g. 180006
 * @param encoding the server encoding, e.g. UTF8
 * @param collationProvider who compares texts
 * @param collation LC_COLLATE of the database
 * @param locale the locale of the providers icu and builtin; else null
 */
public record DatabaseProperties(
        int serverVersion,
        String encoding,
        CollationProvider collationProvider,
        String collation,
        @Nullable String locale) {

    private static final Set<String> BYTEWISE_LIBC = Set.of("C", "POSIX", "C.UTF-8", "C.utf8");

    /** Who compares texts under the database's collation (datlocprovider). */
    public enum CollationProvider {
        LIBC,
        ICU,
        BUILTIN
    }

    /**
     * The properties of the connection's database. Fails with the failure of the connection or the server. The
     * connection must be idle.
     */
    public static Future<DatabaseProperties> load(PgConnection connection) {
        return connection
                .query(CatalogQueries.DATABASE)
                .execute()
                .map(result -> of(result.iterator().next()));
    }

    private static DatabaseProperties of(Row row) {
        return new DatabaseProperties(
                row.getInteger(0), row.getString(1), provider(row.getString(2)), row.getString(3), row.getString(4));
    }

    /** Servers before 15 have no such column: theirs is libc. */
    private static CollationProvider provider(@Nullable String datlocprovider) {
        if (datlocprovider == null || datlocprovider.equals("c")) {
            return CollationProvider.LIBC;
        }
        return datlocprovider.equals("i") ? CollationProvider.ICU : CollationProvider.BUILTIN;
    }

    /**
     * Texts of the database's default collation are ordered as their UTF-8 bytes are: by code points, which is what the
     * builtin provider always does.
     */
    public boolean comparesBytes() {
        return encoding.equals("UTF8")
                && switch (collationProvider) {
                    case BUILTIN -> true;
                    case LIBC -> BYTEWISE_LIBC.contains(collation);
                    case ICU -> false;
                };
    }
}
