package dev.trunkline.routing;

/** Why a session must keep a server connection after a statement: it leaves state there that cannot be replayed. */
public enum Pin {
    /** Nothing binds the session. */
    NONE,
    /** CREATE TEMPORARY …, SELECT INTO TEMPORARY, or a search path on which that is where objects are made. */
    TEMPORARY_TABLE,
    /** A session-level advisory lock. */
    ADVISORY_LOCK,
    /** DECLARE … WITH HOLD. */
    HOLD_CURSOR,
    /** LISTEN. */
    LISTEN,
    /** PREPARE in SQL. */
    SQL_PREPARED,
    /** LOAD: the library stays in the server process. */
    LIBRARY,
    /** A call of {@code set_config}, or a DO, that sets a parameter and does not tell which. */
    UNKNOWN_SETTING
}
