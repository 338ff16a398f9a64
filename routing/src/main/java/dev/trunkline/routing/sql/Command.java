package dev.trunkline.routing.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The particulars of a statement that the engine itself acts on; data statements have none.
 *
 * <p>Names are folded as PostgreSQL folds identifiers (unquoted to lower case, quoted exact, cut to 63 bytes).
 */
public sealed interface Command {

    /**
     * BEGIN, START TRANSACTION, COMMIT, END, ROLLBACK, ABORT.
     *
     * @param modes the transaction modes of BEGIN or START TRANSACTION as written (may be empty)
     * @param repeatableRead the modes ask for REPEATABLE READ or SERIALIZABLE
     * @param readOnly the modes ask for READ ONLY
     * @param chain AND CHAIN
     */
    record Transaction(String modes, boolean repeatableRead, boolean readOnly, boolean chain) implements Command {}

    /** SAVEPOINT, RELEASE, ROLLBACK TO. */
    record Savepoint(String name) implements Command {}

    /** PREPARE TRANSACTION, COMMIT PREPARED, ROLLBACK PREPARED. */
    record Prepared(String gid) implements Command {}

    /**
     * SET and RESET of a run-time parameter.
     *
     * @param name lower case: {@code timezone} for SET TIME ZONE, {@code client_encoding} for SET NAMES,
     *     {@code search_path} for SET SCHEMA, {@code role}, {@code session_authorization}; empty for RESET ALL
     * @param value the value as SQL text, ready to stand after {@code SET name TO}; null for RESET and for SET … TO
     *     DEFAULT. For {@code timezone}, {@code role} and {@code session_authorization} likewise
     *     ({@code SET role TO x} is what PostgreSQL makes of SET ROLE)
     * @param local SET LOCAL, and what ends with the transaction in any case: its modes
     */
    record Setting(String name, @Nullable String value, boolean local) implements Command {}

    /** SHOW name (lower case; {@code all} for SHOW ALL). */
    record Show(String name) implements Command {}

    /**
     * SET TRANSACTION and SET SESSION CHARACTERISTICS AS TRANSACTION.
     *
     * @param modes as written
     * @param repeatableRead the modes ask for REPEATABLE READ or SERIALIZABLE
     * @param session SET SESSION CHARACTERISTICS
     * @param snapshot SET TRANSACTION SNAPSHOT
     */
    record SetTransaction(String modes, boolean repeatableRead, boolean session, boolean snapshot) implements Command {}

    /** DISCARD: ALL, PLANS, SEQUENCES, TEMP (upper case). */
    record Discard(String what) implements Command {}

    /**
     * PREPARE, EXECUTE, DEALLOCATE.
     *
     * @param name null for DEALLOCATE ALL
     */
    record SqlPrepared(@Nullable String name) implements Command {}

    /**
     * DECLARE, FETCH, MOVE, CLOSE.
     *
     * @param name null for CLOSE ALL
     * @param withHold DECLARE … WITH HOLD
     */
    record Cursor(@Nullable String name, boolean withHold) implements Command {}

    /**
     * LISTEN, UNLISTEN, NOTIFY.
     *
     * @param channel null for UNLISTEN *
     */
    record Channel(@Nullable String channel) implements Command {}

    /**
     * COPY.
     *
     * @param schema null when the table is not qualified or the source is a query
     * @param table null when the source is a query
     * @param columns empty when there is no column list
     * @param options in the order of the text, of the old syntax under the names of the new one; null when they cannot be
     *     read
     */
    record Copy(
            @Nullable String schema,
            @Nullable String table,
            List<String> columns,
            @Nullable List<CopyOption> options) implements Command {

        /** Without options. */
        public Copy(@Nullable String schema, @Nullable String table, List<String> columns) {
            this(schema, table, columns, List.of());
        }
    }

    /**
     * An option of COPY.
     *
     * @param name lower case
     * @param values none, the value, or the names of a list; {@code *} for all columns
     */
    record CopyOption(String name, List<String> values) {}
}
