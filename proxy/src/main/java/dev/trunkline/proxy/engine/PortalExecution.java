package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.frontend.Bind;
import dev.trunkline.protocol.frontend.FixedRequests;
import dev.trunkline.proxy.backend.Reply;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.proxy.backend.ServerStatement;
import dev.trunkline.routing.Route;
import dev.trunkline.routing.Statement;
import dev.trunkline.routing.key.Parameters;
import org.jspecify.annotations.Nullable;

/** A portal that runs on several shards, or that the proxy carries out itself. */
final class PortalExecution implements StatementRunner.Execution {

    private final Preparer preparer;
    private final Portal portal;

    PortalExecution(Preparer preparer, Portal portal) {
        this.preparer = preparer;
        this.portal = portal;
    }

    @Override
    public Statement statement() {
        Statement statement = portal.sql();
        if (statement == null) {
            throw new IllegalStateException("an empty statement has no execution of its own");
        }
        return statement;
    }

    @Override
    public @Nullable Parameters parameters() {
        return Parameters.of(portal.bind(), portal.statement().typeOids());
    }

    @Override
    public Bind bind() {
        return portal.bind();
    }

    @Override
    public int maxRows() {
        return portal.maxRows();
    }

    @Override
    public boolean isDescribed() {
        return portal.isDescribeOwed();
    }

    @Override
    public @Nullable ServerStatement told() {
        return portal.statement().told();
    }

    @Override
    public void told(ServerStatement now) {
        portal.statement().told(now);
    }

    @Override
    public void send(ServerConnection to, Route.@Nullable Part part, Reply.Listener last) {
        if (part == null) {
            preparer.ensureHandled(to, portal.statement());
            preparer.bindUnnamed(to, portal);
        } else {
            preparer.bindPart(to, portal, part);
        }
        // Asked for even when the client does not: rows that differ, from shard to shard or from what the client
        // was
        // told, must not be put together.
        to.send(FixedRequests.DESCRIBE_UNNAMED, Reply.of(Reply.Step.DESCRIBE_PORTAL, Reply.Use.HANDLE));
        to.send(FixedRequests.EXECUTE_UNNAMED, Reply.of(Reply.Step.EXECUTE, Reply.Use.HANDLE));
        to.send(FixedRequests.SYNC, Reply.of(Reply.Step.SYNC, Reply.Use.HANDLE, last));
    }
}
