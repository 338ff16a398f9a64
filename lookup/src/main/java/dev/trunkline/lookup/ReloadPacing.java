package dev.trunkline.lookup;

import dev.trunkline.protocol.error.PgException;
import org.jspecify.annotations.Nullable;

/**
 * When the next verifying reload may start, and how long a failure is answered without asking again. Only on the
 * loader's event loop.
 */
final class ReloadPacing {

    private final long intervalNanos;
    private final long waitNanos;
    private boolean loadedBefore;
    private long lastEndNanos;
    private long lastDurationNanos;
    private @Nullable PgException failure;
    private long failedNanos;
    private long failedGeneration;

    ReloadPacing(LookupOptions options) {
        intervalNanos = options.reloadInterval().toNanos();
        waitNanos = options.waitTimeout().toNanos();
    }

    void succeeded(long startNanos, long endNanos) {
        loadedBefore = true;
        failure = null;
        lastEndNanos = endNanos;
        lastDurationNanos = endNanos - startNanos;
    }

    /**
     * A read has failed.
     *
     * @param generation of the map when the read began
     */
    void failed(PgException error, long nowNanos, long generation) {
        failure = error;
        failedNanos = nowNanos;
        failedGeneration = generation;
    }

    /**
     * The failure that is answered to everybody for one interval; null if there is none. A write that was confirmed
     * meanwhile ends it at once: it may be what repairs the rows.
     */
    @Nullable
    PgException failureAt(long nowNanos, long generation) {
        boolean stands = generation == failedGeneration && nowNanos - failedNanos < intervalNanos;
        return stands ? failure : null;
    }

    /**
     * How long a verifying reload must wait: the larger of the interval and twice the last load's duration, from that
     * load's end; but never so long that the statement which asks for it runs out of time.
     *
     * @return milliseconds, rounded up; 0 = now
     */
    long delayMillis(long nowNanos) {
        if (!loadedBefore) {
            return 0;
        }
        long spacing = Math.min(Math.max(intervalNanos, 2 * lastDurationNanos), slackNanos());
        return Timers.millis(lastEndNanos + spacing - nowNanos);
    }

    /** Whether a statement that misses right after a load cannot live to see the next one. */
    boolean isTooSlow() {
        return slackNanos() == 0;
    }

    private long slackNanos() {
        return Math.max(0, waitNanos - lastDurationNanos);
    }
}
