package dev.trunkline.proxy.engine;

import dev.trunkline.lookup.source.OwnRows;
import dev.trunkline.protocol.Frame;
import dev.trunkline.protocol.backend.DataRow;
import dev.trunkline.protocol.error.ProtocolErrors;
import dev.trunkline.protocol.frontend.FixedRequests;
import dev.trunkline.proxy.backend.BackendErrors;
import dev.trunkline.proxy.backend.Reply;
import dev.trunkline.proxy.backend.ServerConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One read of a lookup on the transaction's own connection to shard 0. What the client has sent there before is ended
 * with a Sync of ours first: within a block that commits nothing, and the read sees what came before it.
 */
final class OwnReading implements Relay.FrameTaker {

    /** How it went. */
    interface Outcome {

        /** Every row has been added. */
        void read();

        /** The rows are no map; the transaction goes on. */
        void faulty(RuntimeException fault);

        /** The server has refused the read; the transaction is as it was before. */
        void refused(Fault fault);

        /** The statement cannot go on. */
        void failed(Fault fault);
    }

    private final Session session;
    private final OwnRows rows;
    private final Outcome outcome;
    private final ByteArrayOutputStream incomplete = new ByteArrayOutputStream(0);
    private @Nullable RuntimeException faulty;
    private @Nullable Fault fault;

    OwnReading(Session session, OwnRows rows, Outcome outcome) {
        this.session = session;
        this.rows = rows;
        this.outcome = outcome;
    }

    void start() {
        session.leases().take(0, this::on, outcome::failed);
    }

    private void on(ServerConnection server) {
        if (server.unsynced() == 0) {
            read(server);
            return;
        }
        server.send(FixedRequests.SYNC, Reply.of(Reply.Step.SYNC, Reply.Use.SWALLOW, new Step(server) {
            @Override
            public void done() {
                if (session.hasFailed()) {
                    // The client has been told why: what comes after it is skipped.
                    outcome.failed(Fault.of(ProtocolErrors.transactionFailed()));
                } else {
                    session.guarded(() -> read(server));
                }
            }
        }));
    }

    private void read(ServerConnection server) {
        session.relay().taker(this);
        server.query(rows.sql(), Reply.of(Reply.Step.QUERY, Reply.Use.HANDLE, new Step(server) {
            @Override
            public void done() {
                session.relay().taker(null);
                Fault refusal = fault;
                if (refusal != null) {
                    undo(server, refusal);
                } else {
                    session.guarded(OwnReading.this::ended);
                }
            }
        }));
    }

    private void ended() {
        if (faulty != null) {
            outcome.faulty(faulty);
        } else {
            outcome.read();
        }
    }

    private void undo(ServerConnection server, Fault refusal) {
        server.query(OwnRows.UNDO, Reply.of(Reply.Step.QUERY, Reply.Use.SWALLOW, new Step(server) {
            private @Nullable Fault broken;

            @Override
            public void failed() {
                broken = session.relay().takeSwallowed();
            }

            @Override
            public void done() {
                Consumer<Fault> end = broken == null ? outcome::refused : outcome::failed;
                session.guarded(() -> end.accept(refusal));
            }
        }));
    }

    /** Something that was sent; a lost connection ends it all. */
    private abstract class Step implements Reply.Listener {
        private final ServerConnection server;

        Step(ServerConnection server) {
            this.server = server;
        }

        @Override
        public void lost() {
            session.relay().taker(null);
            outcome.failed(Fault.of(BackendErrors.connectionLost(server.address())));
        }
    }

    // ---- rows

    @Override
    public void frame(ServerConnection server, byte type, ByteBuf buffer, int start, int end) {
        if (type == 'D') {
            row(ByteBufUtil.getBytes(buffer, start, end - start));
        } else if (type == 'E') {
            fault = Fault.ofServer(buffer, start, end, false);
        }
    }

    @Override
    public void part(ServerConnection server, ByteBuf buffer, int start, int end, boolean last) {
        incomplete.writeBytes(ByteBufUtil.getBytes(buffer, start, end - start));
        if (last) {
            byte[] frame = incomplete.toByteArray();
            incomplete.reset();
            row(frame);
        }
    }

    private void row(byte[] frame) {
        if (faulty != null) {
            return;
        }
        try {
            rows.add(DataRow.decode(frame, Frame.HEADER_BYTES, frame.length - Frame.HEADER_BYTES));
        } catch (RuntimeException noMap) {
            faulty = noMap;
        }
    }
}
