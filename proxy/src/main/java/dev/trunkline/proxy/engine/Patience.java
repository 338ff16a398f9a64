package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.error.SqlState;
import java.time.Duration;

/**
 * How long a session has been doing what it does, as seen from time to time: a time counts from the first look at which
 * the session did it, so nothing ends early. A statement that takes too long is cancelled; if that does not help, its
 * connections are closed.
 */
final class Patience {

    private final Session session;
    private Activity activity = Activity.OVER;
    private int exchange;
    private long sinceNanos;
    private long cancelledNanos;
    private boolean cancelled;
    private Duration limit = Duration.ZERO;

    Patience(Session session) {
        this.session = session;
    }

    /** Takes a look; true when it is time for {@link #end}. */
    boolean isOver(long nowNanos, Timeouts timeouts) {
        Activity seen = session.activity();
        if (seen != activity || session.exchanges() != exchange) {
            activity = seen;
            exchange = session.exchanges();
            sinceNanos = nowNanos;
            cancelled = false;
            return false;
        }
        limit = limit(timeouts);
        if (limit.isZero() || nowNanos - sinceNanos < limit.toNanos()) {
            return false;
        }
        if (!cancelled) {
            cancelledNanos = nowNanos;
            return true;
        }
        return nowNanos - cancelledNanos >= session.place().patienceMillis() * 1_000_000;
    }

    private Duration limit(Timeouts timeouts) {
        return switch (activity) {
            case RUNNING -> timeouts.query();
            case IDLE -> timeouts.idle();
            case IDLE_IN_TRANSACTION -> timeouts.idleInTransaction();
            case DELIVERING, OVER -> Duration.ZERO;
        };
    }

    /** Ends what takes too long. */
    void end() {
        switch (activity) {
            case RUNNING -> endRunning();
            case IDLE -> session.terminate(EngineErrors.idleTimeout(limit));
            case IDLE_IN_TRANSACTION -> session.terminate(EngineErrors.idleInTransactionTimeout(limit));
            case DELIVERING, OVER -> {}
        }
    }

    private void endRunning() {
        if (cancelled) {
            session.abortRunning();
        } else {
            cancelled = true;
            session.cancelRunning(Fault.of(EngineErrors.queryTimeout(limit)));
        }
    }

    /** A failure as the client is to see it: what our cancel has done is not put down to the client. */
    Fault explained(Fault fault) {
        boolean isOurs = cancelled
                && session.exchanges() == exchange
                && SqlState.QUERY_CANCELED
                        .code()
                        .equals(fault.response().fields().sqlState());
        return isOurs ? Fault.of(EngineErrors.queryTimeout(limit)) : fault;
    }
}
