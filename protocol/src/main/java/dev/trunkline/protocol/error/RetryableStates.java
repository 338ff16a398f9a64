package dev.trunkline.protocol.error;

import java.util.Map;

/**
 * The SQLSTATEs after which the same request, sent again, may succeed and does nothing twice.
 *
 * <p>Codes that leave open whether the request took effect are not in the list: 08006 and 57P01 may arrive after the
 * commit, and 40003 says so itself.
 */
public final class RetryableStates {

    private static final Map<String, String> REASONS = Map.of(
            "40001", "serialization_failure: rolled back, another order of transactions may pass",
            "40P01", "deadlock_detected: rolled back, the other side has its locks now",
            "55P03", "lock_not_available: refused before it did anything",
            "53300", "too_many_connections: refused before it did anything",
            "57P03", "cannot_connect_now: refused before it did anything, a start takes seconds",
            "08001", "sqlclient_unable_to_establish_sqlconnection: never sent");

    private RetryableStates() {}

    /** Whether a request that failed with the SQLSTATE may be sent again as it is. */
    public static boolean contains(String sqlState) {
        return REASONS.containsKey(sqlState);
    }
}
