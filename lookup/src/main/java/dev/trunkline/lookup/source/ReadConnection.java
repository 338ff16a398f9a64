package dev.trunkline.lookup.source;

import dev.trunkline.lookup.source.SourceException.Kind;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection to shard 0's primary for one purpose, outside of all pools: opened when first needed, opened again when
 * lost. Nothing ever changes its session state, so what is in force is what the server sets for the role: its search
 * path, for instance. Only on one event loop.
 *
 * <p>Reads run one after the other, each in a transaction of its own.
 */
final class ReadConnection {

    private final Vertx vertx;
    private final Supplier<PgConnectOptions> options;
    private final ReadLimits limits;
    private Future<Void> last = Future.succeededFuture();
    private @Nullable PgConnection open;
    private boolean closed;

    ReadConnection(Vertx vertx, Supplier<PgConnectOptions> options, ReadLimits limits) {
        this.vertx = vertx;
        this.options = options;
        this.limits = limits;
    }

    /**
     * Runs a read after those before it.
     *
     * @param work what is done inside the transaction; may be done twice if the connection turns out to be dead
     * @return fails with a SourceException or a MapFault
     */
    <T> Future<T> read(Function<Reading<T>, Future<T>> work) {
        Promise<T> result = Promise.promise();
        last = last.transform(before -> attempt(work, result));
        return result.future();
    }

    /** Ends the connection; reads under way and to come fail. */
    Future<Void> close() {
        closed = true;
        PgConnection connection = open;
        open = null;
        if (connection == null) {
            return Future.succeededFuture();
        }
        // A server that hangs does not hold up the end.
        return connection
                .close()
                .timeout(limits.silenceMillis(), TimeUnit.MILLISECONDS)
                .otherwiseEmpty();
    }

    /** Completes when the next read may begin; never fails. */
    private <T> Future<Void> attempt(Function<Reading<T>, Future<T>> work, Promise<T> result) {
        boolean mayBeStale = open != null;
        return connected().transform(connected -> {
            if (connected.failed()) {
                result.fail(Failures.unreachable(connected.cause()));
                return Future.succeededFuture();
            }
            Reading<T> reading = new Reading<>(connected.result());
            return transact(reading, work).transform(outcome -> {
                if (outcome.succeeded()) {
                    result.complete(outcome.result());
                    return end(reading.connection(), "COMMIT");
                }
                return failed(reading, outcome.cause(), mayBeStale ? () -> attempt(work, result) : null, result);
            });
        });
    }

    private <T> Future<T> transact(Reading<T> reading, Function<Reading<T>, Future<T>> work) {
        long watch = vertx.setPeriodic(limits.silenceMillis(), tick -> watch(reading));
        reading.follow(reading.connection().query(limits.begin()).execute().compose(begun -> {
            reading.begun();
            return work.apply(reading);
        }));
        return reading.result().onComplete(done -> {
            boolean ignoredBecauseItRepeats = vertx.cancelTimer(watch);
        });
    }

    private <T> Future<Void> failed(Reading<T> reading, Throwable cause, @Nullable Retry retry, Promise<T> result) {
        boolean lost = Failures.isLostConnection(cause);
        if (lost || reading.isGivenUp() || !reading.hasBegun()) {
            discard(reading);
        }
        if (lost && !reading.isGivenUp() && retry != null) {
            // The server was restarted while the connection idled.
            return retry.again();
        }
        result.fail(Failures.of(cause));
        return open == reading.connection() ? end(reading.connection(), "ROLLBACK") : Future.succeededFuture();
    }

    /** A second attempt on a fresh connection. */
    private interface Retry {
        Future<Void> again();
    }

    private Future<Void> end(PgConnection connection, String command) {
        return connection
                .query(command)
                .execute()
                .timeout(limits.silenceMillis(), TimeUnit.MILLISECONDS)
                .transform(ended -> {
                    if (ended.failed()) {
                        drop(connection);
                    }
                    return Future.succeededFuture();
                });
    }

    private Future<PgConnection> connected() {
        if (closed) {
            return Future.failedFuture(new IllegalStateException("the lookup has been shut down"));
        }
        if (open != null) {
            return Future.succeededFuture(open);
        }
        Future<PgConnection> opening = PgConnection.connect(vertx, options.get());
        return opening.timeout(limits.connectMillis(), TimeUnit.MILLISECONDS)
                .onFailure(tooLate -> opening.onSuccess(PgConnection::close))
                .onSuccess(this::opened);
    }

    private void opened(PgConnection connection) {
        open = connection;
        connection.closeHandler(ended -> forget(connection));
        connection.exceptionHandler(fault -> forget(connection));
    }

    private void forget(PgConnection connection) {
        if (open == connection) {
            open = null;
        }
    }

    private void drop(PgConnection connection) {
        forget(connection);
        connection.close().onComplete(ignoredBecauseItIsOfNoUse -> {});
    }

    /** The server may still be at it, holding locks: it is asked to stop. */
    private void discard(Reading<?> reading) {
        if (reading.isGivenUp()) {
            reading.connection().cancelRequest().onComplete(ignoredBecauseItMayHaveEnded -> {});
        }
        drop(reading.connection());
    }

    /** A silent read is given up unless the server says that it is working on it. */
    private void watch(Reading<?> reading) {
        if (reading.wasAlive()) {
            return;
        }
        isWorking(reading.connection().processId())
                .timeout(limits.silenceMillis() / 2 + 1, TimeUnit.MILLISECONDS)
                .onComplete(answer -> {
                    if (answer.failed() || !answer.result()) {
                        reading.giveUp(new SourceException(Kind.BUSY, "shard 0 does not answer", answer.cause()));
                    }
                });
    }

    private Future<Boolean> isWorking(int processId) {
        return PgConnection.connect(vertx, options.get())
                .compose(connection -> connection
                        .query("SELECT count(*) > 0 FROM pg_catalog.pg_stat_activity WHERE pid = " + processId
                                + " AND state = 'active' AND wait_event_type IS DISTINCT FROM 'Client'")
                        .execute()
                        .map(rows ->
                                Objects.requireNonNull(rows.iterator().next().getBoolean(0)))
                        .onComplete(done -> connection.close()));
    }
}
