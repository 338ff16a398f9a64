package dev.trunkline.proxy.backend;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * An expected reply: what the server still owes for one message that was sent to it, and what becomes of the frames.
 *
 * <p>A server connection holds them in the order in which the messages were sent; each ends with the frame that its
 * {@link Step} names. Replies without a listener are shared constants: the main road allocates none.
 */
public final class Reply {

    /** The message that was sent, which decides how its reply ends. */
    public enum Step {
        /** Ends with ParseComplete. */
        PARSE,
        /** Ends with BindComplete. */
        BIND,
        /** ParameterDescription, then ends with RowDescription or NoData. */
        DESCRIBE_STATEMENT,
        /** Ends with RowDescription or NoData. */
        DESCRIBE_PORTAL,
        /** Ends with CommandComplete, EmptyQueryResponse or PortalSuspended. */
        EXECUTE,
        /** Ends with CloseComplete. */
        CLOSE,
        /** Ends with ReadyForQuery. */
        SYNC,
        /** A simple Query or FunctionCall: any number of results, ends with ReadyForQuery. */
        QUERY,
        /** Nothing was sent: bytes of our own that have their place between the server's frames. */
        LOCAL
    }

    /** What becomes of the frames. */
    public enum Use {
        /** Relayed to the client as they are. */
        FORWARD,
        /** Relayed save ReadyForQuery, which the listener turns into what the client is to see. */
        FORWARD_RESULT,
        /** Dropped. */
        SWALLOW,
        /** Handed to the {@link ReplyHandler} one by one. */
        HANDLE
    }

    /** Hears how one reply went; called on the loop that the connection is at home on. */
    public interface Listener {

        /**
         * A CommandComplete came (once for a portal, once per statement for a simple Query).
         *
         * @param index which one within this reply, from 0
         * @param buffer holds the frame from {@code start} to {@code end}, during the call
         */
        default void commandComplete(int index, ByteBuf buffer, int start, int end) {}

        /**
         * What the client gets in place of such a CommandComplete when the reply is forwarded, a whole frame; null = the
         * server's own. Asked before {@link #commandComplete} is called with the same index.
         */
        default byte @Nullable [] commandCompleteInstead(int index) {
            return null;
        }

        /**
         * The RowDescription or NoData that ends a Describe came.
         *
         * @param type which of both
         * @param buffer holds the frame from {@code start} to {@code end}, during the call
         */
        default void described(byte type, ByteBuf buffer, int start, int end) {}

        /** An ErrorResponse ended it (a simple Query still gets its ReadyForQuery). */
        default void failed() {}

        /** The last frame came without error; for SYNC and QUERY that is ReadyForQuery, also after an error. */
        default void done() {}

        /** The server skipped the message because an earlier one of the batch had failed. */
        default void skipped() {}

        /** The connection was lost before the reply was complete; the handler has heard of it already. */
        default void lost() {}
    }

    private static final Listener NOBODY = new Listener() {};
    private static final byte[] NOTHING = {};
    private static final Reply[][] SHARED = new Reply[Step.values().length][Use.values().length];

    static {
        for (Step step : Step.values()) {
            for (Use use : Use.values()) {
                SHARED[step.ordinal()][use.ordinal()] = new Reply(step, use, NOBODY, NOTHING);
            }
        }
    }

    private final Step step;
    private final Use use;
    private final Listener listener;
    private final byte[] local;
    private int commands;

    private Reply(Step step, Use use, Listener listener, byte[] local) {
        this.step = step;
        this.use = use;
        this.listener = listener;
        this.local = local;
    }

    /** A reply that nobody listens to. */
    public static Reply of(Step step, Use use) {
        return SHARED[step.ordinal()][use.ordinal()];
    }

    /** A reply with a listener; null = nobody. */
    public static Reply of(Step step, Use use, @Nullable Listener listener) {
        return listener == null ? of(step, use) : new Reply(step, use, listener, NOTHING);
    }

    /** Frames of our own, sent to the client when everything before them has been. */
    public static Reply local(byte[] frames) {
        return new Reply(Step.LOCAL, Use.FORWARD, NOBODY, frames);
    }

    /** Frames of our own, with somebody who hears whether their turn came. */
    public static Reply local(byte[] frames, Listener listener) {
        return new Reply(Step.LOCAL, Use.FORWARD, listener, frames);
    }

    public Step step() {
        return step;
    }

    public Use use() {
        return use;
    }

    /** True when somebody hears how it goes. */
    public boolean isListenedTo() {
        return listener != NOBODY;
    }

    byte[] localFrames() {
        return local;
    }

    /** What is forwarded in place of the next CommandComplete; null = the server's own. */
    byte @Nullable [] commandCompleteInstead() {
        return listener != NOBODY && use == Use.FORWARD ? listener.commandCompleteInstead(commands) : null;
    }

    void commandCompleted(ByteBuf buffer, int start, int end) {
        // The shared constants are not written to: nobody counts for them.
        if (listener != NOBODY) {
            listener.commandComplete(commands++, buffer, start, end);
        }
    }

    Listener listener() {
        return listener;
    }

    /** True when ReadyForQuery ends it. */
    public boolean endsWithReady() {
        return step == Step.SYNC || step == Step.QUERY;
    }

    @Override
    public String toString() {
        return step + "/" + use;
    }
}
