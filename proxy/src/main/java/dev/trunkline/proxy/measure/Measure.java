package dev.trunkline.proxy.measure;

import org.jspecify.annotations.Nullable;

/**
 * What is counted of a pool, a server connection or a client. The labels are those that operators know from other
 * poolers: {@code SHOW STATS} has them with {@code total_} and {@code avg_} in front, the metrics likewise.
 */
public enum Measure {
    /** Transactions that have ended, a statement outside of a block being one. */
    XACT_COUNT("xact_count"),
    /** Transactions committed in two phases. */
    XACT_2PC_COUNT("xact_2pc_count"),
    /** Statements: each Query and each Execute. */
    QUERY_COUNT("query_count"),
    /** Connections given to sessions. */
    SERVER_ASSIGNMENT_COUNT("server_assignment_count"),
    /** Bytes from servers; of a client, from the client. */
    RECEIVED("received"),
    /** Bytes to servers; of a client, to the client. */
    SENT("sent"),
    /** Nanoseconds within transactions. */
    XACT_TIME("xact_time", XACT_COUNT),
    /** Nanoseconds within transactions in which the server had nothing to do. */
    IDLE_XACT_TIME("idle_xact_time", XACT_COUNT),
    /** Nanoseconds in which a server owed answers. */
    QUERY_TIME("query_time", QUERY_COUNT),
    /** Nanoseconds that sessions have waited for connections. */
    WAIT_TIME("wait_time", SERVER_ASSIGNMENT_COUNT),
    /** Parse messages sent to servers. */
    SERVER_PARSE_COUNT("server_parse_count"),
    /** Bind messages sent to servers. */
    BIND_COUNT("bind_count"),
    /** Close messages sent to servers. */
    CLOSE_COUNT("close_count"),
    /** Errors that servers have answered; of a client, all that it was told. */
    ERRORS("errors"),
    /** Connections reset before another session got them. */
    CLEANED("cleaned"),
    /** Transactions rolled back because the client was gone. */
    ROLLBACKS("rollbacks"),
    /** Connections opened. */
    CONNECT_COUNT("connect_count"),
    /** Nanoseconds that opening connections took. */
    CONNECT_TIME("connect_time", CONNECT_COUNT),
    /** Statements that returned rows. */
    READS("reads"),
    /** Statements that wrote rows. */
    WRITES("writes"),
    /** Logins on servers. */
    AUTH_ATTEMPTS("auth_attempts"),
    /** Rows inserted, COPY included. */
    ROWS_INSERTED("rows_inserted"),
    /** Rows updated. */
    ROWS_UPDATED("rows_updated"),
    /** Rows deleted. */
    ROWS_DELETED("rows_deleted"),
    /** Prepared statements closed because a connection had too many. */
    PREPARED_EVICTIONS("prepared_evictions"),
    /** Connections given up because the server broke the protocol. */
    OUT_OF_SYNC("out_of_sync"),
    /** Connections closed while a session held them. */
    FORCE_CLOSED("force_closed");

    private final String label;
    private final @Nullable Measure divisor;

    Measure(String label) {
        this(label, null);
    }

    Measure(String label, @Nullable Measure divisor) {
        this.label = label;
        this.divisor = divisor;
    }

    /** As operators know it, such as {@code xact_count}. */
    public String label() {
        return label;
    }

    /** True for nanoseconds, which are shown as microseconds. */
    public boolean isTime() {
        return divisor != null;
    }

    /** What a time is divided by for its average; null for a count, which is divided by the seconds gone by. */
    public @Nullable Measure divisor() {
        return divisor;
    }
}
