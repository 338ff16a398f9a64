package dev.trunkline.protocol.error;

/**
 * The errors of the protocol itself and of a session's life.
 *
 * <p>ERROR keeps the connection, FATAL ends it: FATAL is used where the byte stream can no longer be trusted or where
 * no session exists yet. Where PostgreSQL has a wording that drivers recognise, it is used.
 */
public final class ProtocolErrors {

    private ProtocolErrors() {}

    /**
     * 08P01 FATAL: the body contradicts the message's layout. PostgreSQL raises an ERROR here; behind a proxy the bytes
     * that follow may already have gone to a server, so that the only safe answer is to end the connection.
     */
    public static PgException malformedMessage(String message, String detail) {
        return new PgException(SqlState.PROTOCOL_VIOLATION, Severity.FATAL, "malformed message " + message)
                .withDetail(sentence(detail));
    }

    /** 08P01 FATAL: a length that no message of this type can have; where the next frame begins is unknown. */
    public static PgException invalidLength(String message, long bytes) {
        return new PgException(SqlState.PROTOCOL_VIOLATION, Severity.FATAL, "invalid length of message " + message)
                .withDetail("The length is " + bytes + " bytes.");
    }

    /**
     * 54000 ERROR: a well-formed statement beyond {@code max_message_size}. A limit of ours and not a fault of the
     * stream: the session passes over the body and goes on.
     */
    public static PgException messageTooLarge(String message, long bytes, long limitBytes) {
        return new PgException(
                        SqlState.PROGRAM_LIMIT_EXCEEDED, "message " + message + " is larger than max_message_size")
                .withDetail("It has " + bytes + " bytes; the limit is " + limitBytes + " bytes.")
                .withHint("Raise \"max_message_size\", or send the data with COPY.");
    }

    /** 08P01 FATAL: a type that this side never sends, or not in this phase; both sides disagree on where they are. */
    public static PgException unexpectedMessage(byte type) {
        return new PgException(
                SqlState.PROTOCOL_VIOLATION, Severity.FATAL, "unexpected message type " + printable(type));
    }

    /** 0A000 FATAL: PostgreSQL's answer to a major version it does not speak; there is no common language to go on in. */
    public static PgException unsupportedProtocol(int version) {
        return new PgException(
                        SqlState.FEATURE_NOT_SUPPORTED,
                        Severity.FATAL,
                        "unsupported frontend protocol " + (version >>> 16) + "." + (version & 0xffff))
                .withDetail("Protocol 3.0 and its minor versions are supported.");
    }

    /** 0A000 ERROR: the server demands a way to log in that the proxy does not have; another server may not. */
    public static PgException unsupportedAuthentication(int code) {
        return new PgException(SqlState.FEATURE_NOT_SUPPORTED, "the server demands authentication method " + code)
                .withHint("Let pg_hba.conf offer scram-sha-256, md5, password or trust to the proxy.");
    }

    /** 28000 FATAL: PostgreSQL's answer to a startup packet without user; before a session every error is FATAL. */
    public static PgException noUserName() {
        return new PgException(
                SqlState.INVALID_AUTHORIZATION_SPECIFICATION,
                Severity.FATAL,
                "no PostgreSQL user name specified in startup packet");
    }

    /** 22021 ERROR: a name that cannot be told apart from others safely; the frame itself is sound. */
    public static PgException nameNotUtf8(String message) {
        return new PgException(
                        SqlState.CHARACTER_NOT_IN_REPERTOIRE, "a name in message " + message + " is not valid UTF-8")
                .withHint("Use names of ASCII characters, or set client_encoding to UTF8.");
    }

    /** 26000 ERROR: as PostgreSQL; the client may prepare the statement and go on. */
    public static PgException unknownStatement(String name) {
        return new PgException(
                SqlState.INVALID_SQL_STATEMENT_NAME,
                name.isEmpty()
                        ? "unnamed prepared statement does not exist"
                        : "prepared statement \"" + name + "\" does not exist");
    }

    /** 34000 ERROR: as PostgreSQL; a portal lives no longer than its transaction. */
    public static PgException unknownPortal(String name) {
        return new PgException(SqlState.INVALID_CURSOR_NAME, "portal \"" + name + "\" does not exist");
    }

    /** 42P05 ERROR: as PostgreSQL; a named statement must be closed before its name is used again. */
    public static PgException duplicateStatement(String name) {
        return new PgException(
                SqlState.DUPLICATE_PREPARED_STATEMENT, "prepared statement \"" + name + "\" already exists");
    }

    /** 42P03 ERROR: as PostgreSQL; a named portal must be closed before its name is used again. */
    public static PgException duplicatePortal(String name) {
        return new PgException(SqlState.DUPLICATE_CURSOR, "cursor \"" + name + "\" already exists");
    }

    /** 08P01 ERROR: as PostgreSQL. The frame is sound and its end is known, so that the session goes on. */
    public static PgException parameterCountMismatch(int supplied, String statement, int required) {
        return new PgException(
                SqlState.PROTOCOL_VIOLATION,
                "bind message supplies " + supplied + " parameters, but prepared statement \"" + statement
                        + "\" requires " + required);
    }

    /** 08P01 ERROR: as PostgreSQL; format codes come for none, for all at once or for each parameter. */
    public static PgException formatCountMismatch(int formats, int parameters) {
        return new PgException(
                SqlState.PROTOCOL_VIOLATION,
                "bind message has " + formats + " parameter formats but " + parameters + " parameters");
    }

    /** 22023 ERROR: as PostgreSQL; there is text (0) and binary (1). */
    public static PgException unsupportedFormat(int code) {
        return new PgException(SqlState.INVALID_PARAMETER_VALUE, "unsupported format code: " + code);
    }

    /** 0A000 ERROR: what the proxy does not do (yet), with what to do instead; the session goes on. */
    public static PgException featureNotBuilt(String what, String hint) {
        return new PgException(SqlState.FEATURE_NOT_SUPPORTED, what + " is not supported").withHint(hint);
    }

    /**
     * 28P01 FATAL: one text for an unknown user, an unknown database and a wrong password, so that nobody learns from
     * the answer which names exist.
     */
    public static PgException loginFailed(String user, String database) {
        return new PgException(
                        SqlState.INVALID_PASSWORD,
                        Severity.FATAL,
                        "login failed for user \"" + user + "\" and database \"" + database + "\"")
                .withDetail("The password is wrong, or there is no such user or database.");
    }

    /** 08P01 FATAL: SASL data that does not follow RFC 5802, as PostgreSQL answers it. */
    public static PgException malformedSasl(String detail) {
        return new PgException(SqlState.PROTOCOL_VIOLATION, Severity.FATAL, "malformed SCRAM message")
                .withDetail(sentence(detail));
    }

    /**
     * 08004 FATAL: the configuration demands TLS. Refused before authentication, so that no password travels in clear.
     */
    public static PgException tlsRequired() {
        return new PgException(
                        SqlState.SQLSERVER_REJECTED_ESTABLISHMENT_OF_SQLCONNECTION,
                        Severity.FATAL,
                        "the connection is not encrypted")
                .withHint("Connect with sslmode=require.");
    }

    /** 57014 FATAL: PostgreSQL's answer when the login takes longer than allowed. */
    public static PgException loginTimeout() {
        return new PgException(SqlState.QUERY_CANCELED, Severity.FATAL, "canceling authentication due to timeout");
    }

    /** 57P03 FATAL: listening, but not yet able to serve; clients know it as "try again". */
    public static PgException starting(String database) {
        return new PgException(
                        SqlState.CANNOT_CONNECT_NOW,
                        Severity.FATAL,
                        "database \"" + database + "\" is not ready to accept connections")
                .withHint("Try again in a few seconds.");
    }

    /** 57P03 FATAL: listening, but no longer able to serve; as PostgreSQL answers logins while it shuts down. */
    public static PgException stopping() {
        return new PgException(SqlState.CANNOT_CONNECT_NOW, Severity.FATAL, "the database system is shutting down");
    }

    /** 57P01 FATAL: PostgreSQL's answer to sessions when an administrator shuts down; pools replace the connection. */
    public static PgException shuttingDown() {
        return new PgException(
                SqlState.ADMIN_SHUTDOWN, Severity.FATAL, "terminating connection due to administrator command");
    }

    /** 53300 FATAL: as PostgreSQL; the limit concerns logins, hence no session to keep. */
    public static PgException tooManyClients() {
        return new PgException(SqlState.TOO_MANY_CONNECTIONS, Severity.FATAL, "sorry, too many clients already")
                .withHint("Raise max_client_connections, or connect less often.");
    }

    /** 57014 ERROR: as PostgreSQL; the client asked for it and keeps its session. */
    public static PgException canceled() {
        return new PgException(SqlState.QUERY_CANCELED, "canceling statement due to user request");
    }

    /** 25P02 ERROR: as PostgreSQL; in a failed transaction only its end is carried out. */
    public static PgException transactionFailed() {
        return new PgException(
                SqlState.IN_FAILED_SQL_TRANSACTION,
                "current transaction is aborted, commands ignored until end of transaction block");
    }

    /** XX000 ERROR: a fault of ours. The client gets an id that the log repeats with the cause, and nothing else. */
    public static PgException internal(String id) {
        return new PgException(SqlState.INTERNAL_ERROR, "internal error " + id)
                .withHint("The log of the proxy tells the cause under this id.");
    }

    private static String sentence(String detail) {
        return detail.isEmpty() ? detail : Character.toUpperCase(detail.charAt(0)) + detail.substring(1) + ".";
    }

    private static String printable(byte type) {
        int code = type & 0xff;
        return code > ' ' && code < 0x7f ? "'" + (char) code + "'" : String.valueOf(code);
    }
}
