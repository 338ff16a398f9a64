package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.Frame;
import dev.trunkline.protocol.backend.FixedFrames;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.ProtocolErrors;
import dev.trunkline.protocol.frontend.Bind;
import dev.trunkline.protocol.frontend.Close;
import dev.trunkline.protocol.frontend.Describe;
import dev.trunkline.protocol.frontend.Execute;
import dev.trunkline.protocol.frontend.FixedRequests;
import dev.trunkline.protocol.frontend.Parse;
import dev.trunkline.proxy.backend.BackendErrors;
import dev.trunkline.proxy.backend.Reply;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.routing.Router;
import dev.trunkline.routing.Statement;
import dev.trunkline.routing.key.Parameters;
import dev.trunkline.routing.sql.StatementKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The extended protocol on a database of several shards: the messages up to one Sync.
 *
 * <p>A Parse waits until it is known where its statement runs, which a Bind decides; Describe, Flush and Sync let any
 * shard parse it. What one shard answers is passed on as on the main road. A statement for several shards runs at its
 * Execute, each shard getting Parse, Bind, Execute and Sync inside a block of ours.
 */
final class ExtendedBatch {

    private static final byte[] NO_PARAMETERS = {'t', 0, 0, 0, 6, 0, 0};

    private final Session session;
    private final ExtendedProtocol protocol;
    private final Preparer preparer;
    private final PendingParses pendingParses = new PendingParses();
    private final Map<String, Portal> portals = new HashMap<>(0);
    private @Nullable ServerConnection server;
    private boolean executed;
    private byte @Nullable [] heldComplete;

    ExtendedBatch(Session session, ExtendedProtocol protocol, Preparer preparer) {
        this.session = session;
        this.protocol = protocol;
        this.preparer = preparer;
    }

    /** True between the first message and the Sync. */
    boolean isUnderWay() {
        return server != null || !pendingParses.isEmpty() || heldComplete != null;
    }

    void message(byte type, ByteBuf buffer, int start, int end) {
        if (session.hasFailed()) {
            // A shard has reported an error: the rest of the batch is skipped, as a server would.
            if (type == 'S') {
                sync(buffer, start, end);
            }
            return;
        }
        switch (type) {
            case 'P' -> parse(buffer, start, end);
            case 'B' -> {
                byte[] body = body(buffer, start, end);
                bind(Bind.decode(body, 0, body.length), buffer, start, end);
            }
            case 'D' -> describe(buffer, start, end);
            case 'E' -> execute(buffer, start, end);
            case 'C' -> {
                byte[] body = body(buffer, start, end);
                close(Close.decode(body, 0, body.length), buffer, start, end);
            }
            case 'H' -> flush(buffer.retainedSlice(start, end - start));
            default -> sync(buffer, start, end);
        }
    }

    private static byte[] body(ByteBuf buffer, int start, int end) {
        return ByteBufUtil.getBytes(buffer, start + Frame.HEADER_BYTES, end - start - Frame.HEADER_BYTES);
    }

    // ---- Parse

    private void parse(ByteBuf buffer, int start, int end) {
        byte[] body = body(buffer, start, end);
        ClientStatement statement = session.statements().again(body);
        if (statement != null) {
            refuseInFailedBlock(statement);
            pendingParses.add(statement, buffer, start, end);
            return;
        }
        Parse parse = Parse.decode(body, 0, body.length);
        byte[] sql = parse.sql().toByteArray();
        List<Statement> statements = session.routing().analyzeNow(sql);
        if (!StatementRouting.anyUnknown(statements)) {
            pendingParses.add(parsed(parse, statements), buffer, start, end);
            return;
        }
        session.suspend();
        session.routing()
                .analyze(
                        sql,
                        known -> {
                            try {
                                pendingParses.add(parsed(parse, known));
                                session.resume();
                            } catch (PgException refusal) {
                                fail(Fault.of(refusal));
                            }
                        },
                        this::fail);
    }

    private ClientStatement parsed(Parse parse, List<Statement> statements) {
        if (statements.size() > 1) {
            throw EngineErrors.severalCommandsInStatement();
        }
        refuseInFailedBlock(
                statements.isEmpty() ? StatementKind.EMPTY : statements.get(0).kind());
        return session.statements().remember(parse, statements);
    }

    /** Sends the Parses that wait to a shard: the client gets its answers from there. */
    private void sendParses(ServerConnection to) {
        for (int i = 0; i < pendingParses.count(); i++) {
            ClientStatement statement = pendingParses.get(i);
            if (isOurs(statement)) {
                to.local(FixedFrames.PARSE_COMPLETE);
            } else {
                pendingParses.send(i, preparer, to, new Parsed(statement));
            }
        }
        pendingParses.clear();
    }

    private final class Parsed implements Reply.Listener {
        private final ClientStatement statement;

        Parsed(ClientStatement statement) {
            this.statement = statement;
        }

        @Override
        public void done() {
            session.statements().parsed(statement);
        }

        @Override
        public void failed() {
            session.statements().forget(statement);
        }

        @Override
        public void skipped() {
            session.statements().forget(statement);
        }
    }

    /** Answers the Parses that wait when servers have parsed each of these statements before. */
    private boolean answeredKnownParses() {
        if (server != null) {
            return false;
        }
        for (int i = 0; i < pendingParses.count(); i++) {
            if (!session.statements().isParsed(pendingParses.get(i))) {
                return false;
            }
        }
        answerParses();
        return true;
    }

    /** Answers the Parses that wait ourselves. */
    private void answerParses() {
        for (int i = pendingParses.count(); i > 0; i--) {
            local(FixedFrames.PARSE_COMPLETE);
        }
        pendingParses.clear();
    }

    /** An answer of ours: behind what a shard still has to answer to the client, if it has. */
    private void local(byte[] frame) {
        releaseComplete();
        ServerConnection current = server;
        if (current != null && current.unsynced() > 0) {
            current.local(frame);
        } else {
            // What else it may owe (to a BEGIN of ours) is not for the client, and other shards will not wait for it.
            session.output(frame);
        }
    }

    /** A CommandComplete that was held back only as long as it might be the last. */
    private void releaseComplete() {
        byte[] held = heldComplete;
        if (held != null) {
            heldComplete = null;
            session.output(held);
        }
    }

    /** Statements that the proxy carries out itself. */
    private static boolean isOurs(ClientStatement statement) {
        return switch (statement.kind()) {
            case EMPTY,
                    BEGIN,
                    COMMIT,
                    ROLLBACK,
                    SAVEPOINT,
                    RELEASE,
                    ROLLBACK_TO,
                    SET,
                    RESET,
                    SET_TRANSACTION,
                    SET_CONSTRAINTS,
                    DISCARD,
                    DEALLOCATE,
                    LISTEN,
                    UNLISTEN,
                    NOTIFY -> true;
            default -> false;
        };
    }

    // ---- Bind

    private void bind(Bind bind, ByteBuf buffer, int start, int end) {
        ClientStatement statement;
        Parameters parameters;
        try {
            statement = session.statements().find(bind.statement());
            session.meter().asks(statement.statement());
            session.meter().requestBegins();
            parameters = Parameters.of(bind, statement.typeOids());
            refuseInFailedBlock(statement);
        } catch (PgException refusal) {
            fail(Fault.of(refusal));
            return;
        }
        Statement parsed = statement.statement();
        if (parsed == null || isOurs(statement)) {
            Portal portal = new Portal(statement, bind, parsed);
            portals.put(bind.portal(), portal);
            answerParses();
            local(FixedFrames.BIND_COMPLETE);
            return;
        }
        Statement sql = session.routing().asOfNow(parsed);
        if (sql != parsed && sql.hasUnknownRelation()) {
            session.suspend();
            ByteBuf frame = buffer.retainedSlice(start, end - start);
            session.routing()
                    .asOfNow(
                            sql,
                            known -> {
                                statement.statement(known);
                                Statement withValues = Router.bound(known, parameters);
                                bindLater(new Portal(statement, bind, withValues), withValues, parameters, frame);
                            },
                            fault -> {
                                frame.release();
                                fail(fault);
                            });
            return;
        }
        statement.statement(sql);
        Statement withValues = Router.bound(sql, parameters);
        Portal portal = new Portal(statement, bind, withValues);
        if (!boundNow(portal, withValues, parameters, buffer, start, end)) {
            bindLater(portal, withValues, parameters, buffer.retainedSlice(start, end - start));
        }
    }

    /** The main road: one shard, which is the batch's own if it has one, and nothing to wait for. */
    private boolean boundNow(Portal portal, Statement sql, Parameters parameters, ByteBuf buffer, int start, int end) {
        ServerConnection current = server;
        ServerConnection to = session.runner().isPlain(sql) ? session.runner().placeNow(sql, parameters) : null;
        if (to == null || current != null && current != to && current.unsynced() > 0) {
            return false;
        }
        bound(portal, StatementRunner.onOne(to.address().shard()), buffer, start, end);
        return true;
    }

    private void bindLater(Portal portal, Statement sql, Parameters parameters, ByteBuf frame) {
        session.suspend();
        try {
            session.runner()
                    .place(
                            sql,
                            parameters,
                            this::checkPlacement,
                            placement -> {
                                // What was sent to a shard before may have failed meanwhile: then Bind is skipped.
                                if (!session.hasFailed()) {
                                    bound(portal, placement, frame, 0, frame.readableBytes());
                                }
                                frame.release();
                                session.resume();
                            },
                            fault -> {
                                frame.release();
                                fail(fault);
                            });
        } catch (PgException refusal) {
            frame.release();
            fail(Fault.of(refusal));
        }
    }

    private void refuseInFailedBlock(ClientStatement statement) {
        refuseInFailedBlock(statement.kind());
    }

    private void refuseInFailedBlock(StatementKind kind) {
        boolean ends =
                kind == StatementKind.COMMIT || kind == StatementKind.ROLLBACK || kind == StatementKind.ROLLBACK_TO;
        if (session.transaction().isFailed() && !ends) {
            throw session.transaction().refusal();
        }
    }

    /**
     * What runs before one Sync is one transaction. When it needs a second shard it becomes a block of ours; inside a
     * block, or when nothing has run yet, the first shard's part of the batch is closed by a Sync of ours.
     */
    private void checkPlacement(StatementRunner.Placement placement, Runnable then) {
        ServerConnection current = server;
        boolean same = current != null
                && placement.merge() == null
                && current.address().shard() == placement.shards().get(0);
        if (current == null || same || current.unsynced() == 0) {
            then.run();
        } else if (executed && !session.transaction().isOpen()) {
            adopt(current, then);
        } else {
            settle(then);
        }
    }

    /**
     * BEGIN takes what has run on a shard since the last Sync into a block, which the client's Sync commits on all shards
     * that have joined by then. Where an earlier message has failed the server skips it with all the rest.
     */
    private void adopt(ServerConnection current, Runnable then) {
        session.transaction().wrap();
        current.query("BEGIN", Reply.of(Reply.Step.QUERY, Reply.Use.SWALLOW, new Reply.Listener() {
            @Override
            public void done() {
                session.leases().adopt(current.address().shard());
                session.guarded(then);
            }

            @Override
            public void skipped() {
                session.transaction().fail();
                settle(then);
            }

            @Override
            public void lost() {
                settledByLoss(current, then);
            }
        }));
    }

    private void bound(Portal portal, StatementRunner.Placement placement, ByteBuf buffer, int start, int end) {
        portal.placement(placement, session.transactions().ownChanges());
        portals.put(portal.bind().portal(), portal);
        if (placement.merge() != null) {
            answerParses();
            local(FixedFrames.BIND_COMPLETE);
            return;
        }
        releaseComplete();
        ServerConnection to = session.leases().get(placement.shards().get(0));
        server = to;
        sendParses(to);
        prepare(portal, to);
        int portalEnd = MessageNames.nameEnd(buffer, start + Frame.HEADER_BYTES, end);
        int statementEnd = MessageNames.nameEnd(buffer, portalEnd, end);
        preparer.bind(
                to,
                portal.statement(),
                buffer,
                start,
                end,
                new int[] {portalEnd, statementEnd},
                Reply.of(Reply.Step.BIND, Reply.Use.FORWARD));
    }

    private void prepare(Portal portal, ServerConnection to) {
        preparer.ensure(to, portal.statement());
        portal.boundOn(to, session.leases().writes());
        portal.rows(new PortalRows(portal.statement(), Preparer.on(to, portal.statement())));
    }

    // ---- portals that wait

    /**
     * True when a message about a portal that lives on one shard can go there. Else it is put back until it can: what
     * another shard has still to do in this batch comes first, and what has been lost meanwhile is bound once more.
     */
    private boolean isWithin(Portal portal, byte type, ByteBuf buffer, int start, int end) {
        StatementRunner.Placement placement = Objects.requireNonNull(portal.placement());
        int shard = placement.shards().get(0);
        ServerConnection current = server;
        boolean elsewhere =
                current != null && current.unsynced() > 0 && current.address().shard() != shard;
        if (!elsewhere && portal.isThere()) {
            return true;
        }
        session.suspend();
        ByteBuf frame = buffer.retainedSlice(start, end - start);
        Consumer<Fault> failed = fault -> {
            frame.release();
            fail(fault);
        };
        checkPlacement(
                placement,
                () -> session.leases()
                        .take(
                                shard,
                                to -> {
                                    if (!session.hasFailed() && !portal.isThere()) {
                                        if (!portal.mayBeBoundAgain(
                                                session.leases().writes())) {
                                            failed.accept(Fault.of(EngineErrors.portalGone()));
                                            return;
                                        }
                                        server = to;
                                        prepare(portal, to);
                                        preparer.bindAgain(to, portal);
                                    }
                                    session.again(type, frame);
                                },
                                failed));
        return false;
    }

    /** A Query of the client's ends the unnamed portal, and outside of a block all others. */
    void endPortals() {
        if (session.transaction().isOpen()) {
            portals.remove("");
        } else {
            portals.clear();
        }
    }

    // ---- Describe

    private void describe(ByteBuf buffer, int start, int end) {
        if (isOfUnnamedPortal(buffer, start, end)) {
            describePortal("", buffer, start, end);
            return;
        }
        byte[] body = body(buffer, start, end);
        Describe describe = Describe.decode(body, 0, body.length);
        if (describe.isStatement()) {
            describeStatement(session.statements().find(describe.name()));
        } else {
            describePortal(describe.name(), buffer, start, end);
        }
    }

    private static boolean isOfUnnamedPortal(ByteBuf describe, int start, int end) {
        int body = start + Frame.HEADER_BYTES;
        return end - body == 2 && describe.getByte(body) == 'P' && describe.getByte(body + 1) == 0;
    }

    private void describePortal(String name, ByteBuf buffer, int start, int end) {
        Portal portal = portals.get(name);
        if (portal == null) {
            throw ProtocolErrors.unknownPortal(name);
        }
        if (portal.placement() == null) {
            local(FixedFrames.NO_DATA);
        } else if (portal.isOnOneShard()) {
            if (!isWithin(portal, (byte) 'D', buffer, start, end)) {
                return;
            }
            serverOf(portal)
                    .send(
                            buffer,
                            start,
                            end,
                            Objects.requireNonNull(portal.rows()).describe());
        } else {
            portal.describeOwed(true);
        }
    }

    private void describeStatement(ClientStatement statement) {
        refuseInFailedBlock(statement);
        if (isOurs(statement)) {
            answerParses();
            local(NO_PARAMETERS);
            local(FixedFrames.NO_DATA);
            return;
        }
        withAnyShard(to -> {
            sendParses(to);
            protocol.describeStatement(to, statement);
            session.resume();
        });
    }

    /** A shard that may parse and describe: the batch's own if it has one. */
    private void withAnyShard(Leases.Use use) {
        withAnyShard(use, this::fail);
    }

    private void withAnyShard(Leases.Use use, Consumer<Fault> failed) {
        ServerConnection current = server;
        if (current != null) {
            use.with(current);
            return;
        }
        session.suspend();
        session.leases()
                .take(
                        session.runner().anyShard(true),
                        to -> {
                            server = to;
                            use.with(to);
                        },
                        failed);
    }

    private ServerConnection serverOf(Portal portal) {
        int shard = Objects.requireNonNull(portal.placement()).shards().get(0);
        ServerConnection to = session.leases().get(shard);
        server = to;
        return to;
    }

    // ---- Execute

    private void execute(ByteBuf buffer, int start, int end) {
        String name = isAllOfUnnamedPortal(buffer, start, end) ? "" : null;
        Execute execute = null;
        if (name == null) {
            byte[] body = body(buffer, start, end);
            execute = Execute.decode(body, 0, body.length);
            name = execute.portal();
        }
        Portal portal = portals.get(name);
        if (portal == null) {
            throw ProtocolErrors.unknownPortal(name);
        }
        if (portal.isOnOneShard() && !isWithin(portal, (byte) 'E', buffer, start, end)) {
            return;
        }
        portal.executes(session.transactions().ownChanges());
        if (portal.isOnOneShard()) {
            executeOnOneShard(portal, buffer, start, end);
        } else {
            executeOnShards(portal, execute == null ? 0 : execute.maxRows());
        }
    }

    private static boolean isAllOfUnnamedPortal(ByteBuf execute, int start, int end) {
        int body = start + Frame.HEADER_BYTES;
        return end - body == 5 && execute.getByte(body) == 0 && execute.getInt(body + 1) == 0;
    }

    private void executeOnShards(Portal portal, int maxRows) {
        StatementRunner.Placement placement = portal.placement();
        boolean readsSeveral = placement != null
                && placement.shards().size() > 1
                && portal.statement().kind() == StatementKind.READ;
        if (readsSeveral && maxRows > 0) {
            throw EngineErrors.rowLimitOverShards();
        }
        // A write, and what sets a parameter, may carry a limit (drivers give one when they expect no rows): it counts
        // should it return some.
        portal.maxRows(maxRows);
        session.suspend();
        ServerConnection current = server;
        boolean joins = portal.isOurs() && executed && !session.transaction().isOpen();
        if (joins && current != null && current.unsynced() > 0) {
            adopt(current, () -> settledRun(portal));
        } else {
            settledRun(portal);
        }
    }

    private void settledRun(Portal portal) {
        settle(() -> {
            if (session.hasFailed()) {
                session.resume();
                return;
            }
            releaseComplete();
            executed = true;
            if (portal.setsForSession() && !session.transaction().isOpen()) {
                // What follows before the Sync may fail, and takes this back then.
                session.transaction().wrap();
            }
            run(portal);
        });
    }

    private void executeOnOneShard(Portal portal, ByteBuf frame, int start, int end) {
        Statement statement = Objects.requireNonNull(portal.sql());
        releaseComplete();
        ServerConnection to = serverOf(portal);
        if (protocol.isHeldBack(Objects.requireNonNull(portal.rows()), to, frame, start, end)) {
            return;
        }
        if (statement.writesRows()) {
            session.leases().wrote(to.address().shard());
        }
        executed = true;
        to.send(frame, start, end, Reply.of(Reply.Step.EXECUTE, Reply.Use.FORWARD));
    }

    private void run(Portal portal) {
        StatementRunner.Completion completion = new StatementRunner.Completion() {
            @Override
            public void done(byte[] commandComplete) {
                if (portal.endsTransaction()) {
                    portals.clear();
                }
                heldComplete = commandComplete;
                if (!session.transaction().isWrapped()) {
                    releaseComplete();
                }
                session.resume();
            }

            @Override
            public void failed(Fault fault) {
                fail(fault);
            }
        };
        if (portal.sql() == null) {
            completion.done(FixedFrames.EMPTY_QUERY_RESPONSE);
            return;
        }
        StatementRunner.Placement placement = portal.placement();
        PortalExecution execution = new PortalExecution(preparer, portal);
        if (placement == null) {
            session.runner().run(execution, completion);
        } else {
            session.runner().onShards(execution, placement, completion);
        }
    }

    // ---- Close, Flush, Sync

    private void close(Close close, ByteBuf buffer, int start, int end) {
        if (close.isStatement()) {
            session.statements().forget(close.name());
        } else {
            Portal portal = portals.get(close.name());
            if (portal != null && portal.isOnOneShard() && portal.isThere()) {
                if (!isWithin(portal, (byte) 'C', buffer, start, end)) {
                    return;
                }
                portals.remove(close.name());
                serverOf(portal).send(buffer, start, end, Reply.of(Reply.Step.CLOSE, Reply.Use.FORWARD));
                return;
            }
            portals.remove(close.name());
        }
        if (server == null && !pendingParses.isEmpty()) {
            withAnyShard(to -> {
                sendParses(to);
                to.local(FixedFrames.CLOSE_COMPLETE);
                session.resume();
            });
            return;
        }
        if (server != null) {
            sendParses(server);
        }
        local(FixedFrames.CLOSE_COMPLETE);
    }

    private void flush(ByteBuf frame) {
        if (server == null && pendingParses.isEmpty()) {
            frame.release();
            return;
        }
        withAnyShard(to -> {
            sendParses(to);
            to.sendPlain(frame);
            session.resume();
        });
    }

    private void sync(ByteBuf buffer, int start, int end) {
        session.suspend();
        if (!session.transaction().isOpen() || session.transaction().isWrapped()) {
            portals.clear();
        }
        ServerConnection current = server;
        if (current != null
                && current.unsynced() > 0
                && pendingParses.isEmpty()
                && !session.transaction().isWrapped()) {
            clear();
            current.send(buffer, start, end, Reply.of(Reply.Step.SYNC, Reply.Use.FORWARD));
            return;
        }
        if (!pendingParses.isEmpty() && !session.hasFailed() && !answeredKnownParses()) {
            withAnyShard(
                    to -> {
                        sendParses(to);
                        endBatch();
                    },
                    fault -> {
                        // The Sync is here already: nothing is left to skip.
                        pendingParses.forEach(session.statements()::forget);
                        session.serverFailed(fault);
                        endBatch();
                    });
        } else {
            endBatch();
        }
    }

    private void endBatch() {
        if (session.transaction().isWrapped()) {
            settle(this::commitWrapped);
            return;
        }
        ServerConnection current = server;
        clear();
        if (current != null && current.unsynced() > 0) {
            current.send(FixedRequests.SYNC, Reply.of(Reply.Step.SYNC, Reply.Use.FORWARD));
        } else {
            session.releaseIdle();
            session.outputReady();
            session.resume();
        }
    }

    private void commitWrapped() {
        byte[] complete = heldComplete;
        clear();
        TransactionEnd.Outcome outcome = new TransactionEnd.Outcome() {
            @Override
            public void ended(String tag) {
                if (complete != null && tag.equals("COMMIT")) {
                    session.output(complete);
                }
                endWrapped();
            }

            @Override
            public void failed(Fault fault) {
                session.serverFailed(fault);
                endWrapped();
            }
        };
        if (session.hasFailed()) {
            session.transactions().rollback(outcome);
        } else {
            session.transactions().commit(outcome);
        }
    }

    private void endWrapped() {
        session.releaseIdle();
        session.outputReady();
        session.resume();
    }

    private void clear() {
        server = null;
        executed = false;
        heldComplete = null;
        pendingParses.clear();
    }

    /** Ends the shard's part of the batch with a Sync of ours and waits for it. */
    private void settle(Runnable then) {
        ServerConnection current = server;
        if (current == null || current.unsynced() == 0) {
            then.run();
            return;
        }
        current.send(FixedRequests.SYNC, Reply.of(Reply.Step.SYNC, Reply.Use.SWALLOW, new Reply.Listener() {
            @Override
            public void done() {
                session.guarded(then);
            }

            @Override
            public void lost() {
                settledByLoss(current, then);
            }
        }));
    }

    private void settledByLoss(ServerConnection lost, Runnable then) {
        if (!session.hasFailed()) {
            session.serverFailed(Fault.of(BackendErrors.connectionLost(lost.address())));
        }
        session.guarded(then);
    }

    // ---- failures

    /**
     * A failure of ours within the batch: what the shard has answered goes out first, what it has done outside of a
     * block is undone, then the client gets its one error and everything up to the Sync is skipped.
     */
    void fail(Fault fault) {
        session.suspend();
        protocol.skipToSync();
        pendingParses.forEach(session.statements()::forget);
        pendingParses.clear();
        ServerConnection current = server;
        if (current != null
                && current.unsynced() > 0
                && executed
                && !session.transaction().isOpen()) {
            current.spoilBatch(Reply.Use.HANDLE);
        }
        settle(() -> {
            if (!session.hasFailed()) {
                releaseComplete();
                session.serverFailed(fault);
            }
            session.resume();
        });
    }

    /** The Sync after a failure: the batch is over. */
    void syncAfterFailure() {
        if (session.isPassThrough() && !isUnderWay()) {
            if (session.leases().holds(0) && session.leases().get(0).unsynced() > 0) {
                session.leases().get(0).send(FixedRequests.SYNC, Reply.of(Reply.Step.SYNC, Reply.Use.FORWARD));
            } else {
                session.outputReady();
                session.releaseIdle();
            }
            return;
        }
        session.suspend();
        endBatch();
    }

    void transactionEnded() {
        portals.clear();
    }

    /** The session ends. */
    void release() {
        portals.clear();
        pendingParses.clear();
    }

    void serverLost() {
        ServerConnection current = server;
        if (current != null && current.isLost()) {
            server = null;
        }
    }
}
