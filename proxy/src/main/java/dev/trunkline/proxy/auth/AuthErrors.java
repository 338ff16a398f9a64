package dev.trunkline.proxy.auth;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.SqlState;

/**
 * Errors of the proxy's own login to a server.
 *
 * <p>All are 08001 ERROR: to the client it is a shard without a connection, whatever the cause; what is wrong with the
 * proxy's account is told in the detail, for whoever configured it. A client's failed login is {@code
 * ProtocolErrors.loginFailed}.
 */
public final class AuthErrors {

    private AuthErrors() {}

    /** 08001 ERROR: the server asks for a password and the configuration has none. */
    public static PgException noServerPassword(String user) {
        return loginImpossible(user, "The server asks for a password and none is configured.")
                .withHint("Set \"server_password\" of the user.");
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

    private static PgException loginImpossible(String user, String detail) {
        return new PgException(
                        SqlState.SQLCLIENT_UNABLE_TO_ESTABLISH_SQLCONNECTION,
                        "cannot log in to the server as user \"" + user + "\"")
                .withDetail(detail);
    }
}
