package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.backend.ErrorResponse;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.Severity;
import dev.trunkline.protocol.error.SqlState;
import dev.trunkline.routing.catalog.QualifiedName;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** What the engine itself refuses or reports. */
final class EngineErrors {

    private EngineErrors() {}

    /** 0A000: where a portal runs was decided when it was bound, and the transaction has changed a mapping since. */
    static PgException mappingChangedSinceBind() {
        return new PgException(
                        SqlState.FEATURE_NOT_SUPPORTED,
                        "a lookup table was written between Bind and Execute of a statement with a sharding key")
                .withHint("Bind the statement after the lookup table has been written.");
    }

    /** 0A000: the proxy has used the connection for another statement, and the portal cannot be made anew. */
    static PgException portalGone() {
        return new PgException(
                        SqlState.FEATURE_NOT_SUPPORTED,
                        "a portal cannot go on after a statement that came between its Bind and its Execute")
                .withHint(
                        "Execute it before other statements, or give it a name and bind it inside a transaction block.");
    }

    /** 0A000: a setting is told to other connections in UTF-8. */
    static PgException settingNotInUtf8(String name) {
        return new PgException(
                        SqlState.FEATURE_NOT_SUPPORTED,
                        "\"" + name
                                + "\" cannot be set: on a database of several shards, settings that are not ASCII need"
                                + " client_encoding UTF8")
                .withHint("SET client_encoding TO 'UTF8', or RESET the settings that are not ASCII.");
    }

    /** 0A000: a function that returns a set would make several rows of one. */
    static PgException computedRows() {
        return new PgException(
                        SqlState.FEATURE_NOT_SUPPORTED,
                        "a value for an omnisharded table that is computed once must be one value")
                .withHint("Insert the rows as constants or parameters.");
    }

    /** 0A000: types that are not PostgreSQL's own have another identifier on each shard. */
    static PgException computedType() {
        return new PgException(
                        SqlState.FEATURE_NOT_SUPPORTED,
                        "a value for an omnisharded table that is computed once must be of a type of PostgreSQL's own")
                .withHint("Compute the value in the application and send it as a constant or a parameter.");
    }

    /** 0A000: what a sharded statement means may have changed by a definition that nobody else sees yet. */
    static PgException shardedAfterDefinition() {
        return new PgException(
                        SqlState.FEATURE_NOT_SUPPORTED,
                        "a sharded table cannot be used in a transaction that has changed definitions")
                .withHint("Commit the change of definitions first.");
    }

    /** 0A000: portals over several shards are fetched whole. */
    static PgException rowLimitOverShards() {
        return new PgException(
                        SqlState.FEATURE_NOT_SUPPORTED, "a row limit of Execute is not supported over several shards")
                .withHint("Fetch all rows (fetch size 0), or add the sharding key to the statement.");
    }

    /** 0A000: the kinds of statement that the engine cannot carry out on several shards yet. */
    static PgException notOverShards(String what) {
        return new PgException(
                        SqlState.FEATURE_NOT_SUPPORTED,
                        what + " is not supported on a database of several shards in transaction mode")
                .withHint("Connect to the shard itself for this statement.");
    }

    /** XX000-free answer to differing row shapes: the shards' schemas have drifted apart. */
    static PgException rowShapesDiffer(int shard) {
        return new PgException(
                        SqlState.FEATURE_NOT_SUPPORTED, "the shards describe the result of this statement differently")
                .withDetail("Shard " + shard + " differs from the first one.")
                .withHint("Bring the table definitions of all shards in line.");
    }

    /** F0000: a lookup query reads what need not be the same on every shard. */
    static PgException lookupNotOmnisharded(String table, List<QualifiedName> relations) {
        return new PgException(
                        SqlState.CONFIG_FILE_ERROR,
                        "the query of lookup \"" + table + "\" reads relations that are not omnisharded")
                .withDetail("These are not: "
                        + relations.stream().map(String::valueOf).collect(Collectors.joining(", ")) + ".")
                .withHint("Add them to omnisharded_tables, if every shard has all of their rows.");
    }

    /** F0000: a lookup query calls what may answer otherwise for another session, on another shard, or later. */
    static PgException lookupNotImmutable(String table, List<String> calls) {
        return new PgException(
                        SqlState.CONFIG_FILE_ERROR, "the query of lookup \"" + table + "\" calls what is not immutable")
                .withDetail("Not immutable, or not of PostgreSQL itself: " + String.join(", ", calls) + ".")
                .withHint(
                        "Store the value in a column of the lookup table, or use an immutable function of PostgreSQL.");
    }

    /** 0A000: a statement was described before its table changed; in the words of the server. */
    static PgException staleRows() {
        return new PgException(SqlState.FEATURE_NOT_SUPPORTED, "cached plan must not change result type")
                .withHint("Prepare the statement anew.");
    }

    /** 40003: some shards have committed, others have not or cannot tell. */
    static PgException partiallyCommitted(List<Integer> committed, List<Integer> notCommitted, String reason) {
        return new PgException(SqlState.STATEMENT_COMPLETION_UNKNOWN, "transaction partially committed")
                .withDetail("Committed on shards " + committed + "; not, or not known, on shards " + notCommitted + ": "
                        + reason)
                .withHint("Compare the rows on these shards before repeating the transaction.");
    }

    /** 40003: the transaction is committed, but one shard has not carried it out. */
    static PgException commitPending(int shard, String reason) {
        return new PgException(SqlState.STATEMENT_COMPLETION_UNKNOWN, "commit decided, pending on shard " + shard)
                .withDetail("The shard said: " + reason)
                .withHint("Look at pg_prepared_xacts there; the proxy goes on trying.");
    }

    /** 40003: whether the transaction is committed, or committed everywhere, could not be found out in time. */
    static PgException commitUnknown(boolean undecided, String reason) {
        return new PgException(
                        SqlState.STATEMENT_COMPLETION_UNKNOWN,
                        undecided
                                ? "it is not known yet whether the transaction is committed"
                                : "the transaction is committed, but not yet on every shard")
                .withDetail(reason + ".")
                .withHint("The proxy brings it to its end as soon as it reaches the shard: look at the rows then.");
    }

    /** 40003: the one shard where something was written was lost before it said that it has committed. */
    static PgException commitOfOneUnknown(int shard) {
        return new PgException(
                        SqlState.STATEMENT_COMPLETION_UNKNOWN, "it is not known whether the transaction is committed")
                .withDetail("The connection to shard " + shard + " was lost while it committed.")
                .withHint("Look at the rows before repeating the transaction.");
    }

    /** 08006: a shard was lost while others were asked to commit, and before it was asked itself. */
    static PgException lostBeforeCommit(int shard) {
        return new PgException(
                        SqlState.CONNECTION_FAILURE, "connection to shard " + shard + " was lost before it committed")
                .withHint("Repeat the transaction.");
    }

    /** 08006: a shard was lost while the transaction committed, and it is rolled back on all, for certain. */
    static PgException rolledBack(String reason) {
        return new PgException(SqlState.CONNECTION_FAILURE, "the transaction was rolled back on every shard")
                .withDetail(reason + ".")
                .withHint("Repeat the transaction.");
    }

    /** 25001, a WARNING: as PostgreSQL says it. */
    static PgException alreadyInTransaction() {
        return new PgException(
                SqlState.ACTIVE_SQL_TRANSACTION, Severity.WARNING, "there is already a transaction in progress");
    }

    /** 25P01, a WARNING: as PostgreSQL says it. */
    static PgException noTransaction() {
        return new PgException(
                SqlState.NO_ACTIVE_SQL_TRANSACTION, Severity.WARNING, "there is no transaction in progress");
    }

    /** 25P01, an ERROR: SAVEPOINT and its kin outside of a block. */
    static PgException onlyInTransaction(String command) {
        return new PgException(SqlState.NO_ACTIVE_SQL_TRANSACTION, command + " can only be used in transaction blocks");
    }

    /** 3B001, as PostgreSQL says it. */
    static PgException noSuchSavepoint(String name) {
        return new PgException(SqlState.INVALID_SAVEPOINT_SPECIFICATION, "savepoint \"" + name + "\" does not exist");
    }

    /** 42601, as PostgreSQL says it. */
    static PgException severalCommandsInStatement() {
        return new PgException(SqlState.SYNTAX_ERROR, "cannot insert multiple commands into a prepared statement");
    }

    /** What a server said to the start-up settings, under the server's own SQLSTATE where we know it. */
    static PgException refusedSettings(ErrorResponse response) {
        SqlState state = SqlState.of(response.fields().sqlState());
        return new PgException(
                state == null ? SqlState.INVALID_PARAMETER_VALUE : state,
                Severity.FATAL,
                response.fields().message());
    }

    /** 57014: the exchange has taken longer than query_timeout. */
    static PgException queryTimeout(Duration limit) {
        return new PgException(SqlState.QUERY_CANCELED, "canceling statement due to query_timeout")
                .withDetail("It has taken longer than " + limit.toMillis() + " ms.");
    }

    /** 57P05 FATAL, as PostgreSQL says it: the client has asked for nothing in client_idle_timeout. */
    static PgException idleTimeout(Duration limit) {
        return new PgException(
                        SqlState.IDLE_SESSION_TIMEOUT,
                        Severity.FATAL,
                        "terminating connection due to idle-session timeout")
                .withDetail("Nothing was asked for in " + limit.toMillis() + " ms (client_idle_timeout).");
    }

    /** 25P03 FATAL, as PostgreSQL says it: a transaction or a batch was left open for too long. */
    static PgException idleInTransactionTimeout(Duration limit) {
        return new PgException(
                        SqlState.IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
                        Severity.FATAL,
                        "terminating connection due to idle-in-transaction timeout")
                .withDetail(
                        "Nothing was asked for in " + limit.toMillis() + " ms (client_idle_in_transaction_timeout).");
    }

    /** 53300: servers judge a bounded number of passwords at a time; the client may try again. */
    static PgException tooManyLogins() {
        return new PgException(
                        SqlState.TOO_MANY_CONNECTIONS, Severity.FATAL, "too many passwords are being checked at a time")
                .withHint("Try again in a few seconds.");
    }
}
