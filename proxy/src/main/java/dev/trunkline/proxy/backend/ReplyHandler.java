package dev.trunkline.proxy.backend;

import dev.trunkline.protocol.TransactionStatus;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Who uses a server connection: hears what comes from it, on the loop that the connection is at home on. Buffers are
 * valid during the call only; to keep bytes take a retained slice.
 */
public interface ReplyHandler {

    /** A run of whole or partial frames for the client, in order. */
    void forward(ServerConnection server, ByteBuf buffer, int start, int end);

    /** Frames of our own whose turn has come. */
    void forward(ServerConnection server, byte[] frames);

    /** A part of a frame of a reply with {@link Reply.Use#HANDLE} that was not received whole. */
    void part(ServerConnection server, Reply reply, ByteBuf buffer, int start, int end, boolean last);

    /** A frame of a reply with {@link Reply.Use#HANDLE}. */
    void frame(ServerConnection server, Reply reply, byte type, ByteBuf buffer, int start, int end);

    /**
     * An ErrorResponse for a reply that is forwarded or swallowed.
     *
     * @param fatal the server ends the connection with it
     */
    void error(ServerConnection server, Reply reply, ByteBuf buffer, int start, int end, boolean fatal);

    /**
     * The server refused a Bind because its statement's result has changed its shape since it was prepared. True when the
     * handler prepares the statement anew and sends the batch once more from this message on: then the client hears
     * nothing of the error, and of the ReadyForQuery that follows. {@link #repair} comes next.
     *
     * @param synced the batch's Sync has been sent, and nothing behind it
     */
    default boolean repairs(ServerConnection server, Reply reply, boolean synced) {
        return false;
    }

    /** After {@link #repairs}: the server has left the batch. */
    default void repair(ServerConnection server) {}

    /** The server waits for CopyData. */
    void copyIn(ServerConnection server, Reply reply);

    /**
     * ReadyForQuery came and was relayed if the reply said so; called after the reply's listener. The connection may be
     * given back from here.
     */
    void ready(ServerConnection server, Reply reply, TransactionStatus status);

    /** A run-time parameter changed; {@link ServerConnection#parameters()} has it already. */
    void parameterStatus(ServerConnection server, String name, String value);

    /** A NoticeResponse or NotificationResponse. */
    void asynchronous(ServerConnection server, byte type, ByteBuf buffer, int start, int end);

    /** The connection takes bytes again, or no longer. */
    void writabilityChanged(ServerConnection server, boolean writable);

    /** The connection is gone; what it still owed will not come. */
    void lost(ServerConnection server, @Nullable Throwable cause);
}
