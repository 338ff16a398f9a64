package dev.trunkline.proxy.engine;

/** What a session is doing, as far as time is concerned. */
enum Activity {
    /** The client has asked for something that is not answered yet. */
    RUNNING,
    /** All is answered, and the client has not taken it yet. */
    DELIVERING,
    /** The client asks for nothing, and holds a transaction or an unfinished batch open. */
    IDLE_IN_TRANSACTION,
    /** The client asks for nothing. */
    IDLE,
    /** The client has gone. */
    OVER
}
