package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.TransactionStatus;
import dev.trunkline.protocol.frontend.FixedRequests;
import dev.trunkline.proxy.backend.Reply;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.proxy.backend.Unattended;
import dev.trunkline.proxy.measure.Measure;
import dev.trunkline.proxy.net.Loop;
import dev.trunkline.proxy.pool.LoopPool;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * Makes a connection usable again after its session has gone in the middle of something: lets what runs finish, then
 * rolls back. What was sent may commit, as it would on a direct connection; a statement that does not end in time is
 * cancelled, and a connection that does not come to rest is closed.
 */
final class Cleanup extends Unattended {

    private static final byte[] COPY_FAIL = {'f', 0, 0, 0, 5, 0};

    private final SessionPlace place;
    private final LoopPool pool;
    private final ServerConnection server;
    private Loop.@Nullable Timer timer;
    private boolean cancelled;
    private boolean ended;

    Cleanup(SessionPlace place, LoopPool pool, ServerConnection server, boolean reset) {
        this.place = place;
        this.pool = pool;
        this.server = server;
        if (reset) {
            server.needsReset();
        }
    }

    void start() {
        server.handler(this);
        server.wire().reading(true);
        if (server.isLost()) {
            finish();
            return;
        }
        failCopy(server);
        if (server.isLost()) {
            return; // it was given up, and lost() has heard of it
        }
        if (server.unsynced() > 0) {
            server.spoilBatch(Reply.Use.SWALLOW);
            server.send(FixedRequests.SYNC, Reply.of(Reply.Step.SYNC, Reply.Use.SWALLOW));
        }
        timer = place.loop().schedule(pool.limits().rollbackTimeout().toMillis(), this::tooLong);
        settle();
    }

    /** Ends a COPY whose client has gone: the server must not wait for data that will never come. */
    static void failCopy(ServerConnection server) {
        if (server.isSendingPart()) {
            // Whatever came next would be taken for the rest of a CopyData.
            server.wire().abort();
        } else if (server.isCopyingIn()) {
            server.sendPlain(Unpooled.wrappedBuffer(COPY_FAIL));
            server.copyInEnded();
        }
    }

    private void tooLong() {
        if (cancelled) {
            server.wire().abort();
            finish();
        } else {
            cancelled = true;
            place.cancels().send(server);
            timer = place.loop().schedule(pool.limits().rollbackTimeout().toMillis(), this::tooLong);
        }
    }

    private void settle() {
        if (!server.isSettled()) {
            return;
        }
        if (server.status() == TransactionStatus.IDLE) {
            finish();
        } else {
            server.count(Measure.ROLLBACKS);
            server.query("ROLLBACK", Reply.of(Reply.Step.QUERY, Reply.Use.SWALLOW));
        }
    }

    private void finish() {
        if (!ended) {
            ended = true;
            if (timer != null) {
                timer.cancel();
            }
            pool.release(server);
        }
    }

    @Override
    public void ready(ServerConnection from, Reply reply, TransactionStatus status) {
        settle();
    }

    @Override
    public void copyIn(ServerConnection from, Reply reply) {
        failCopy(server);
    }

    @Override
    public void lost(ServerConnection from, @Nullable Throwable cause) {
        finish();
    }
}
