package dev.trunkline.proxy.oracle;

/** A client's connection to one of the two: the subject or the oracle. */
interface Side extends AutoCloseable {

    /** A transaction block as the client sees it. */
    enum Block {
        NONE,
        OPEN,
        FAILED
    }

    /** Asks and waits for the answer; never throws for what a server says or fails to say. */
    Said ask(Request request);

    Block block();

    /** Brings the block into the state of the other side, which has refused a statement. */
    void follow(Block other);

    /** Sends a request without waiting for its answer. */
    void sendUnanswered(Request request);

    void vanish(Step.Way way);

    @Override
    void close();
}
