package dev.trunkline.proxy.frontend;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.Severity;
import dev.trunkline.protocol.error.SqlState;

/** Why a login is refused, beyond what the protocol's own errors say. */
final class FrontendErrors {

    private FrontendErrors() {}

    /** 42601, as PostgreSQL refuses a command line switch that it does not know. */
    static PgException unsupportedOption(String option) {
        return new PgException(
                        SqlState.SYNTAX_ERROR,
                        Severity.FATAL,
                        "unsupported command-line option in the start-up packet: " + option)
                .withHint("Only \"-c name=value\" and \"--name=value\" are supported.");
    }

    /** 0A000: a replication connection belongs to one server; there is no stream over shards. */
    static PgException replication() {
        return new PgException(
                        SqlState.FEATURE_NOT_SUPPORTED, Severity.FATAL, "replication connections are not supported")
                .withHint("Connect to the shard itself.");
    }

    /** 08P01, as PostgreSQL: bytes that came before the answer to a request for encryption are not the client's. */
    static PgException unencryptedData() {
        return new PgException(
                        SqlState.PROTOCOL_VIOLATION, Severity.FATAL, "received unencrypted data after SSL request")
                .withDetail("This could be either a client-software bug or evidence of an attempted man-in-the-middle"
                        + " attack.");
    }

    /** 08P01, as PostgreSQL: TLS without asking first is only for those who say that they mean this protocol. */
    static PgException directWithoutProtocol() {
        return new PgException(
                SqlState.PROTOCOL_VIOLATION,
                Severity.FATAL,
                "received direct SSL connection request without ALPN protocol negotiation extension");
    }

    /** 28000, as PostgreSQL: nothing was wrong with what the client has shown, it has shown none. */
    static PgException certificateRequired() {
        return new PgException(
                SqlState.INVALID_AUTHORIZATION_SPECIFICATION,
                Severity.FATAL,
                "connection requires a valid client certificate");
    }

    /** 28000, as PostgreSQL; the same whether there is such a user or not. */
    static PgException certificateOfAnother(String user) {
        return new PgException(
                SqlState.INVALID_AUTHORIZATION_SPECIFICATION,
                Severity.FATAL,
                "certificate authentication failed for user \"" + user + "\"");
    }

    /** 57P03: no server could be asked for the user's password; nothing is known of it, and the client may try again. */
    static PgException nobodyToAsk() {
        return new PgException(SqlState.CANNOT_CONNECT_NOW, Severity.FATAL, "no server can be asked who may log in")
                .withHint("Try again in a few seconds.");
    }

    /** 53300: pools made on demand are bounded, for every name costs memory. */
    static PgException tooManyUsers() {
        return new PgException(
                SqlState.TOO_MANY_CONNECTIONS, Severity.FATAL, "too many users that the configuration does not name");
    }
}
