package dev.trunkline.proxy.oracle;

import org.jspecify.annotations.Nullable;

/** One step of a worker's script: something that one of its sessions does. Scripts can be replayed in parts. */
sealed interface Step {

    /** Index of the session among those of its worker. */
    int session();

    /** The session asks and waits for the answer. */
    record Ask(int session, Request request) implements Step {}

    /**
     * The session's client vanishes, and another one takes its place.
     *
     * @param unanswered sent just before, whose answer is not awaited; it must not be able to commit
     */
    record Vanish(int session, Way way, @Nullable Request unanswered) implements Step {}

    /** How a client goes. */
    enum Way {
        TERMINATE,
        CLOSE,
        RESET
    }
}
