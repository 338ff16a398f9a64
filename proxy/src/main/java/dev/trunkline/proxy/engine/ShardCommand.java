package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.Frame;
import dev.trunkline.protocol.backend.CommandComplete;
import dev.trunkline.proxy.backend.Reply;
import dev.trunkline.proxy.backend.ServerConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import org.jspecify.annotations.Nullable;

/** A command of the proxy's own that ends a transaction on one shard, or a step towards it; and how it went. */
abstract class ShardCommand implements Reply.Listener {

    /** Keeps the error of a command that another one follows without waiting. */
    static final class Failure implements Reply.Listener {
        private final Session session;
        private @Nullable Fault fault;

        Failure(Session session) {
            this.session = session;
        }

        @Nullable
        Fault fault() {
            return fault;
        }

        @Override
        public void failed() {
            fault = session.relay().takeSwallowed();
        }
    }

    private final Session session;
    private @Nullable Fault fault;
    private boolean rolledBack;

    ShardCommand(Session session) {
        this.session = session;
    }

    final void send(ServerConnection server, String sql) {
        if (server.isGone()) {
            lost();
            return;
        }
        server.query(sql, Reply.of(Reply.Step.QUERY, Reply.Use.SWALLOW, this));
    }

    /** It was carried out. */
    abstract void succeeded();

    /** It was not, for certain; null when the server has rolled back without an error. */
    abstract void refused(@Nullable Fault fault);

    /** The connection was lost: whether it was carried out is not known. */
    @Override
    public abstract void lost();

    @Override
    public final void commandComplete(int index, ByteBuf buffer, int start, int end) {
        byte[] frame = ByteBufUtil.getBytes(buffer, start, end - start);
        rolledBack |= CommandComplete.hasVerb(frame, Frame.HEADER_BYTES, frame.length - Frame.HEADER_BYTES, "ROLLBACK");
    }

    @Override
    public final void failed() {
        fault = session.relay().takeSwallowed();
    }

    @Override
    public final void done() {
        if (fault != null || rolledBack) {
            refused(fault);
        } else {
            succeeded();
        }
    }
}
