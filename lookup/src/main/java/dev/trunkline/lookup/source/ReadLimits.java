package dev.trunkline.lookup.source;

import java.time.Duration;

/**
 * How long a read may take.
 *
 * @param connectMillis to open a connection
 * @param lockMillis to wait for a lock on a relation
 * @param statementMillis the statement on the server
 * @param silenceMillis without a sign of life before the server is asked what it is doing
 */
record ReadLimits(long connectMillis, long lockMillis, long statementMillis, long silenceMillis) {

    /**
     * Far beyond ten million rows, which take twenty seconds: the load goes on when the statements that wait for it
     * have long been refused, else a big table could never be used.
     */
    private static final Duration LONGEST_LOAD = Duration.ofMinutes(10);

    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(5);

    /** A load that nothing disturbs may run long; one that is held up is given up at half of the wait, and retried. */
    static ReadLimits ofLoad(Duration wait) {
        long half = Math.max(1, wait.toMillis() / 2);
        return new ReadLimits(connectMillis(half), half, LONGEST_LOAD.toMillis(), half);
    }

    /** A probe reads a few rows: what takes half of the wait is left to a load. */
    static ReadLimits ofProbe(Duration wait) {
        long half = Math.max(1, wait.toMillis() / 2);
        return new ReadLimits(connectMillis(half), half, half, half);
    }

    private static long connectMillis(long half) {
        return Math.min(half, LONGEST_CONNECT.toMillis());
    }

    /** Opens the transaction of a read; fails on a standby. */
    String begin() {
        return "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL row_security = off; SET LOCAL lock_timeout = "
                + lockMillis + "; SET LOCAL statement_timeout = " + statementMillis;
    }
}
