package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.Frame;
import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.TransactionStatus;
import dev.trunkline.protocol.backend.FixedFrames;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.frontend.Bind;
import dev.trunkline.protocol.frontend.FixedRequests;
import dev.trunkline.protocol.frontend.Parse;
import dev.trunkline.proxy.backend.Reply;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.proxy.backend.ServerStatement;
import dev.trunkline.routing.Router;
import dev.trunkline.routing.Statement;
import dev.trunkline.routing.key.Parameters;
import dev.trunkline.routing.sql.StatementKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The extended protocol: keeps the client's prepared statements, and on a database of one shard passes messages on with
 * the server's names in them. On several shards {@link ExtendedBatch} takes over.
 */
final class ExtendedProtocol {

    private static final int HEADER = Frame.HEADER_BYTES;

    private final Session session;
    private final ClientStatements known;
    private final Preparer preparer;
    private final ExtendedBatch batch;
    private final Map<String, PortalRows> portals = new HashMap<>(0);
    private @Nullable PortalRows unnamedPortal;
    private final Map<String, Change> uncertain = new HashMap<>(0);
    private int batches;
    private boolean resetInBatch;
    private @Nullable UntilCopy untilCopy;
    private boolean skipping;
    private boolean bound;
    private boolean asking;
    private final BatchRepair repair = new BatchRepair();

    ExtendedProtocol(Session session) {
        this.session = session;
        this.known = session.statements();
        this.preparer = new Preparer(session.place().preparedLimit());
        this.batch = new ExtendedBatch(session, this, preparer);
    }

    /** One of Parse, Bind, Describe, Execute, Close, Flush, Sync. */
    void message(byte type, ByteBuf buffer, int start, int end) {
        if (skipping) {
            if (type == 'S') {
                skipping = false;
                batch.syncAfterFailure();
            }
            return;
        }
        if (!session.isPassThrough() || batch.isUnderWay()) {
            batch.message(type, buffer, start, end);
            return;
        }
        ServerConnection held = session.leases().readyNow(0);
        if (held != null) {
            passThrough(held, type, buffer, start, end);
        } else if (!answeredWithoutServer(type, buffer, start, end)) {
            takeFirst(type, buffer, start, end);
        }
    }

    private void takeFirst(byte type, ByteBuf buffer, int start, int end) {
        ServerConnection now = session.leases().takeNow(0);
        if (now != null) {
            passThrough(now, type, buffer, start, end);
        } else {
            ByteBuf frame = buffer.retainedSlice(start, end - start);
            session.suspend();
            session.leases()
                    .take(
                            0,
                            server -> {
                                try {
                                    passThrough(server, type, frame, 0, frame.readableBytes());
                                } catch (PgException refusal) {
                                    session.refuse(type, refusal);
                                } finally {
                                    frame.release();
                                }
                                if (untilCopy == null && !asking && !session.isAwaitingAnswers()) {
                                    session.resume();
                                }
                            },
                            fault -> {
                                frame.release();
                                failBatch(fault);
                                session.resume();
                            });
        }
    }

    boolean isSkipping() {
        return skipping;
    }

    /** A failure of ours: the client gets the error, and its messages are skipped up to the next Sync. */
    void failBatch(Fault fault) {
        if (!session.isPassThrough() || batch.isUnderWay()) {
            batch.fail(fault);
            return;
        }
        skipping = true;
        if (session.leases().holds(0)) {
            poison(session.leases().get(0), fault);
        } else if (!session.hasFailed()) {
            session.serverFailed(fault);
        }
    }

    /**
     * The server must give up what the batch has done so far, and the client's block with it, as for an error of its
     * own: it gets a message that must fail, and the client hears our reason in its place. An earlier error in the batch
     * skips both.
     */
    private void poison(ServerConnection server, Fault fault) {
        server.send(Poison.EXECUTE, Reply.of(Reply.Step.EXECUTE, Reply.Use.HANDLE, new Reply.Listener() {
            @Override
            public void failed() {
                session.serverFailed(fault);
            }
        }));
    }

    /** True when a Sync is still to come. */
    boolean isUnderWay() {
        return skipping || batch.isUnderWay();
    }

    void skipToSync() {
        skipping = true;
    }

    // ---- one shard

    /**
     * Sync, Flush, Close of a statement, and Parse of a statement that a server has parsed before need no server when
     * none is held.
     */
    private boolean answeredWithoutServer(byte type, ByteBuf buffer, int start, int end) {
        if (session.leases().holds(0)) {
            return false;
        }
        if (type == 'S') {
            session.outputReady();
            return true;
        }
        if (type == 'C' && !session.place().isSessionMode()) {
            if (MessageNames.kind(buffer, start, end) == 'S') {
                known.forget(MessageNames.name(buffer, start + HEADER + 1, end));
            }
            session.output(FixedFrames.CLOSE_COMPLETE);
            return true;
        }
        return type == 'H' || type == 'P' && parseKnown(buffer, start, end);
    }

    /** A Parse of a named statement that is known to be valid: it is prepared on the server that it is bound on. */
    private boolean parseKnown(ByteBuf buffer, int start, int end) {
        if (buffer.getByte(start + HEADER) == 0 || session.place().isSessionMode()) {
            return false;
        }
        byte[] body = ByteBufUtil.getBytes(buffer, start + HEADER, end - start - HEADER);
        Parse parse = Parse.decode(body, 0, body.length);
        if (!session.database().isParsed(known.serverName(parse))) {
            return false;
        }
        ClientStatement unused =
                known.remember(parse, session.routing().analyzeNow(parse.sql().toByteArray()));
        session.output(FixedFrames.PARSE_COMPLETE);
        return true;
    }

    private void passThrough(ServerConnection server, byte type, ByteBuf buffer, int start, int end) {
        if (!uncertain.isEmpty() && dependsOnEarlierBatch(type, buffer, start, end)) {
            session.postpone(server, type, buffer, start, end);
            return;
        }
        if (repair.isKeeping()) {
            repair.keep(type, buffer, start, end);
        }
        switch (type) {
            case 'P' -> parse(server, buffer, start, end);
            case 'B' -> bind(server, buffer, start, end);
            case 'D' -> describe(server, buffer, start, end);
            case 'E' -> execute(server, buffer, start, end);
            case 'C' -> close(server, buffer, start, end);
            case 'S' -> sync(server, buffer, start, end);
            default -> server.sendPlain(buffer, start, end);
        }
    }

    private void sync(ServerConnection server, ByteBuf buffer, int start, int end) {
        batches++;
        bound = false;
        server.send(buffer, start, end, Reply.of(Reply.Step.SYNC, Reply.Use.FORWARD));
        if (resetInBatch) {
            // The client's own defaults must be back before anything else runs.
            resetInBatch = false;
            session.suspendUntilAnswered(server);
        }
    }

    /**
     * True for a message about a name whose Parse or Close, in a batch before this one, has not been answered yet: only
     * its answer tells whether there is such a statement. Within a batch a failure skips what depends on it.
     */
    private boolean dependsOnEarlierBatch(byte type, ByteBuf buffer, int start, int end) {
        int from = start + HEADER;
        String name = switch (type) {
            case 'P' -> MessageNames.name(buffer, from, end);
            case 'B' -> MessageNames.name(buffer, MessageNames.nameEnd(buffer, from, end), end);
            case 'D', 'C' ->
                MessageNames.kind(buffer, start, end) == 'S' ? MessageNames.name(buffer, from + 1, end) : "";
            default -> "";
        };
        Change change = uncertain.get(name);
        return change != null && change.batch != batches;
    }

    /** A Parse or Close of a named statement that has not been answered. */
    private abstract class Change implements Reply.Listener {
        private final String name;
        private final int batch = batches;

        Change(String name) {
            this.name = name;
            if (!name.isEmpty()) {
                uncertain.put(name, this);
            }
        }

        /** It has not taken place. */
        abstract void undo();

        @Override
        public void done() {
            uncertain.remove(name, this);
        }

        @Override
        public void failed() {
            skipped();
        }

        @Override
        public void skipped() {
            uncertain.remove(name, this);
            undo();
        }

        @Override
        public void lost() {
            skipped();
        }
    }

    private void parse(ServerConnection server, ByteBuf buffer, int start, int end) {
        byte[] body = ByteBufUtil.getBytes(buffer, start + HEADER, end - start - HEADER);
        ClientStatement statement = known.again(body);
        if (statement == null) {
            Parse parse = Parse.decode(body, 0, body.length);
            List<Statement> statements =
                    session.routing().analyzeNow(parse.sql().toByteArray());
            if (ListenText.isIn(statements)
                    && statements.size() == 1
                    && session.listening().isByProxy()) {
                parseListen(server, parse, statements);
                return;
            }
            statement = known.remember(parse, statements);
        }
        if (statement.isUnnamed()) {
            server.prepared().unnamed(statement);
            server.send(
                    buffer,
                    start,
                    end,
                    Reply.of(Reply.Step.PARSE, Reply.Use.FORWARD, new ForgetUnlessParsed(statement, server)));
        } else {
            preparer.parse(server, statement, new ForgetUnlessParsed(statement, server));
        }
    }

    /** A server that must not listen itself gets another text. */
    private void parseListen(ServerConnection server, Parse parse, List<Statement> statements) {
        ClientStatement statement = known.remember(ListenText.parse(parse, statements.get(0)), statements);
        if (!statement.isUnnamed()) {
            preparer.parse(server, statement, new ForgetUnlessParsed(statement, server));
            return;
        }
        FrameWriter out = new FrameWriter();
        ListenText.parse(parse, statements.get(0)).encode(out);
        server.prepared().unnamed(statement);
        server.send(
                out.toByteArray(),
                Reply.of(Reply.Step.PARSE, Reply.Use.FORWARD, new ForgetUnlessParsed(statement, server)));
    }

    /** The channel of a LISTEN is taken before it is executed. */
    private boolean takesChannel(@Nullable ClientStatement statement, ByteBuf buffer, int start, int end) {
        Statement listen = statement == null ? null : statement.statement();
        String missing = listen == null ? null : session.listening().missing(listen);
        if (missing == null) {
            return false;
        }
        ByteBuf frame = buffer.retainedSlice(start, end - start);
        session.suspend();
        session.listening().take(missing, () -> session.again((byte) 'E', frame), fault -> {
            frame.release();
            failBatch(fault);
            session.resume();
        });
        return true;
    }

    /** A Parse that failed has made no statement. */
    private final class ForgetUnlessParsed extends Change {
        private final ClientStatement statement;
        private final ServerConnection server;

        ForgetUnlessParsed(ClientStatement statement, ServerConnection server) {
            super(statement.name());
            this.statement = statement;
            this.server = server;
        }

        @Override
        public void done() {
            super.done();
            known.parsed(statement);
        }

        @Override
        void undo() {
            known.forget(statement);
            if (server.prepared().unnamed() == statement) {
                server.prepared().unnamed(null);
            }
        }
    }

    private void bind(ServerConnection server, ByteBuf buffer, int start, int end) {
        int portalEnd = MessageNames.nameEnd(buffer, start + HEADER, end);
        int statementEnd = MessageNames.nameEnd(buffer, portalEnd, end);
        ClientStatement statement = known.find(MessageNames.text(buffer, portalEnd, statementEnd - 1));
        session.meter().asks(statement.statement());
        boolean repairable = isRepairable(server, statement);
        bound = true;
        preparer.ensure(server, statement);
        PortalRows portal = new PortalRows(statement, prepared(server, statement));
        Statement sql = statement.statement();
        if (sql != null && sql.unknownSetConfig()) {
            byte[] body = ByteBufUtil.getBytes(buffer, start + HEADER, end - start - HEADER);
            Bind bind = Bind.decode(body, 0, body.length);
            portal.sql(Router.bound(sql, Parameters.of(bind, statement.typeOids())));
        }
        notePortal(MessageNames.text(buffer, start + HEADER, portalEnd - 1), portal);
        if (repairable) {
            repair.begin(statement);
            repair.keep((byte) 'B', buffer, start, end);
        }
        preparer.bind(
                server,
                statement,
                buffer,
                start,
                end,
                new int[] {portalEnd, statementEnd},
                Reply.of(Reply.Step.BIND, Reply.Use.FORWARD, repairable && repair.isKeeping() ? repair : null));
    }

    // ---- a statement that is stale on a server

    /** True for the first Bind of a batch outside of a block, of a statement that has been prepared here before. */
    private boolean isRepairable(ServerConnection server, ClientStatement statement) {
        return !bound
                && !statement.isUnnamed()
                && !session.place().isSessionMode()
                && server.status() == TransactionStatus.IDLE
                && server.answersOwed() == 0
                && server.prepared().has(statement.serverName());
    }

    /** A server has refused that Bind. True if the batch will be sent once more, when the server has left it. */
    boolean repairs(boolean synced) {
        if (!repair.isKeeping() || !repair.isSafe() || repair.isComplete() != synced || session.isAwaitingAnswers()) {
            return false;
        }
        repair.start();
        session.suspend();
        return true;
    }

    /** Prepares the statement anew and sends the batch once more. */
    void repair(ServerConnection server) {
        preparer.close(server, repair.statement().serverName(), Reply.Use.SWALLOW, new Reply.Listener() {});
        bound = false;
        List<BatchRepair.Kept> again = repair.take();
        try {
            int sent = 0;
            while (sent < again.size() && !asking) {
                sendAgain(server, again.get(sent++));
            }
            for (int i = again.size() - 1; i >= sent; i--) {
                BatchRepair.Kept waiting = again.get(i);
                session.first(
                        waiting.type(),
                        waiting.buffer().retainedSlice(waiting.start(), waiting.end() - waiting.start()));
            }
        } finally {
            again.forEach(BatchRepair.Kept::release);
        }
        if (!asking) {
            session.resume();
        }
    }

    private void sendAgain(ServerConnection server, BatchRepair.Kept message) {
        try {
            passThrough(server, message.type(), message.buffer(), message.start(), message.end());
        } catch (PgException refusal) {
            session.refuse(message.type(), refusal);
        }
    }

    /** True while a server leaves a batch that is to be sent once more; synced: its Sync is here already. */
    boolean isRepairing(boolean synced) {
        return repair.isUnderWay() && repair.isComplete() == synced;
    }

    /** A Query, which ends the unnamed statement, and the batch before it. */
    void queryBegins() {
        known.forget("");
        repair.forget();
    }

    /** A Query of the client's ends the unnamed portal, and outside of a block all others. */
    void endPortals() {
        batch.endPortals();
    }

    private void describe(ServerConnection server, ByteBuf buffer, int start, int end) {
        byte kind = MessageNames.kind(buffer, start, end);
        if (kind == 'S') {
            describeStatement(server, known.find(MessageNames.name(buffer, start + HEADER + 1, end)));
        } else {
            PortalRows portal = portal(MessageNames.name(buffer, start + HEADER + 1, end));
            Reply reply = portal == null ? Reply.of(Reply.Step.DESCRIBE_PORTAL, Reply.Use.FORWARD) : portal.describe();
            server.send(buffer, start, end, reply);
        }
    }

    /** A statement as it is prepared on a server; null in session mode, where the server is the client's own. */
    private @Nullable ServerStatement prepared(ServerConnection server, ClientStatement statement) {
        return session.place().isSessionMode() ? null : Preparer.on(server, statement);
    }

    /** Describe of a statement, where it is prepared first if need be. */
    void describeStatement(ServerConnection server, ClientStatement statement) {
        preparer.ensure(server, statement);
        server.send(
                named((byte) 'D', statement.serverName()), PortalRows.describe(statement, prepared(server, statement)));
    }

    private static byte[] named(byte type, String statement) {
        byte[] name = statement.getBytes(StandardCharsets.UTF_8);
        byte[] frame = new byte[HEADER + 1 + name.length + 1];
        frame[0] = type;
        Frame.putInt32(frame, 1, frame.length - 1);
        frame[HEADER] = 'S';
        System.arraycopy(name, 0, frame, HEADER + 1, name.length);
        return frame;
    }

    private void execute(ServerConnection server, ByteBuf buffer, int start, int end) {
        PortalRows portal = portal(MessageNames.name(buffer, start + HEADER, end));
        ClientStatement statement = portal == null ? null : portal.statement();
        if (takesChannel(statement, buffer, start, end)
                || portal != null && isHeldBack(portal, server, buffer, start, end)) {
            return;
        }
        Reply.Listener tracker = null;
        Statement sql = portal == null ? null : portal.sql();
        if (sql != null) {
            tracker = StateTracker.of(session, List.of(sql));
            session.pinFor(sql);
            resetInBatch |= session.settings().hasDefaults() && StateTracker.mayReset(sql);
        }
        if (statement != null && statement.kind() == StatementKind.COPY_FROM_STDIN) {
            untilCopy = new UntilCopy(tracker);
            tracker = untilCopy;
            session.suspend();
        }
        server.send(buffer, start, end, Reply.of(Reply.Step.EXECUTE, Reply.Use.FORWARD, tracker));
    }

    /**
     * True when an Execute does not run: it waits until it is known that its rows look as the client was told, or is
     * refused because they do not.
     */
    boolean isHeldBack(PortalRows portal, ServerConnection server, ByteBuf buffer, int start, int end) {
        PortalRows.Step step = portal.beforeExecute();
        if (step == PortalRows.Step.RUN || server.isSkipping()) {
            return false;
        } else if (step == PortalRows.Step.REFUSE) {
            failBatch(Fault.staleRows());
            return true;
        }
        ByteBuf frame = buffer.retainedSlice(start, end - start);
        asking = true;
        session.suspend();
        portal.ask(
                server,
                () -> {
                    asking = false;
                    if (repair.isUnderWay()) {
                        // It is among what will be sent once more.
                        frame.release();
                    } else {
                        session.again((byte) 'E', frame);
                    }
                },
                () -> {
                    asking = false;
                    frame.release();
                    session.resume();
                });
        return true;
    }

    /** The client has ended the COPY that a portal began: the rest of the batch may follow. */
    void copyInEnded() {
        if (untilCopy != null) {
            untilCopy.over();
        }
    }

    /**
     * Until the server has said whether it waits for data, nothing that follows the Execute of a COPY is passed on: a
     * server reads a Sync differently while it does.
     */
    private final class UntilCopy implements Reply.Listener {
        private final Reply.@Nullable Listener tracker;

        UntilCopy(Reply.@Nullable Listener tracker) {
            this.tracker = tracker;
        }

        void over() {
            if (untilCopy == this) {
                untilCopy = null;
                session.resume();
            }
        }

        @Override
        public void commandComplete(int index, ByteBuf buffer, int start, int end) {
            if (tracker != null) {
                tracker.commandComplete(index, buffer, start, end);
            }
        }

        @Override
        public void failed() {
            over();
        }

        @Override
        public void done() {
            over();
        }

        @Override
        public void skipped() {
            over();
        }

        @Override
        public void lost() {
            over();
        }
    }

    private void close(ServerConnection server, ByteBuf buffer, int start, int end) {
        if (MessageNames.kind(buffer, start, end) == 'S') {
            String name = MessageNames.name(buffer, start + HEADER + 1, end);
            ClientStatement statement = known.get(name);
            known.forget(name);
            if (!name.isEmpty()) {
                closeNamed(server, statement);
                return;
            }
            server.prepared().unnamed(null);
        } else {
            portals.remove(MessageNames.name(buffer, start + HEADER + 1, end));
        }
        server.send(buffer, start, end, Reply.of(Reply.Step.CLOSE, Reply.Use.FORWARD));
    }

    /** In session mode the server has it under the client's name, elsewhere it may be somebody else's too. */
    private void closeNamed(ServerConnection server, @Nullable ClientStatement statement) {
        Reply.Listener undo = new Change(statement == null ? "" : statement.name()) {
            @Override
            void undo() {
                if (statement != null) {
                    known.restore(statement);
                }
            }
        };
        boolean own = statement != null && (session.place().isSessionMode() || statement.isInSql());
        if (statement == null || !own) {
            server.local(Reply.local(FixedFrames.CLOSE_COMPLETE, undo));
        } else {
            preparer.close(server, statement.serverName(), Reply.Use.FORWARD, undo);
        }
    }

    /** Makes sure that a server has a statement that a Query is about to name; if it cannot have it, the Query fails. */
    void ensureForQuery(ServerConnection server, ClientStatement statement) {
        if (!Preparer.isThere(server, statement)) {
            preparer.ensureHandled(server, statement);
            server.send(FixedRequests.SYNC, Reply.of(Reply.Step.SYNC, Reply.Use.SWALLOW));
        }
    }

    private void notePortal(String name, PortalRows portal) {
        if (name.isEmpty()) {
            unnamedPortal = portal;
        } else {
            portals.put(name, portal);
        }
    }

    private @Nullable PortalRows portal(String name) {
        return name.isEmpty() ? unnamedPortal : portals.get(name);
    }

    /** The transaction has ended, and with it its portals. */
    void transactionEnded() {
        portals.clear();
        unnamedPortal = null;
        batch.transactionEnded();
    }

    /** A server connection of the session was lost. */
    void serverLost() {
        repair.forget();
        batch.serverLost();
    }

    /** The session ends. */
    void release() {
        repair.forget();
        batch.release();
    }
}
