package dev.trunkline.proxy.pool;

import dev.trunkline.protocol.TransactionStatus;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.proxy.measure.Counters;

/**
 * One server connection at one moment; of one that another loop has borrowed, a moment ago.
 *
 * @param state what it does
 * @param processId the server process
 * @param connectedNanos for how long it has been open
 * @param requestNanos since it was sent its last request
 * @param readyNanos since the server was ready last
 * @param prepared statements prepared on it
 * @param applicationName as the server knows it
 */
public record ServerView(
        State state,
        int processId,
        long connectedNanos,
        long requestNanos,
        long readyNanos,
        int prepared,
        String applicationName,
        Counters counters) {

    /** What a connection does. */
    public enum State {
        /** It waits for a session. */
        IDLE("idle"),
        /** A session has it. */
        ACTIVE("active"),
        /** A session has it within a transaction, and has asked nothing at present. */
        IDLE_IN_TRANSACTION("idle in transaction");

        private final String label;

        State(String label) {
            this.label = label;
        }

        /** As operators see it. */
        public String label() {
            return label;
        }
    }

    static ServerView of(ServerConnection server, boolean isIdle) {
        long now = System.nanoTime();
        return new ServerView(
                state(server, isIdle),
                server.processId(),
                server.ageNanos(),
                server.lastRequestNanos() == 0 ? server.ageNanos() : now - server.lastRequestNanos(),
                now - server.lastReadyNanos(),
                server.prepared().size(),
                server.parameters().getOrDefault("application_name", ""),
                server.counters().copy());
    }

    private static State state(ServerConnection server, boolean isIdle) {
        if (isIdle) {
            return State.IDLE;
        }
        return server.isSettled() && server.status() != TransactionStatus.IDLE
                ? State.IDLE_IN_TRANSACTION
                : State.ACTIVE;
    }
}
