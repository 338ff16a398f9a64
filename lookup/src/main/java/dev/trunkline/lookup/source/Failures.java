package dev.trunkline.lookup.source;

import dev.trunkline.lookup.map.MapFault;
import dev.trunkline.lookup.source.SourceException.Kind;
import io.vertx.pgclient.PgException;

/** What a failure of the client library means for a lookup. */
final class Failures {

    private Failures() {}

    /** A SourceException or a MapFault for anything. */
    static Throwable of(Throwable cause) {
        if (cause instanceof SourceException || cause instanceof MapFault) {
            return cause;
        }
        return cause instanceof PgException refusal ? ofServer(refusal) : unreachable(cause);
    }

    /** Whether the connection broke: nothing that the server or we ourselves have said about a read. */
    static boolean isLostConnection(Throwable cause) {
        if (cause instanceof SourceException || cause instanceof MapFault) {
            return false;
        }
        return !(cause instanceof PgException refusal) || kind(refusal) == Kind.UNREACHABLE;
    }

    /**
     * Whatever keeps a connection from being opened: a refused login, too, of which a client of the proxy must not hear
     * more than that it happened.
     */
    static SourceException unreachable(Throwable cause) {
        return new SourceException(Kind.UNREACHABLE, "shard 0 cannot be reached", cause);
    }

    private static SourceException ofServer(PgException refusal) {
        // Messages of data exceptions quote the data, and a key value must not come into a log.
        String text = refusal.getSqlState().startsWith("22")
                ? "the query fails with SQLSTATE " + refusal.getSqlState()
                : refusal.getErrorMessage();
        return new SourceException(kind(refusal), text, refusal);
    }

    private static Kind kind(PgException refusal) {
        return switch (refusal.getSqlState()) {
            // lock_not_available, query_canceled, deadlock_detected, serialization_failure
            case "55P03", "57014", "40P01", "40001" -> Kind.BUSY;
            // too_many_connections, admin_shutdown, crash_shutdown, cannot_connect_now, database_dropped,
            // idle_session_timeout
            case "53300", "57P01", "57P02", "57P03", "57P04", "57P05" -> Kind.UNREACHABLE;
            default -> refusal.getSqlState().startsWith("08") ? Kind.UNREACHABLE : Kind.REFUSED;
        };
    }
}
