package dev.trunkline.protocol.error;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A fault in the form in which a PostgreSQL client is told of it; immutable.
 *
 * <p>Made only by the error factories ({@code ProtocolErrors}, {@code RoutingErrors}, …), one named method per
 * condition. It has no stack trace unless it has a cause: it reports the fault of a client or a server, not ours.
 */
public final class PgException extends RuntimeException {

    private final SqlState state;
    private final Severity severity;
    private final @Nullable String detail;
    private final @Nullable String hint;
    private final int position;
    private final @Nullable String schemaName;
    private final @Nullable String tableName;
    private final @Nullable String columnName;

    /** An ERROR with a message alone; see the {@code with…} methods for the rest. */
    public PgException(SqlState state, String message) {
        this(state, Severity.ERROR, message, null, null, 0, null, null, null, null);
    }

    /** An exception of the given severity with a message alone. */
    public PgException(SqlState state, Severity severity, String message) {
        this(state, severity, message, null, null, 0, null, null, null, null);
    }

    private PgException(
            SqlState state,
            Severity severity,
            String message,
            @Nullable String detail,
            @Nullable String hint,
            int position,
            @Nullable String schemaName,
            @Nullable String tableName,
            @Nullable String columnName,
            @Nullable Throwable cause) {
        super(Objects.requireNonNull(message), cause, false, cause != null);
        this.state = Objects.requireNonNull(state);
        this.severity = Objects.requireNonNull(severity);
        this.detail = detail;
        this.hint = hint;
        this.position = position;
        this.schemaName = schemaName;
        this.tableName = tableName;
        this.columnName = columnName;
    }

    /** A copy with the given DETAIL. */
    public PgException withDetail(String newDetail) {
        return new PgException(
                state, severity, text(), newDetail, hint, position, schemaName, tableName, columnName, getCause());
    }

    /** A copy with the given HINT. */
    public PgException withHint(String newHint) {
        return new PgException(
                state, severity, text(), detail, newHint, position, schemaName, tableName, columnName, getCause());
    }

    /** A copy with a position: characters from 1, counted in the statement's text; 0 = none. */
    public PgException withPosition(int newPosition) {
        return new PgException(
                state, severity, text(), detail, hint, newPosition, schemaName, tableName, columnName, getCause());
    }

    /** A copy that names the object concerned (fields s, t and c of ErrorResponse). */
    public PgException withObject(@Nullable String schema, @Nullable String table, @Nullable String column) {
        return new PgException(state, severity, text(), detail, hint, position, schema, table, column, getCause());
    }

    /** A copy with another severity. */
    public PgException withSeverity(Severity newSeverity) {
        return new PgException(
                state, newSeverity, text(), detail, hint, position, schemaName, tableName, columnName, getCause());
    }

    /** A copy with a cause, which is logged and never shown to the client. */
    public PgException withCause(Throwable cause) {
        return new PgException(
                state, severity, text(), detail, hint, position, schemaName, tableName, columnName, cause);
    }

    public SqlState state() {
        return state;
    }

    public Severity severity() {
        return severity;
    }

    /** The primary message: lower case, no full stop; never null. */
    public String text() {
        return Objects.requireNonNull(getMessage());
    }

    public @Nullable String detail() {
        return detail;
    }

    public @Nullable String hint() {
        return hint;
    }

    /** Characters from 1 in the statement's text; 0 = none. */
    public int position() {
        return position;
    }

    public @Nullable String schemaName() {
        return schemaName;
    }

    public @Nullable String tableName() {
        return tableName;
    }

    public @Nullable String columnName() {
        return columnName;
    }
}
