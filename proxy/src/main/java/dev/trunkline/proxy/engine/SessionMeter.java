package dev.trunkline.proxy.engine;

import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.proxy.measure.Counters;
import dev.trunkline.proxy.measure.Measure;
import dev.trunkline.routing.Statement;
import org.jspecify.annotations.Nullable;

/** What one client has done and how long it took; on the session's event loop. */
final class SessionMeter {

    private SessionPlace place;
    private final int processId;
    private final Leases leases;
    private final Counters counters = new Counters();
    private final long startedNanos = System.nanoTime();
    private long answeredNanos = startedNanos;
    private long requestSinceNanos;
    private @Nullable Statement asked;

    SessionMeter(SessionPlace place, int processId, Leases leases) {
        this.place = place;
        this.processId = processId;
        this.leases = leases;
    }

    void moveTo(SessionPlace newPlace) {
        place = newPlace;
    }

    /** What the client has done and was told, live; times of statements that went to one shard are the server's. */
    Counters counters() {
        return counters;
    }

    void count(Measure measure) {
        counters.count(measure);
    }

    /** Notes what the client asks, if it may be logged: null = nothing that is a statement. */
    void asks(@Nullable Statement statement) {
        // A statement may be long, and a session idle for days.
        if (place.slowNanos() < Long.MAX_VALUE) {
            asked = statement;
        }
    }

    /** A request begins that the session itself will answer. */
    void requestBegins() {
        requestSinceNanos = System.nanoTime();
    }

    /**
     * The session has told the client ReadyForQuery.
     *
     * @param idle no transaction is open
     */
    void answered(boolean idle) {
        if (idle) {
            counters.count(Measure.XACT_COUNT);
        }
        if (requestSinceNanos != 0) {
            answeredNanos = System.nanoTime();
            took(answeredNanos - requestSinceNanos);
            requestSinceNanos = 0;
        }
    }

    /** A server has; otherwise the same. */
    void answeredBy(ServerConnection server, boolean idle) {
        answeredNanos = server.lastReadyNanos();
        requestSinceNanos = 0;
        took(server.lastBusyNanos());
        if (idle) {
            counters.count(Measure.XACT_COUNT);
            counters.add(Measure.XACT_TIME, server.lastTransactionNanos());
        }
    }

    private void took(long nanos) {
        counters.add(Measure.QUERY_TIME, nanos);
        if (nanos > place.slowNanos()) {
            SlowLog.write(place, processId, asked, nanos);
        }
        if (asked != null && !leases.isAnswerOwed()) {
            asked = null;
        }
    }

    long sinceStart(long nowNanos) {
        return nowNanos - startedNanos;
    }

    long sinceAnswer(long nowNanos) {
        return nowNanos - answeredNanos;
    }
}
