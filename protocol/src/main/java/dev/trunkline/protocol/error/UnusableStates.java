package dev.trunkline.protocol.error;

import java.util.Map;

/**
 * The SQLSTATEs after which a server connection is closed instead of being used again.
 *
 * <p>An ErrorResponse of severity FATAL or PANIC always means the same, whatever its code.
 */
public final class UnusableStates {

    private static final Map<String, String> REASONS = Map.of(
            "57P01", "admin_shutdown: the server ends the session",
            "57P02", "crash_shutdown: another backend crashed, shared memory is reset",
            "57P03", "cannot_connect_now: there is no session behind the connection",
            "57P04", "database_dropped: the session has lost its database",
            "57P05", "idle_session_timeout: the server ends the session",
            "25P03", "idle_in_transaction_session_timeout: the server ends the session",
            "25P04", "transaction_timeout: the server ends the session");

    private UnusableStates() {}

    /** Whether a server connection that reported the SQLSTATE has to be closed. */
    public static boolean contains(String sqlState) {
        // 08: the protocol or the connection itself broke, so that the position in the stream is not known.
        return sqlState.startsWith("08") || REASONS.containsKey(sqlState);
    }
}
