package dev.trunkline.proxy.catalog;

import dev.trunkline.routing.catalog.Catalog;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Reads what the system catalogs of a database say. */
public final class CatalogLoader {

    /** The first version whose catalogs have every column that is read (generated columns came last). */
    private static final int OLDEST_SERVER = 120_000;

    private static final AtomicLong VERSIONS = new AtomicLong();

    private CatalogLoader() {}

    /**
     * The catalog of the connection's database, all of it as of one moment.
     *
     * <p>Any user may read it. Locks no user table. The connection must be idle and is idle again afterwards, unless it
     * broke. A read that begins later has a greater version.
     *
     * <p>Fails with 0A000 if the server is older than PostgreSQL 12, else with the failure of the connection or of the
     * server; each statement is given up after half a minute.
     */
    public static Future<Catalog> load(PgConnection connection) {
        long version = VERSIONS.incrementAndGet();
        return Snapshot.read(connection, () -> rows(connection))
                .map(rows -> new CatalogAssembler(rows).catalog(version));
    }

    private static Future<CatalogRows> rows(PgConnection connection) {
        return serverVersion(connection).compose(serverVersion -> rows(connection, serverVersion));
    }

    private static Future<Integer> serverVersion(PgConnection connection) {
        return connection
                .query(CatalogQueries.SERVER_VERSION)
                .execute()
                .map(result -> result.iterator().next().getInteger(0))
                .compose(version -> version < OLDEST_SERVER
                        ? Future.failedFuture(CatalogErrors.serverTooOld(version))
                        : Future.succeededFuture(version));
    }

    private static Future<CatalogRows> rows(PgConnection connection, int serverVersion) {
        CatalogRows rows = CatalogRows.empty(serverVersion);
        return collect(connection, CatalogQueries.RELATIONS, CatalogRows.RelationRow::of, rows.relations())
                .compose(done -> collect(connection, CatalogQueries.COLUMNS, CatalogRows.ColumnRow::of, rows.columns()))
                .compose(done ->
                        collect(connection, CatalogQueries.FUNCTIONS, CatalogRows.FunctionRow::of, rows.functions()))
                .compose(done -> collect(connection, CatalogQueries.VIEW_READS, CatalogRows.Edge::of, rows.viewReads()))
                .compose(done -> collect(connection, CatalogQueries.VIEW_CALLS, CatalogRows.Edge::of, rows.viewCalls()))
                .compose(done -> collect(connection, CatalogQueries.PARENTS, CatalogRows.Edge::of, rows.parents()))
                .compose(done -> collect(
                        connection, CatalogQueries.FOREIGN_KEYS, CatalogRows.ForeignKeyRow::of, rows.foreignKeys()))
                .map(done -> rows);
    }

    private static <T> Future<Void> collect(
            PgConnection connection, String query, Function<Row, T> mapping, List<T> into) {
        return connection.query(query).execute().map(result -> {
            List<T> mapped = new ArrayList<>(result.size());
            result.forEach(row -> mapped.add(mapping.apply(row)));
            into.addAll(mapped);
            return null;
        });
    }
}
