package dev.trunkline.proxy.engine;

import dev.trunkline.proxy.measure.Counters;
import org.jspecify.annotations.Nullable;

/**
 * One client at one moment.
 *
 * @param id the process ID that the client was told
 * @param user as it named itself
 * @param address its address; null if it has none
 * @param state what it does
 * @param connectedNanos since its login
 * @param requestNanos since its last request was answered
 * @param isPinned it keeps its server connections, for their state cannot be moved
 * @param prepared statements that it has prepared
 * @param applicationName as it calls itself
 */
public record ClientView(
        int id,
        String user,
        String database,
        @Nullable String address,
        int port,
        State state,
        long connectedNanos,
        long requestNanos,
        Counters counters,
        boolean isPinned,
        int prepared,
        String applicationName) {

    /** What a client does. */
    public enum State {
        /** Nothing. */
        IDLE("idle"),
        /** Nothing, within a transaction. */
        IDLE_IN_TRANSACTION("idle in transaction"),
        /** It waits for an answer. */
        ACTIVE("active"),
        /** It waits for a server connection. */
        WAITING("waiting");

        private final String label;

        State(String label) {
            this.label = label;
        }

        /** As operators see it. */
        public String label() {
            return label;
        }
    }
}
