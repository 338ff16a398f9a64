package dev.trunkline.protocol.error;

import org.jspecify.annotations.Nullable;

/**
 * The SQLSTATE codes that the proxy itself sends, with PostgreSQL's condition names.
 *
 * @see <a href="https://www.postgresql.org/docs/18/errcodes-appendix.html">PostgreSQL error codes</a>
 */
public enum SqlState {
    SUCCESSFUL_COMPLETION("00000"),
    WARNING("01000"),
    CONNECTION_EXCEPTION("08000"),
    SQLCLIENT_UNABLE_TO_ESTABLISH_SQLCONNECTION("08001"),
    SQLSERVER_REJECTED_ESTABLISHMENT_OF_SQLCONNECTION("08004"),
    CONNECTION_FAILURE("08006"),
    PROTOCOL_VIOLATION("08P01"),
    FEATURE_NOT_SUPPORTED("0A000"),
    NULL_VALUE_NOT_ALLOWED("22004"),
    NUMERIC_VALUE_OUT_OF_RANGE("22003"),
    CHARACTER_NOT_IN_REPERTOIRE("22021"),
    INVALID_PARAMETER_VALUE("22023"),
    INVALID_TEXT_REPRESENTATION("22P02"),
    INVALID_BINARY_REPRESENTATION("22P03"),
    BAD_COPY_FILE_FORMAT("22P04"),
    ACTIVE_SQL_TRANSACTION("25001"),
    NO_ACTIVE_SQL_TRANSACTION("25P01"),
    IN_FAILED_SQL_TRANSACTION("25P02"),
    IDLE_IN_TRANSACTION_SESSION_TIMEOUT("25P03"),
    INVALID_SQL_STATEMENT_NAME("26000"),
    INVALID_AUTHORIZATION_SPECIFICATION("28000"),
    INVALID_PASSWORD("28P01"),
    INVALID_CURSOR_NAME("34000"),
    INVALID_SAVEPOINT_SPECIFICATION("3B001"),
    SERIALIZATION_FAILURE("40001"),
    STATEMENT_COMPLETION_UNKNOWN("40003"),
    SYNTAX_ERROR("42601"),
    UNDEFINED_TABLE("42P01"),
    UNDEFINED_COLUMN("42703"),
    UNDEFINED_PARAMETER("42P02"),
    DUPLICATE_CURSOR("42P03"),
    DUPLICATE_PREPARED_STATEMENT("42P05"),
    INSUFFICIENT_PRIVILEGE("42501"),
    UNDEFINED_OBJECT("42704"),
    INSUFFICIENT_RESOURCES("53000"),
    OUT_OF_MEMORY("53200"),
    TOO_MANY_CONNECTIONS("53300"),
    PROGRAM_LIMIT_EXCEEDED("54000"),
    STATEMENT_TOO_COMPLEX("54001"),
    OBJECT_NOT_IN_PREREQUISITE_STATE("55000"),
    CANT_CHANGE_RUNTIME_PARAM("55P02"),
    LOCK_NOT_AVAILABLE("55P03"),
    QUERY_CANCELED("57014"),
    ADMIN_SHUTDOWN("57P01"),
    CANNOT_CONNECT_NOW("57P03"),
    IDLE_SESSION_TIMEOUT("57P05"),
    CONFIG_FILE_ERROR("F0000"),
    INTERNAL_ERROR("XX000");

    private final String code;

    SqlState(String code) {
        this.code = code;
    }

    /** The constant of a code, or null for one that the proxy itself never sends. */
    public static @Nullable SqlState of(String code) {
        for (SqlState state : values()) {
            if (state.code.equals(code)) {
                return state;
            }
        }
        return null;
    }

    /** The five characters of field C. */
    public String code() {
        return code;
    }

    /** The class: the first two characters. */
    public String errorClass() {
        return code.substring(0, 2);
    }
}
