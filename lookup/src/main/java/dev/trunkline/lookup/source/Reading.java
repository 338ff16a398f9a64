package dev.trunkline.lookup.source;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.pgclient.PgConnection;

/**
 * One read on a {@link ReadConnection}: ends when its work does, or when somebody gives it up. Only on the event loop.
 */
final class Reading<T> {

    private final PgConnection connection;
    private final Promise<T> result = Promise.promise();
    private boolean givenUp;
    private boolean begun;
    private boolean alive = true;

    Reading(PgConnection connection) {
        this.connection = connection;
    }

    PgConnection connection() {
        return connection;
    }

    /** Completes with the work's value, or fails with its failure or the reason of giving up. */
    Future<T> result() {
        return result.future();
    }

    /** Ends as the work does. */
    void follow(Future<T> work) {
        work.onComplete(outcome -> {
            boolean ignoredIfGivenUp =
                    outcome.succeeded() ? result.tryComplete(outcome.result()) : result.tryFail(outcome.cause());
        });
    }

    /** The transaction has begun. */
    void begun() {
        begun = true;
        alive = true;
    }

    boolean hasBegun() {
        return begun;
    }

    /** The server has given a sign of life. */
    void progressed() {
        alive = true;
    }

    /** Whether there was a sign of life since the last call. */
    boolean wasAlive() {
        boolean was = alive;
        alive = false;
        return was;
    }

    /** Ends the read before the server has answered; the connection is dropped. */
    void giveUp(Throwable reason) {
        givenUp = true;
        boolean ignoredIfEnded = result.tryFail(reason);
    }

    boolean isGivenUp() {
        return givenUp;
    }
}
