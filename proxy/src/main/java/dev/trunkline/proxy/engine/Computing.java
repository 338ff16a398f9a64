package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.Frame;
import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.backend.DataRow;
import dev.trunkline.protocol.backend.RowDescription;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.frontend.Bind;
import dev.trunkline.protocol.frontend.FixedRequests;
import dev.trunkline.protocol.frontend.Parse;
import dev.trunkline.proxy.backend.BackendErrors;
import dev.trunkline.proxy.backend.Reply;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.routing.Route;
import dev.trunkline.routing.Statement;
import dev.trunkline.routing.key.Parameters;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Computes on the first shard, in the statement's transaction, what each shard would compute for itself: sequences go on
 * there alone, the time is that transaction's, and the session's own rights and search path hold. The values travel in
 * binary form, which loses nothing whatever the session's settings are.
 */
final class Computing implements Relay.FrameTaker {

    private static final Bind NO_VALUES = Bind.of("", "", List.of(), List.of(), List.of());

    /** From this object identifier on types are users' and have another one on each shard (FirstNormalObjectId). */
    private static final int FIRST_USER_TYPE = 16_384;

    /** The pseudo-type of a row that is of no table, and the types of names, whose values are identifiers as well. */
    private static final Set<Integer> UNEQUAL_TYPES =
            Set.of(2249, 24, 2202, 2203, 2204, 2205, 2206, 3734, 3769, 4089, 4096, 4191);

    private final Session session;
    private final StatementRunner.Execution client;
    private final Route.Computed route;
    private final ServerConnection server;
    private final List<byte @Nullable []> values = new ArrayList<>();
    private final List<Integer> types = new ArrayList<>();
    private final ByteArrayOutputStream incomplete = new ByteArrayOutputStream(0);
    private boolean parsed;
    private int question;
    private @Nullable Fault fault;

    Computing(Session session, StatementRunner.Execution client, Route.Computed route) {
        this.session = session;
        this.client = client;
        this.route = route;
        this.server = session.leases().get(route.shards().get(0));
    }

    /** Goes on with the statement as it is to run, or with what the server has refused. */
    void run(Consumer<StatementRunner.Execution> computed, Consumer<Fault> failed) {
        session.relay().taker(this);
        server.prepared().unnamed(null);
        server.endUnnamedPortal();
        parse();
        for (Route.Question each : route.questions()) {
            send(each.part());
        }
        server.send(FixedRequests.SYNC, Reply.of(Reply.Step.SYNC, Reply.Use.HANDLE, new Reply.Listener() {
            @Override
            public void done() {
                session.relay().taker(null);
                session.guarded(() -> ended(computed, failed));
            }

            @Override
            public void lost() {
                session.relay().taker(null);
                failed.accept(Fault.of(BackendErrors.connectionLost(server.address())));
            }
        }));
    }

    /** What the server finds wrong with the client's own text it says before anything is computed. */
    private void parse() {
        Statement statement = client.statement();
        boolean simple = client.bind() == null;
        byte[] text =
                simple ? Arrays.copyOfRange(statement.text(), statement.start(), statement.end()) : statement.text();
        Parameters all = client.parameters();
        int[] oids = all == null
                ? new int[0]
                : IntStream.rangeClosed(1, all.count()).map(all::typeOid).toArray();
        FrameWriter parse = new FrameWriter();
        Parse.of("", text, oids).encode(parse);
        server.send(parse.toByteArray(), Reply.of(Reply.Step.PARSE, Reply.Use.HANDLE, new Reply.Listener() {
            @Override
            public void done() {
                parsed = true;
            }
        }));
    }

    private void send(Route.Part part) {
        Parameters all = client.parameters();
        int[] oids = part.parameters().stream()
                .mapToInt(number -> all == null ? 0 : all.typeOid(number))
                .toArray();
        FrameWriter parse = new FrameWriter();
        Parse.of("", part.text(), oids).encode(parse);
        server.send(parse.toByteArray(), Reply.of(Reply.Step.PARSE, Reply.Use.HANDLE));
        FrameWriter bind = new FrameWriter();
        bound().some(part.parameters()).inBinary().encode(bind);
        server.send(bind.toByteArray(), Reply.of(Reply.Step.BIND, Reply.Use.HANDLE));
        server.send(FixedRequests.DESCRIBE_UNNAMED, Reply.of(Reply.Step.DESCRIBE_PORTAL, Reply.Use.HANDLE));
        server.send(FixedRequests.EXECUTE_UNNAMED, Reply.of(Reply.Step.EXECUTE, Reply.Use.HANDLE, new Reply.Listener() {
            @Override
            public void done() {
                question++;
            }
        }));
    }

    private Bind bound() {
        Bind bind = client.bind();
        return bind == null ? NO_VALUES : bind;
    }

    private void ended(Consumer<StatementRunner.Execution> computed, Consumer<Fault> failed) {
        Fault refused = fault == null ? check() : fault;
        if (refused != null) {
            failed.accept(refused);
            return;
        }
        Bind given = bound();
        computed.accept(
                new ComputedExecution(client, route.part(), given.with(values), typeOids(given.parameterCount())));
    }

    private int[] typeOids(int given) {
        Parameters parameters = client.parameters();
        int[] oids = new int[given + values.size()];
        for (int i = 0; i < oids.length; i++) {
            oids[i] = i >= given ? types.get(i - given) : parameters == null ? 0 : parameters.typeOid(i + 1);
        }
        return oids;
    }

    private @Nullable Fault check() {
        int columns =
                route.questions().stream().mapToInt(Route.Question::columns).sum();
        boolean oneRowEach = values.size() == columns && types.size() == columns;
        PgException refusal = !oneRowEach
                ? EngineErrors.computedRows()
                : types.stream().anyMatch(Computing::isOfUser) ? EngineErrors.computedType() : null;
        return refusal == null ? null : Fault.of(refusal);
    }

    private static boolean isOfUser(int type) {
        return UNEQUAL_TYPES.contains(type) || Integer.compareUnsigned(type, FIRST_USER_TYPE) >= 0;
    }

    // ---- frames

    @Override
    public void frame(ServerConnection from, byte type, ByteBuf buffer, int start, int end) {
        switch (type) {
            case 'T' -> described(ByteBufUtil.getBytes(buffer, start, end - start));
            case 'D' -> row(ByteBufUtil.getBytes(buffer, start, end - start));
            case 'E' -> {
                if (fault == null) {
                    fault = Fault.ofServer(buffer, start, end, true).withPosition(this::sourcePosition);
                }
            }
            default -> {}
        }
    }

    private int sourcePosition(int position) {
        if (!parsed) {
            return client.sourcePosition(null, position);
        }
        int failing = Math.min(question, route.questions().size() - 1);
        return client.sourcePosition(route.questions().get(failing).part(), position);
    }

    @Override
    public void part(ServerConnection from, ByteBuf buffer, int start, int end, boolean last) {
        incomplete.writeBytes(ByteBufUtil.getBytes(buffer, start, end - start));
        if (last) {
            byte[] frame = incomplete.toByteArray();
            incomplete.reset();
            row(frame);
        }
    }

    private void described(byte[] frame) {
        RowDescription.decode(frame, Frame.HEADER_BYTES, frame.length - Frame.HEADER_BYTES)
                .fields()
                .forEach(field -> types.add(field.typeOid()));
    }

    /** A second row is one too many: no more of them are kept. */
    private void row(byte[] frame) {
        if (values.size() > types.size()) {
            return;
        }
        for (ByteSlice value : DataRow.decode(frame, Frame.HEADER_BYTES, frame.length - Frame.HEADER_BYTES)
                .values()) {
            values.add(value == null ? null : value.toByteArray());
        }
    }
}
