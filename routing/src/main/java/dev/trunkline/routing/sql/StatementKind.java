package dev.trunkline.routing.sql;

/** What a statement is to the engine. */
public enum StatementKind {
    /** No token but comments and white space. */
    EMPTY,
    /** SELECT, VALUES, TABLE or WITH that reads only (also with FOR UPDATE). */
    READ,
    /** INSERT, UPDATE, DELETE, MERGE, or a WITH or SELECT INTO that writes. */
    WRITE,
    BEGIN,
    COMMIT,
    ROLLBACK,
    SAVEPOINT,
    RELEASE,
    ROLLBACK_TO,
    PREPARE_TRANSACTION,
    COMMIT_PREPARED,
    ROLLBACK_PREPARED,
    /** SET name, SET TIME ZONE, SET NAMES, SET SCHEMA, SET ROLE, SET SESSION AUTHORIZATION; also SET LOCAL. */
    SET,
    RESET,
    SHOW,
    /** SET [SESSION CHARACTERISTICS AS] TRANSACTION. */
    SET_TRANSACTION,
    SET_CONSTRAINTS,
    DISCARD,
    PREPARE,
    EXECUTE,
    DEALLOCATE,
    DECLARE,
    FETCH,
    MOVE,
    CLOSE,
    LISTEN,
    UNLISTEN,
    NOTIFY,
    COPY_FROM_STDIN,
    COPY_TO_STDOUT,
    /** COPY from or to a file or program of the server. */
    COPY_FILE,
    EXPLAIN,
    LOCK,
    CALL,
    DO,
    TRUNCATE,
    /** CREATE, ALTER, DROP, COMMENT, GRANT, REVOKE, REINDEX, REFRESH and the like, allowed in a transaction block. */
    DDL,
    /** A utility or DDL statement that PostgreSQL refuses inside a transaction block (VACUUM, CONCURRENTLY, …). */
    UTILITY_OUTSIDE_BLOCK,
    /** ANALYZE, CHECKPOINT, LOAD and other utilities allowed in a block. */
    UTILITY,
    /** Not recognised: PostgreSQL will say what is wrong with it. */
    UNKNOWN
}
