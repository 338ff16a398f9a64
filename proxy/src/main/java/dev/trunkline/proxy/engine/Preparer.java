package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.backend.FixedFrames;
import dev.trunkline.protocol.frontend.Close;
import dev.trunkline.protocol.frontend.ObjectKind;
import dev.trunkline.protocol.frontend.Parse;
import dev.trunkline.proxy.backend.Reply;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.proxy.backend.ServerStatement;
import dev.trunkline.proxy.measure.Measure;
import dev.trunkline.routing.Route;
import dev.trunkline.routing.key.Parameters;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Makes sure that a statement is prepared where it is to be bound, and gives messages the server's names. */
final class Preparer {

    private static final Reply.Listener NOBODY = new Reply.Listener() {};

    private final int limit;

    Preparer(int limit) {
        this.limit = limit;
    }

    /** The client's own Parse: it gets its ParseComplete from the server, or from us where the statement is prepared. */
    void parse(ServerConnection server, ClientStatement statement, Reply.Listener listener) {
        if (!statement.isUnnamed() && server.prepared().has(statement.serverName())) {
            server.local(Reply.local(FixedFrames.PARSE_COMPLETE, listener));
        } else {
            send(server, statement, Reply.Use.FORWARD, listener);
        }
    }

    /** The same for the unnamed statement, whose message goes as the client sent it. */
    void parseUnnamed(
            ServerConnection server,
            ClientStatement statement,
            ByteBuf buffer,
            int start,
            int end,
            Reply.Listener listener) {
        server.prepared().unnamed(statement);
        server.send(
                buffer,
                start,
                end,
                Reply.of(Reply.Step.PARSE, Reply.Use.FORWARD, new Undo(server, statement, listener)));
    }

    /** Prepares a statement where it is not; nothing of it reaches the client but an error. */
    void ensure(ServerConnection server, ClientStatement statement) {
        ensure(server, statement, Reply.Use.SWALLOW);
    }

    /** Prepares a statement where it is not; an error is one of several shards' and not yet the client's. */
    void ensureHandled(ServerConnection server, ClientStatement statement) {
        ensure(server, statement, Reply.Use.HANDLE);
    }

    private void ensure(ServerConnection server, ClientStatement statement, Reply.Use use) {
        if (!isThere(server, statement)) {
            send(server, statement, use, null);
        }
    }

    /** A statement as it is prepared on a server; null when that is the session's own business (PREPARE in SQL). */
    static @Nullable ServerStatement on(ServerConnection server, ClientStatement statement) {
        if (statement.isInSql()) {
            return null;
        }
        return statement.isUnnamed()
                ? server.prepared().findUnnamed()
                : server.prepared().find(statement.serverName());
    }

    /** True when a statement can be bound on a server as it is. */
    static boolean isThere(ServerConnection server, ClientStatement statement) {
        return statement.isUnnamed()
                ? server.prepared().unnamed() == statement
                : statement.isInSql() || server.prepared().has(statement.serverName());
    }

    private void send(
            ServerConnection server, ClientStatement statement, Reply.Use use, Reply.@Nullable Listener listener) {
        if (statement.isUnnamed()) {
            server.prepared().unnamed(statement);
        } else {
            server.prepared().add(statement.serverName());
            for (String evicted : server.prepared().evictBeyond(limit)) {
                server.count(Measure.PREPARED_EVICTIONS);
                close(server, evicted, Reply.Use.SWALLOW, NOBODY);
            }
        }
        server.send(statement.parseMessage(), Reply.of(Reply.Step.PARSE, use, new Undo(server, statement, listener)));
    }

    /** Closes a statement on a server; should that be skipped, the statement is still there. */
    void close(ServerConnection server, String serverName, Reply.Use use, Reply.Listener next) {
        server.prepared().remove(serverName);
        FrameWriter out = new FrameWriter();
        new Close(ObjectKind.STATEMENT, serverName).encode(out);
        server.send(out.toByteArray(), Reply.of(Reply.Step.CLOSE, use, new Reply.Listener() {
            @Override
            public void done() {
                next.done();
            }

            @Override
            public void lost() {
                next.lost();
            }

            @Override
            public void skipped() {
                server.prepared().add(serverName);
                next.skipped();
            }
        }));
    }

    /** A Parse that failed or was skipped has prepared nothing. */
    private record Undo(ServerConnection server, ClientStatement statement, Reply.@Nullable Listener next)
            implements Reply.Listener {

        @Override
        public void done() {
            if (next != null) {
                next.done();
            }
        }

        @Override
        public void failed() {
            undo();
            if (next != null) {
                next.failed();
            }
        }

        @Override
        public void skipped() {
            undo();
            if (next != null) {
                next.skipped();
            }
        }

        @Override
        public void lost() {
            if (next != null) {
                next.lost();
            }
        }

        private void undo() {
            if (!statement.isUnnamed()) {
                server.prepared().remove(statement.serverName());
            } else if (server.prepared().unnamed() == statement) {
                server.prepared().unnamed(null);
            }
        }
    }

    /**
     * Sends a Bind under the statement's server name; portal, formats and values go as the client sent them.
     *
     * @param frame the client's Bind from {@code start} to {@code end}
     * @param names where the portal name and the statement name end in it, each after its zero byte
     */
    void bind(
            ServerConnection server,
            ClientStatement statement,
            ByteBuf frame,
            int start,
            int end,
            int[] names,
            Reply reply) {
        if (statement.isUnnamed()) {
            server.send(frame, start, end, reply);
            return;
        }
        byte[] name = statement.serverName().getBytes(StandardCharsets.UTF_8);
        int portalBytes = names[0] - start - 5;
        int restBytes = end - names[1];
        ByteBuf head = server.wire().buffer(5 + portalBytes + name.length + 1);
        head.writeByte('B').writeInt(4 + portalBytes + name.length + 1 + restBytes);
        head.writeBytes(frame, start + 5, portalBytes).writeBytes(name).writeByte(0);
        server.sendPlain(head);
        server.send(frame, names[1], end, reply);
    }

    /** Binds a portal's values on another shard as the unnamed portal; nothing of it reaches the client. */
    void bindUnnamed(ServerConnection server, Portal portal) {
        server.endUnnamedPortal();
        FrameWriter out = new FrameWriter();
        portal.bind().encode(out, "", portal.statement().serverName());
        server.send(out.toByteArray(), Reply.of(Reply.Step.BIND, Reply.Use.HANDLE));
    }

    /** Binds a portal once more as the client has bound it; nothing of it reaches the client but an error. */
    void bindAgain(ServerConnection server, Portal portal) {
        FrameWriter out = new FrameWriter();
        portal.bind().encode(out, portal.bind().portal(), portal.statement().serverName());
        server.send(out.toByteArray(), Reply.of(Reply.Step.BIND, Reply.Use.SWALLOW));
    }

    /** Binds what a shard gets in place of a portal's statement, with the values that it uses; likewise. */
    void bindPart(ServerConnection server, Portal portal, Route.Part part) {
        Parameters all = Parameters.of(portal.bind(), portal.statement().typeOids());
        int[] oids = part.parameters().stream().mapToInt(all::typeOid).toArray();
        FrameWriter parse = new FrameWriter();
        Parse.of("", part.text(), oids).encode(parse);
        server.prepared().unnamed(null);
        server.endUnnamedPortal();
        server.send(parse.toByteArray(), Reply.of(Reply.Step.PARSE, Reply.Use.HANDLE));
        FrameWriter bind = new FrameWriter();
        portal.bind().some(part.parameters()).encode(bind);
        server.send(bind.toByteArray(), Reply.of(Reply.Step.BIND, Reply.Use.HANDLE));
    }
}
