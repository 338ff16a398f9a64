package dev.trunkline.proxy.engine;

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

    /** A server waits for data. */
    void begin(ServerConnection server) {
        target = server;
    }

    /** True while the server waits for data. */
    boolean isRunning() {
        ServerConnection server = target;
        if (server != null && (!server.isCopyingIn() || server.isLost())) {
            target = null;
        }
        return target != null;
    }

    /** A whole CopyData; takes over the reference. */
    void data(ByteBuf frame) {
        running().sendPlain(frame);
    }

    /** CopyDone or CopyFail; takes over the reference. */
    void end(ByteBuf frame) {
        ServerConnection server = running();
        target = null;
        server.sendPlain(frame);
        server.copyInEnded();
    }

    /**
     * A part of a CopyData, which is dropped if nobody waited for data when it began; takes over the reference.
     *
     * @return true when it was the last part, and the COPY is no longer running
     */
    boolean part(ByteBuf bytes, boolean first, boolean last) {
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
