package dev.trunkline.proxy.engine;

import dev.trunkline.conf.General;
import java.time.Duration;
import java.util.stream.LongStream;

/**
 * How long clients and what they ask for may take; zero = as long as they like.
 *
 * @param query for one exchange, from its first message to its ReadyForQuery, waiting for a connection included
 * @param idle for a client that asks for nothing and is in no transaction
 * @param idleInTransaction for a client that asks for nothing while a transaction, or a batch without its Sync, is open
 */
public record Timeouts(Duration query, Duration idle, Duration idleInTransaction) {

    /** Times are looked at this often within the shortest of them: a timeout comes late by two looks at most. */
    private static final long LOOKS = 32;

    private static final long SHORTEST_PERIOD_MILLIS = 5;
    private static final long LONGEST_PERIOD_MILLIS = 1_000;

    /** Those of a configuration. */
    public static Timeouts of(General general) {
        return new Timeouts(
                general.queryTimeout(), general.clientIdleTimeout(), general.clientIdleInTransactionTimeout());
    }

    /** True when nothing has to be looked at. */
    boolean isNone() {
        return query.isZero() && idle.isZero() && idleInTransaction.isZero();
    }

    /** How often to look. */
    long periodMillis() {
        long shortest = LongStream.of(query.toMillis(), idle.toMillis(), idleInTransaction.toMillis())
                .filter(millis -> millis > 0)
                .min()
                .orElse(LONGEST_PERIOD_MILLIS);
        return Math.min(LONGEST_PERIOD_MILLIS, Math.max(SHORTEST_PERIOD_MILLIS, shortest / LOOKS));
    }
}
