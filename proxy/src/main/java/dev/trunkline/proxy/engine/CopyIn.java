package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.Frame;
import dev.trunkline.proxy.backend.ServerConnection;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The data of a COPY FROM STDIN on its way from the client to the server that waits for it. A CopyData may come in
 * parts: once the first has been sent the others must follow, whatever has become of the COPY meanwhile, or the server
 * would take the next message for the missing rest.
 */
final class CopyIn {

    private @Nullable ServerConnection target;
    private @Nullable ServerConnection partTarget;
    private @Nullable SplitCopy split;

    /** A server waits for data. */
    void begin(ServerConnection server) {
        target = server;
        split = null;
    }

    /** Several servers wait for data. */
    void begin(SplitCopy copy) {
        target = null;
        split = copy;
    }

    /** True while the client's messages are for the COPY; of one over several servers, while it can take them. */
    boolean isRunning() {
        if (split != null) {
            return split.isReading();
        }
        ServerConnection server = target;
        if (server != null && (!server.isCopyingIn() || server.isLost())) {
            target = null;
        }
        return target != null;
    }

    /** A whole CopyData; takes over the reference. */
    void data(ByteBuf frame) {
        if (split == null) {
            running().sendPlain(frame);
            return;
        }
        split.data(frame, frame.readerIndex() + Frame.HEADER_BYTES, frame.writerIndex());
        frame.release();
    }

    /** CopyDone or CopyFail; takes over the reference. */
    void end(ByteBuf frame) {
        if (split != null) {
            end(split, frame);
            return;
        }
        ServerConnection server = running();
        target = null;
        server.sendPlain(frame);
        server.copyInEnded();
    }

    private static void end(SplitCopy copy, ByteBuf frame) {
        if (frame.getByte(frame.readerIndex()) == 'c') {
            copy.done();
        } else {
            copy.clientFailed(frame, frame.readerIndex(), frame.writerIndex());
        }
        frame.release();
    }

    /** What was received together has been worked off. */
    void flush() {
        if (split != null) {
            split.flush();
        }
    }

    /** A server takes bytes again. True when a COPY that waited for it goes on. */
    boolean unblocked() {
        return split != null && split.unblocked();
    }

    /** A COPY over several servers has ended. */
    void over() {
        abandon();
        split = null;
    }

    /** Nothing more is sent. */
    void abandon() {
        if (split != null) {
            split.abandon();
        }
    }

    /**
     * A part of a CopyData, which is dropped if nobody waited for data when it began; takes over the reference.
     *
     * @return true when it was the last part, and the COPY is no longer running
     */
    boolean part(ByteBuf bytes, boolean first, boolean last) {
        if (split != null) {
            int header = first ? Frame.HEADER_BYTES : 0;
            split.data(bytes, bytes.readerIndex() + header, bytes.writerIndex());
            bytes.release();
            return false;
        }
        if (first) {
            partTarget = isRunning() ? target : null;
        }
        ServerConnection server = partTarget;
        if (server == null) {
            bytes.release();
            return false;
        }
        server.sendPart(bytes, last);
        if (last) {
            partTarget = null;
        }
        return last && !isRunning();
    }

    private ServerConnection running() {
        ServerConnection server = target;
        if (server == null) {
            throw new IllegalStateException("no COPY is running");
        }
        return server;
    }
}
