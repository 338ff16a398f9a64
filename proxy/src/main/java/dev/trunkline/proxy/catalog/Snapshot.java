package dev.trunkline.proxy.catalog;

import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import java.util.function.Supplier;

/** Several reads of one state of a database. */
final class Snapshot {

    /**
     * REPEATABLE READ makes every query see the same catalogs. A search path of the user or the database must not put
     * another "pg_class" in front; the string syntax must be the one that the queries are written in. The time limits
     * are those of a database with very many tables, and of someone who holds a system catalog with VACUUM FULL.
     */
    private static final String BEGIN = """
            BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
            SET LOCAL search_path = pg_catalog, pg_temp;
            SET LOCAL standard_conforming_strings = on;
            SET LOCAL statement_timeout = 30000;
            SET LOCAL lock_timeout = 5000""";

    private Snapshot() {}

    /** What is read inside one transaction, which is over when the future completes either way. */
    static <T> Future<T> read(PgConnection connection, Supplier<Future<T>> read) {
        return connection
                .query(BEGIN)
                .execute()
                .compose(begun -> read.get())
                .compose(
                        result -> connection.query("COMMIT").execute().map(committed -> result),
                        failure -> rollBack(connection, failure));
    }

    /** The first failure is the one that matters: a broken connection fails the ROLLBACK, too. */
    private static <T> Future<T> rollBack(PgConnection connection, Throwable failure) {
        return connection.query("ROLLBACK").execute().transform(rolledBack -> Future.failedFuture(failure));
    }
}
