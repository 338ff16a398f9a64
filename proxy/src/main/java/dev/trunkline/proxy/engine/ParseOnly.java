package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.frontend.FixedRequests;
import dev.trunkline.protocol.frontend.Parse;
import dev.trunkline.proxy.backend.BackendErrors;
import dev.trunkline.proxy.backend.Reply;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.routing.Statement;
import dev.trunkline.routing.key.Parameters;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Lets one shard parse a statement that we cannot analyse, without executing it: a syntax error or an unknown name is
 * then PostgreSQL's to report, with its position and hint. A statement that parses is refused.
 */
final class ParseOnly implements Relay.FrameTaker {

    private final Session session;
    private @Nullable Fault fault;

    ParseOnly(Session session) {
        this.session = session;
    }

    /** Fails with the server's error, or with the refusal. */
    void run(Statement statement, PgException refusal, Consumer<Fault> failed) {
        int shard = session.runner().anyShard(true);
        session.leases().take(shard, server -> send(server, statement, refusal, failed), failed);
    }

    private void send(ServerConnection server, Statement statement, PgException refusal, Consumer<Fault> failed) {
        check(server, statement, null, () -> failed.accept(Fault.of(refusal)), failed);
    }

    /**
     * The same for a statement that goes on.
     *
     * @param server one that owes nothing
     * @param parameters null in the simple protocol
     */
    void check(
            ServerConnection server,
            Statement statement,
            @Nullable Parameters parameters,
            Runnable parsed,
            Consumer<Fault> failed) {
        session.relay().taker(this);
        server.prepared().unnamed(null);
        // Blanks in place of what stands before it keep the error's position true.
        String sql = " ".repeat(statement.leadingCharacters())
                + new String(
                        statement.text(),
                        statement.start(),
                        statement.end() - statement.start(),
                        StandardCharsets.UTF_8);
        FrameWriter out = new FrameWriter();
        Parse.of("", sql, typeOids(parameters)).encode(out);
        server.send(out.toByteArray(), Reply.of(Reply.Step.PARSE, Reply.Use.HANDLE));
        server.send(FixedRequests.SYNC, Reply.of(Reply.Step.SYNC, Reply.Use.SWALLOW, new Reply.Listener() {
            @Override
            public void done() {
                session.relay().taker(null);
                if (fault == null) {
                    session.guarded(parsed);
                } else {
                    failed.accept(fault);
                }
            }

            @Override
            public void lost() {
                session.relay().taker(null);
                failed.accept(Fault.of(BackendErrors.connectionLost(server.address())));
            }
        }));
    }

    private static int[] typeOids(@Nullable Parameters parameters) {
        return parameters == null
                ? new int[0]
                : IntStream.rangeClosed(1, parameters.count())
                        .map(parameters::typeOid)
                        .toArray();
    }

    @Override
    public void frame(ServerConnection server, byte type, ByteBuf buffer, int start, int end) {
        if (type == 'E' && fault == null) {
            fault = Fault.ofServer(buffer, start, end, true);
        }
    }

    @Override
    public void part(ServerConnection server, ByteBuf buffer, int start, int end, boolean last) {}
}
