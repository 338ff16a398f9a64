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
