package dev.trunkline.lookup;

import dev.trunkline.lookup.map.MapFault;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.SqlState;
import dev.trunkline.routing.key.ShardingKey;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * What a client is told when its statement could not be translated.
 *
 * <p>Always 40001, for which clients retry a transaction by themselves; the codes of lost or starting servers would
 * make connection pools throw away a healthy connection. The message names the lookup table and the column; what
 * happened stands in the DETAIL, and there alone may a key value stand: messages are logged.
 */
final class LookupErrors {

    private static final int VALUES_SHOWN = 5;

    private static final Throwable NO_ANSWER = new TimeoutException("no answer");

    private LookupErrors() {}

    /** A read that was sent after the statement began has no row for some of its values. */
    static PgException noRow(LookupDefinition lookup, List<ShardingKey> missing) {
        String values = missing.stream()
                .limit(VALUES_SHOWN)
                .map(key -> "\"" + key + "\"")
                .collect(Collectors.joining(", "));
        String more = missing.size() > VALUES_SHOWN ? " and " + (missing.size() - VALUES_SHOWN) + " more" : "";
        return failed(lookup, "no row for a value")
                .withDetail("The lookup query returns no row for " + values + more + ".")
                .withHint("Insert the mapping first; every value of the column needs a row.");
    }

    /** The query failed, or its rows are not a map. */
    static PgException loadFailed(LookupDefinition lookup, String reason) {
        return failed(lookup, "the map could not be loaded").withDetail(sentence(reason));
    }

    /** The rows of the query are not a map. */
    static PgException badRows(LookupDefinition lookup, MapFault fault) {
        return loadFailed(lookup, fault.getMessage() + ": " + fault.detail());
    }

    /** Shard 0 could not be reached, or the connection broke. */
    static PgException noServer(LookupDefinition lookup) {
        return failed(lookup, "the map could not be loaded").withDetail("The primary of shard 0 cannot be reached.");
    }

    /** No answer within the time that a statement may wait. */
    static PgException timedOut(LookupDefinition lookup, Duration wait) {
        return failed(lookup, "timed out")
                .withDetail("No answer from shard 0 within " + wait.toMillis() + " ms.")
                .withCause(NO_ANSWER);
    }

    /** True for what {@link #timedOut} has made. */
    static boolean isTimeout(PgException failure) {
        return failure.getCause() == NO_ANSWER;
    }

    /** The transaction began before a change of the lookup that has been committed since: a new one will see it. */
    static PgException outdated(LookupDefinition lookup) {
        return failed(lookup, "the mapping has changed")
                .withDetail("The transaction reads the lookup table as it was at the transaction's beginning.")
                .withHint("Retry the transaction.");
    }

    /** 0A000: nothing that a retry would mend; in another transaction the loader reads the lookup. */
    static PgException readsOtherwise(LookupDefinition lookup, String reason) {
        return new PgException(
                        SqlState.FEATURE_NOT_SUPPORTED,
                        "a sharding key cannot be translated in a transaction that has written its lookup table")
                .withDetail(sentence(reason))
                .withHint("Commit the change of the lookup table first.")
                .withObject(lookup.schema(), lookup.table(), lookup.column());
    }

    /** The lookup has been shut down, or not been started. */
    static PgException notRunning(LookupDefinition lookup) {
        return failed(lookup, "the lookup is not running").withDetail("The proxy is starting or shutting down.");
    }

    /** 55P03, so that a client may tell it from a failed translation: the write was not begun. */
    static PgException writesPaused(LookupDefinition lookup) {
        return new PgException(
                        SqlState.LOCK_NOT_AVAILABLE, "writes to lookup table \"" + lookup.table() + "\" are paused")
                .withHint("Retry when an administrator has resumed writes.")
                .withObject(lookup.schema(), lookup.table(), null);
    }

    /** 55P03: the writes that were open when the pause began did not end in time; nothing is paused. */
    static PgException pauseTimedOut(LookupDefinition lookup, int writers) {
        return new PgException(
                        SqlState.LOCK_NOT_AVAILABLE,
                        "writes to lookup table \"" + lookup.table() + "\" could not be paused")
                .withDetail(writers + " open transactions have written it.")
                .withObject(lookup.schema(), lookup.table(), null);
    }

    private static PgException failed(LookupDefinition lookup, String what) {
        return new PgException(
                        SqlState.SERIALIZATION_FAILURE,
                        "sharding key lookup failed: " + what + " (table \"" + lookup.table() + "\", column \""
                                + lookup.column() + "\")")
                .withObject(lookup.schema(), lookup.table(), lookup.column());
    }

    private static String sentence(String text) {
        String capital = text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
        return capital.endsWith(".") ? capital : capital + ".";
    }
}
