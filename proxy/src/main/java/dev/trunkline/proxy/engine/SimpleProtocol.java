package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.Frame;
import dev.trunkline.protocol.backend.FixedFrames;
import dev.trunkline.protocol.error.ProtocolErrors;
import dev.trunkline.protocol.frontend.FixedRequests;
import dev.trunkline.proxy.backend.Reply;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.proxy.measure.Measure;
import dev.trunkline.routing.Route;
import dev.trunkline.routing.Statement;
import dev.trunkline.routing.key.Parameters;
import dev.trunkline.routing.sql.StatementKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The simple protocol: Query and FunctionCall. */
final class SimpleProtocol {

    private final Session session;

    SimpleProtocol(Session session) {
        this.session = session;
    }

    /** A Query message. */
    void query(ByteBuf buffer, int start, int end) {
        byte[] text = textOf(buffer, start, end);
        List<Statement> statements = session.routing().analyzeNow(text);
        session.meter().asks(statements.isEmpty() ? null : statements.get(0));
        if (session.isPassThrough()) {
            if (ListenText.isIn(statements) && session.listening().isByProxy()) {
                listen(text, statements, buffer, start, end);
            } else {
                passThrough(statements, buffer, start, end);
            }
        } else if (!mainRoad(statements, buffer, start, end)) {
            slowRoad(text, buffer, start, end);
        }
    }

    /**
     * One statement, one shard, nothing to wait for: the client's own bytes, the server's own answer.
     *
     * @return false when it is more than that, and nothing has been sent
     */
    private boolean mainRoad(List<Statement> statements, ByteBuf buffer, int start, int end) {
        if (statements.size() != 1 || !session.runner().isPlain(statements.get(0))) {
            return false;
        }
        ServerConnection server = session.runner().placeNow(statements.get(0), null);
        if (server == null) {
            return false;
        }
        session.suspend();
        server.prepared().unnamed(null);
        server.send(buffer, start, end, Reply.of(Reply.Step.QUERY, Reply.Use.FORWARD));
        return true;
    }

    private void slowRoad(byte[] text, ByteBuf buffer, int start, int end) {
        session.suspend();
        session.meter().requestBegins();
        ByteBuf frame = buffer.retainedSlice(start, end - start);
        session.routing().analyze(text, statements -> route(statements, frame), fault -> {
            frame.release();
            fail(fault);
        });
    }

    private static byte[] textOf(ByteBuf buffer, int start, int end) {
        int from = start + Frame.HEADER_BYTES;
        if (end <= from || buffer.indexOf(from, end, (byte) 0) != end - 1) {
            throw ProtocolErrors.malformedMessage("Query", "Its text does not end with the only zero byte.");
        }
        return ByteBufUtil.getBytes(buffer, from, end - 1 - from);
    }

    /** A FunctionCall message: the function's name is not in it, so nothing can be said of where it belongs. */
    void functionCall(ByteBuf buffer, int start, int end) {
        if (!session.isPassThrough()) {
            throw EngineErrors.notOverShards("FunctionCall");
        }
        passThrough(List.of(), buffer, start, end);
    }

    // ---- one shard

    /** The channels are taken first; then the server, which must not listen itself, gets the rest of it. */
    private void listen(byte[] text, List<Statement> statements, ByteBuf buffer, int start, int end) {
        String missing = session.listening().missing(statements);
        if (missing == null) {
            byte[] query = ListenText.query(text, statements);
            passThrough(statements, Unpooled.wrappedBuffer(query), 0, query.length);
            return;
        }
        ByteBuf frame = buffer.retainedSlice(start, end - start);
        session.suspend();
        session.listening().take(missing, () -> session.again((byte) 'Q', frame), fault -> {
            frame.release();
            fail(fault);
        });
    }

    private void passThrough(List<Statement> statements, ByteBuf buffer, int start, int end) {
        boolean decides = decidesWhatFollows(statements);
        Reply.Listener tracker = StateTracker.of(session, statements);
        Reply reply = Reply.of(
                Reply.Step.QUERY, Reply.Use.FORWARD, decides ? new ResumeIfSkipped(session, tracker) : tracker);
        session.extended().queryBegins();
        RenamedQuery renamed = RenamedQuery.of(statements, session.statements());
        ServerConnection now = session.leases().takeNow(0);
        if (now != null) {
            if (renamed == null) {
                now.send(buffer, start, end, reply);
            } else {
                now.send(renamed.on(now, session.extended()), reply);
            }
            sent(now, statements, decides);
            return;
        }
        ByteBuf frame = buffer.retainedSlice(start, end - start);
        session.suspend();
        session.leases()
                .take(
                        0,
                        server -> {
                            server.send(renamed == null ? frame : renamed(renamed, server, frame), reply);
                            sent(server, statements, decides);
                            if (!session.isAwaitingAnswers()) {
                                session.resume();
                            }
                        },
                        fault -> {
                            frame.release();
                            fail(fault);
                        });
    }

    private ByteBuf renamed(RenamedQuery query, ServerConnection server, ByteBuf original) {
        original.release();
        return query.on(server, session.extended());
    }

    private void sent(ServerConnection server, List<Statement> statements, boolean decides) {
        server.prepared().unnamed(null);
        for (int i = 0; i < statements.size(); i++) {
            session.pinFor(statements.get(i));
        }
        if (decides && !server.isSkipping()) {
            session.suspendUntilAnswered(server);
        }
    }

    /**
     * True when what the client sends next cannot be passed on before the answer: data for a COPY, a statement that needs
     * the client's own defaults back after a RESET, or a use of a name that SQL may take or give away.
     */
    private boolean decidesWhatFollows(List<Statement> statements) {
        for (int i = 0; i < statements.size(); i++) {
            Statement statement = statements.get(i);
            if (statement.kind() == StatementKind.COPY_FROM_STDIN
                    || statement.kind() == StatementKind.PREPARE
                    || statement.kind() == StatementKind.DEALLOCATE
                    || session.settings().hasDefaults() && StateTracker.mayReset(statement)) {
                return true;
            }
        }
        return false;
    }

    // ---- several shards

    private void route(List<Statement> statements, ByteBuf frame) {
        if (statements.isEmpty()) {
            frame.release();
            session.output(FixedFrames.EMPTY_QUERY_RESPONSE);
            end();
        } else if (statements.size() == 1 && session.runner().isPlain(statements.get(0))) {
            placed(statements.get(0), frame);
        } else {
            frame.release();
            new Sequence(statements).start();
        }
    }

    /** One statement that something had to be waited for: on one shard as on the main road, on several as they need. */
    private void placed(Statement statement, ByteBuf frame) {
        session.runner()
                .place(
                        statement,
                        null,
                        placement -> {
                            if (placement.merge() != null) {
                                frame.release();
                                new Sequence(List.of(statement)).runPlaced(placement);
                                return;
                            }
                            int shard = placement.shards().get(0);
                            if (session.transaction().isOpen() && statement.writesRows()) {
                                session.leases().wrote(shard);
                            }
                            ServerConnection server = session.leases().get(shard);
                            server.prepared().unnamed(null);
                            server.send(frame, Reply.of(Reply.Step.QUERY, Reply.Use.FORWARD));
                        },
                        fault -> {
                            frame.release();
                            fail(fault);
                        });
    }

    /** The statements of one Query, one after the other; several of them are one transaction. */
    private final class Sequence {
        private final List<Statement> statements;
        private int index;

        Sequence(List<Statement> statements) {
            this.statements = statements;
        }

        void start() {
            wrapSeveral();
            next();
        }

        private void wrapSeveral() {
            if (statements.size() - index > 1 && !session.transaction().isOpen()) {
                session.transaction().wrap();
            }
        }

        private Statement current() {
            return statements.get(index);
        }

        private void next() {
            session.runner().run(new TextExecution(session, current()), completion());
        }

        /** The only statement, already placed on several shards. */
        void runPlaced(StatementRunner.Placement placement) {
            session.runner().onShards(new TextExecution(session, current()), placement, completion());
        }

        private StatementRunner.Completion completion() {
            return new StatementRunner.Completion() {
                @Override
                public void done(byte[] commandComplete) {
                    completed(commandComplete);
                }

                @Override
                public void failed(Fault fault) {
                    fail(fault);
                }
            };
        }

        private void completed(byte[] commandComplete) {
            index++;
            if (index < statements.size()) {
                session.output(commandComplete);
                wrapSeveral();
                next();
            } else {
                // The last CommandComplete tells that the transaction has ended: it waits for that.
                commitWrapped(commandComplete);
            }
        }

        private void commitWrapped(byte[] commandComplete) {
            if (!session.transaction().isWrapped()) {
                session.output(commandComplete);
                end();
                return;
            }
            session.transactions().commit(new TransactionEnd.Outcome() {
                @Override
                public void ended(String tag) {
                    session.output(commandComplete);
                    end();
                }

                @Override
                public void failed(Fault fault) {
                    fail(fault);
                }
            });
        }
    }

    // ---- ends of a request

    /** The request has failed: one error, then ReadyForQuery; a wrapped block is rolled back first. */
    void fail(Fault fault) {
        session.suspend();
        if (session.transaction().isWrapped()) {
            session.transactions().rollback(new TransactionEnd.Outcome() {
                @Override
                public void ended(String tag) {
                    fail(fault);
                }

                @Override
                public void failed(Fault other) {
                    fail(fault);
                }
            });
            return;
        }
        if (session.isPassThrough()) {
            session.meter().counters().count(Measure.ERRORS);
            session.outputInOrder(fault.frame());
        } else {
            session.serverFailed(fault);
        }
        end();
    }

    private void end() {
        session.releaseIdle();
        if (session.isPassThrough() && session.leases().holds(0)) {
            // The server has the last word: what it still owes comes first, and it alone knows the status then.
            session.leases().get(0).send(FixedRequests.SYNC, Reply.of(Reply.Step.SYNC, Reply.Use.FORWARD));
        } else {
            session.outputReady();
        }
        session.resume();
    }

    /** The server did not carry the Query out, because the batch before it had failed. */
    private record ResumeIfSkipped(Session session, Reply.@Nullable Listener tracker) implements Reply.Listener {
        @Override
        public byte @Nullable [] commandCompleteInstead(int index) {
            return tracker == null ? null : tracker.commandCompleteInstead(index);
        }

        @Override
        public void commandComplete(int index, ByteBuf buffer, int start, int end) {
            if (tracker != null) {
                tracker.commandComplete(index, buffer, start, end);
            }
        }

        @Override
        public void skipped() {
            session.resume();
        }
    }

    /** A statement of the simple protocol: its text as a Query of its own. */
    private static final class TextExecution implements StatementRunner.Execution {
        private final Session session;
        private final Statement statement;

        TextExecution(Session session, Statement statement) {
            this.session = session;
            this.statement = statement;
        }

        @Override
        public Statement statement() {
            return statement;
        }

        @Override
        public @Nullable Parameters parameters() {
            return null;
        }

        @Override
        public void send(ServerConnection server, Route.@Nullable Part part, Reply.Listener last) {
            byte[] text = part == null
                    ? Arrays.copyOfRange(statement.text(), statement.start(), statement.end())
                    : part.text();
            ByteBuf message = server.wire().buffer(text.length + 6);
            message.writeByte('Q').writeInt(text.length + 5).writeBytes(text).writeByte(0);
            server.prepared().unnamed(null);
            server.send(message, Reply.of(Reply.Step.QUERY, Reply.Use.HANDLE, last));
        }

        @Override
        public int sourcePosition(Route.@Nullable Part part, int position) {
            return part == null
                    ? statement.leadingCharacters() + position
                    : part.sourcePosition(statement.text(), position);
        }
    }
}
