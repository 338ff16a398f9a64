package dev.trunkline.proxy.pool;

import dev.trunkline.protocol.TransactionStatus;
import dev.trunkline.proxy.backend.Reply;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.proxy.backend.Unattended;
import dev.trunkline.proxy.net.Loop;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * A statement of the pool's own on a connection that no session has. A server that does not answer in time loses the
 * connection.
 */
abstract class Housekeeping extends Unattended {

    private Loop.@Nullable Timer timer;
    private boolean failed;

    /** Sends the statement; to be called on the loop that the connection is on. */
    final void run(ServerConnection server, Loop loop, long timeoutMillis, String sql) {
        timer = loop.schedule(timeoutMillis, server.wire()::abort);
        server.handler(this);
        server.query(sql, Reply.of(Reply.Step.QUERY, Reply.Use.SWALLOW));
    }

    /** The server has carried it out. */
    abstract void done();

    /** The server has refused it, or the connection is lost. */
    abstract void failed();

    @Override
    public final void error(ServerConnection server, Reply reply, ByteBuf buffer, int start, int end, boolean fatal) {
        failed = true;
    }

    @Override
    public final void ready(ServerConnection server, Reply reply, TransactionStatus status) {
        cancelTimer();
        if (failed) {
            failed();
        } else {
            done();
        }
    }

    @Override
    public final void lost(ServerConnection server, @Nullable Throwable cause) {
        cancelTimer();
        failed();
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
        }
    }
}
