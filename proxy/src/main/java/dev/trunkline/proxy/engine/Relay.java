package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.TransactionStatus;
import dev.trunkline.protocol.backend.ResponseFields;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.proxy.backend.BackendErrors;
import dev.trunkline.proxy.backend.Reply;
import dev.trunkline.proxy.backend.ReplyHandler;
import dev.trunkline.proxy.backend.ServerConnection;
import io.netty.buffer.ByteBuf;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Passes what comes from a session's server connections on to the client: the main road. Frames of a statement over
 * several shards go to its own {@link FrameTaker}.
 */
final class Relay implements ReplyHandler {

    /** Takes the frames of replies with {@link Reply.Use#HANDLE}. */
    interface FrameTaker {
        /** A whole frame. */
        void frame(ServerConnection server, byte type, ByteBuf buffer, int start, int end);

        /** A part of a long DataRow or CopyData. */
        void part(ServerConnection server, ByteBuf buffer, int start, int end, boolean last);

        /** A server waits for CopyData. True if that is all that is to be done. */
        default boolean copyIn(ServerConnection server) {
            return false;
        }
    }

    private final Session session;
    private @Nullable Fault swallowed;
    private @Nullable FrameTaker taker;

    Relay(Session session) {
        this.session = session;
    }

    /** Who gets the frames of handled replies from now on; null = nobody. */
    void taker(@Nullable FrameTaker newTaker) {
        taker = newTaker;
    }

    /** The error that ended the last swallowed query; the caller knows that there was one. */
    Fault takeSwallowed() {
        Fault fault = Objects.requireNonNull(swallowed);
        swallowed = null;
        return fault;
    }

    @Override
    public void forward(ServerConnection server, ByteBuf buffer, int start, int end) {
        session.output(buffer, start, end);
    }

    @Override
    public void forward(ServerConnection server, byte[] frames) {
        session.output(frames);
    }

    @Override
    public void frame(ServerConnection server, Reply reply, byte type, ByteBuf buffer, int start, int end) {
        if (taker != null) {
            taker.frame(server, type, buffer, start, end);
        }
    }

    @Override
    public void part(ServerConnection server, Reply reply, ByteBuf buffer, int start, int end, boolean last) {
        if (taker != null) {
            taker.part(server, buffer, start, end, last);
        }
    }

    @Override
    public void error(ServerConnection server, Reply reply, ByteBuf buffer, int start, int end, boolean fatal) {
        Fault fault = Fault.ofServer(buffer, start, end, fatal);
        if (reply.use() == Reply.Use.SWALLOW && reply.step() == Reply.Step.QUERY) {
            swallowed = fault;
            if (!reply.isListenedTo()) {
                // A BEGIN of ours failed: what was sent behind it must not count.
                server.wire().abort();
            }
        } else {
            session.serverFailed(fault);
        }
    }

    @Override
    public boolean repairs(ServerConnection server, Reply reply, boolean synced) {
        return session.extended().repairs(synced);
    }

    @Override
    public void repair(ServerConnection server) {
        session.guarded(() -> session.extended().repair(server));
    }

    @Override
    public void copyIn(ServerConnection server, Reply reply) {
        if (taker == null || !taker.copyIn(server)) {
            session.copyIn(server);
        }
    }

    @Override
    public void ready(ServerConnection server, Reply reply, TransactionStatus status) {
        if (reply.use() == Reply.Use.FORWARD) {
            session.answered(server, status);
        }
    }

    @Override
    public void parameterStatus(ServerConnection server, String name, String value) {
        session.reported().report(name, value);
    }

    @Override
    public void asynchronous(ServerConnection server, byte type, ByteBuf buffer, int start, int end) {
        session.notice(server, type, buffer, start, end);
    }

    @Override
    public void writabilityChanged(ServerConnection server, boolean writable) {
        session.serverWritable(writable);
    }

    @Override
    public void lost(ServerConnection server, @Nullable Throwable cause) {
        PgException loss = BackendErrors.connectionLost(server.address());
        Fault lastWords = swallowed;
        if (lastWords != null) {
            ResponseFields said = lastWords.response().fields();
            loss = loss.withDetail("The server said: " + said.message() + " (SQLSTATE " + said.sqlState() + ").");
            swallowed = null;
        }
        session.serverLost(server, server.answersOwed(), loss);
    }
}
