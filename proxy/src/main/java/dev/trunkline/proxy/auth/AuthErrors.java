package dev.trunkline.proxy.auth;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.Severity;
import dev.trunkline.protocol.error.SqlState;

/**
 * Errors of authentication.
 *
 * <p>Those of the proxy's own login to a server are 08001 ERROR: to the client it is a shard without a connection,
 * whatever the cause; what is wrong with the proxy's account is told in the detail, for whoever configured it. Those of
 * a client's login are FATAL; a proof that is wrong is {@code ProtocolErrors.loginFailed}.
 */
public final class AuthErrors {

    private AuthErrors() {}

    /** 08001 ERROR: the server asks for a password and the configuration has none. */
    public static PgException noServerPassword(String user) {
        return loginImpossible(user, "The server asks for a password and none is configured.")
                .withHint("Set \"server_password\" of the user.");
    }

    /** 08001 ERROR: the server wants what cannot be told from a hash. */
    static PgException onlyHashKnown(String user) {
        return loginImpossible(user, "The server asks for a password of which only the MD5 hash is known.")
                .withHint("Set \"server_password\" of the user to the password.");
    }

    /** 08001 ERROR: the client has logged in by SCRAM, and its password is not known; the server wants it. */
    static PgException onlyKeysKnown(String user) {
        return loginImpossible(user, "The server asks for the password, and only its SCRAM keys are known.")
                .withHint("Set \"server_password\" of the user, or let pg_hba.conf ask for scram-sha-256.");
    }

    /** 08001 ERROR: the keys that a client has proven itself by belong to another verifier than the server's. */
    static PgException otherVerifier(String user) {
        return loginImpossible(
                        user, "The server stores another SCRAM verifier than the one that the client has logged in by.")
                .withHint("Store the same verifier on all servers (ALTER ROLE ... PASSWORD 'SCRAM-SHA-256$...'), or set"
                        + " \"server_password\" of the user.");
    }

    /** 08001 ERROR: the server offers no SASL mechanism that the proxy may choose on this connection. */
    public static PgException noMechanism(String user, String offered) {
        return loginImpossible(user, "The server offers " + offered + " only.")
                .withHint("The proxy speaks SCRAM-SHA-256, and SCRAM-SHA-256-PLUS over TLS.");
    }

    /** 08001 ERROR: the server does not prove that it knows the password: a wrong server, or someone in between. */
    public static PgException serverNotProven(String user) {
        return loginImpossible(user, "The server does not prove that it knows the password.");
    }

    /** 08001 ERROR: what the server sends follows neither RFC 5802 nor the order of the conversation. */
    public static PgException malformedByServer(String user, String detail) {
        return loginImpossible(user, "The server's part of the authentication is malformed: " + detail + ".");
    }

    /** 28000 FATAL, as PostgreSQL: the client was made to believe that channel binding is not offered. */
    static PgException bindingDowngraded() {
        return new PgException(
                        SqlState.INVALID_AUTHORIZATION_SPECIFICATION,
                        Severity.FATAL,
                        "SCRAM channel binding negotiation error")
                .withDetail("The client supports SCRAM channel binding but thinks the server does not. However, this"
                        + " server does support channel binding.");
    }

    /** 28000 FATAL, as PostgreSQL: the client has seen another certificate than ours; somebody stands in between. */
    static PgException bindingMismatch() {
        return new PgException(
                SqlState.INVALID_AUTHORIZATION_SPECIFICATION, Severity.FATAL, "SCRAM channel binding check failed");
    }

    /** 0A000 FATAL, as PostgreSQL: the name in the start-up packet is the only one. */
    static PgException authorizationIdentity() {
        return new PgException(
                SqlState.FEATURE_NOT_SUPPORTED,
                Severity.FATAL,
                "client uses authorization identity, but it is not supported");
    }

    private static PgException loginImpossible(String user, String detail) {
        return new PgException(
                        SqlState.SQLCLIENT_UNABLE_TO_ESTABLISH_SQLCONNECTION,
                        "cannot log in to the server as user \"" + user + "\"")
                .withDetail(detail);
    }
}
