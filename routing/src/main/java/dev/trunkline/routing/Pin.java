package dev.trunkline.routing;

/** Why a session must keep a server connection after a statement: it leaves state there that cannot be replayed. */
public enum Pin {
    /** Nothing binds the session. */
    NONE,
    /** CREATE TEMPORARY …, SELECT INTO TEMPORARY. */
    TEMPORARY_TABLE,
    /** A session-level advisory lock. */
    ADVISORY_LOCK,
    /** DECLARE … WITH HOLD. */
    HOLD_CURSOR,
    /** LISTEN. */
    LISTEN,
    /** PREPARE in SQL. */
    SQL_PREPARED,
    /** A call of {@code set_config} that does not tell what it sets. */
    UNKNOWN_SETTING
}
