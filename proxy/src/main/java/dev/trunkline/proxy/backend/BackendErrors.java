package dev.trunkline.proxy.backend;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.SqlState;

/** What can go wrong between the proxy and a server. */
public final class BackendErrors {

    private BackendErrors() {}

    /** The server sent a message that nothing asked for: the connection cannot be trusted any more. */
    public static PgException unexpectedMessage(ServerAddress address) {
        return new PgException(SqlState.CONNECTION_FAILURE, "server sent an unexpected message")
                .withDetail("Shard " + address.shard() + ".");
    }

    /** 08001: nothing was sent yet, so the request can be repeated as it is. */
    public static PgException unreachable(ServerAddress address, Throwable cause) {
        return new PgException(
                        SqlState.SQLCLIENT_UNABLE_TO_ESTABLISH_SQLCONNECTION,
                        "could not connect to the server of shard " + address.shard())
                .withDetail(String.valueOf(cause.getMessage()))
                .withHint("Check that the server runs and accepts connections; the request can be repeated.");
    }

    /** 08001 with the server's own words: it answered, and refused the login. */
    public static PgException loginRefused(ServerAddress address, String state, String message) {
        return new PgException(
                        SqlState.SQLCLIENT_UNABLE_TO_ESTABLISH_SQLCONNECTION,
                        "the server of shard " + address.shard() + " refused the connection")
                .withDetail(message + " (SQLSTATE " + state + ").");
    }

    /** 08006: the request may or may not have been carried out. */
    public static PgException connectionLost(ServerAddress address) {
        return new PgException(
                        SqlState.CONNECTION_FAILURE,
                        "connection to the server of shard " + address.shard() + " was lost")
                .withHint("The outcome of the statement is unknown if it had been sent; the session can go on.");
    }
}
