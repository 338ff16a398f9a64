package dev.trunkline.proxy.pool;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.proxy.backend.ServerConnection;

/** One session's wait for a connection; answered once: by a connection, a fault, or not at all when it withdraws. */
public final class Waiter {

    /** What a waiter waits for; called on the loop of the pool. */
    public interface Taker {
        /** A connection, idle and the taker's own until {@link LoopPool#release} or {@link LoopPool#discard}. */
        void leased(ServerConnection server);

        /** No connection: 53300, 08001, 57014 or 57P01. */
        void failed(PgException fault);
    }

    private final Taker taker;
    private long sinceNanos;
    private boolean answered;

    Waiter(Taker taker, long sinceNanos) {
        this.taker = taker;
        this.sinceNanos = sinceNanos;
    }

    /** The wait begins anew. */
    void restart(long nanos) {
        sinceNanos = nanos;
    }

    long sinceNanos() {
        return sinceNanos;
    }

    /** True when the wait is over. */
    public boolean isAnswered() {
        return answered;
    }

    void answer(ServerConnection server) {
        end();
        taker.leased(server);
    }

    void fail(PgException fault) {
        if (!answered) {
            end();
            taker.failed(fault);
        }
    }

    /** Withdraws: the taker hears nothing any more. */
    void end() {
        answered = true;
    }
}
