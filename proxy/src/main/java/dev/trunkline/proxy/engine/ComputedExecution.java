package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.frontend.Bind;
import dev.trunkline.protocol.frontend.FixedRequests;
import dev.trunkline.protocol.frontend.Parse;
import dev.trunkline.proxy.backend.Reply;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.proxy.backend.ServerStatement;
import dev.trunkline.routing.Route;
import dev.trunkline.routing.Statement;
import dev.trunkline.routing.key.Parameters;
import org.jspecify.annotations.Nullable;

/** A statement with values that were computed for it: each shard gets the same text and the same parameters. */
final class ComputedExecution implements StatementRunner.Execution {

    private final StatementRunner.Execution client;
    private final byte[] parse;
    private final byte[] bind;

    /**
     * The statement.
     *
     * @param client as the client has asked for it
     * @param part what is sent in its place
     * @param all the values, the client's first
     * @param typeOids their types, 0 = open
     */
    ComputedExecution(StatementRunner.Execution client, Route.Part part, Bind all, int[] typeOids) {
        this.client = client;
        int[] oids = part.parameters().stream()
                .mapToInt(number -> typeOids[number - 1])
                .toArray();
        FrameWriter out = new FrameWriter();
        Parse.of("", part.text(), oids).encode(out);
        parse = out.toByteArray();
        FrameWriter values = new FrameWriter();
        all.some(part.parameters()).encode(values);
        bind = values.toByteArray();
    }

    @Override
    public Statement statement() {
        return client.statement();
    }

    @Override
    public @Nullable Parameters parameters() {
        return client.parameters();
    }

    @Override
    public @Nullable Bind bind() {
        return client.bind();
    }

    @Override
    public int maxRows() {
        return client.maxRows();
    }

    @Override
    public boolean isDescribed() {
        return client.isDescribed();
    }

    @Override
    public boolean hearsNoData() {
        return client.bind() != null;
    }

    @Override
    public @Nullable ServerStatement told() {
        return client.told();
    }

    @Override
    public void told(ServerStatement now) {
        client.told(now);
    }

    @Override
    public void send(ServerConnection to, Route.@Nullable Part part, Reply.Listener last) {
        to.prepared().unnamed(null);
        to.endUnnamedPortal();
        to.send(parse, Reply.of(Reply.Step.PARSE, Reply.Use.HANDLE));
        to.send(bind, Reply.of(Reply.Step.BIND, Reply.Use.HANDLE));
        to.send(FixedRequests.DESCRIBE_UNNAMED, Reply.of(Reply.Step.DESCRIBE_PORTAL, Reply.Use.HANDLE));
        to.send(FixedRequests.EXECUTE_UNNAMED, Reply.of(Reply.Step.EXECUTE, Reply.Use.HANDLE));
        to.send(FixedRequests.SYNC, Reply.of(Reply.Step.SYNC, Reply.Use.HANDLE, last));
    }

    @Override
    public int sourcePosition(Route.@Nullable Part part, int position) {
        return client.sourcePosition(part, position);
    }
}
