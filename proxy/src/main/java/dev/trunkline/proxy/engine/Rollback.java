package dev.trunkline.proxy.engine;

import dev.trunkline.proxy.backend.Reply;
import dev.trunkline.proxy.backend.ServerConnection;
import java.util.List;

/** ROLLBACK on one shard; a connection that is lost has rolled back by itself. */
final class Rollback implements Reply.Listener {

    private final Session session;
    private final ServerConnection server;
    private final Runnable then;
    private boolean again;
    private boolean failed;

    private Rollback(Session session, ServerConnection server, Runnable then) {
        this.session = session;
        this.server = server;
        this.then = then;
    }

    /** Rolls back on these shards, which are held, at once. */
    static void on(Session session, List<Integer> shards, Runnable then) {
        if (shards.isEmpty()) {
            then.run();
            return;
        }
        int[] left = {shards.size()};
        for (int shard : shards) {
            new Rollback(session, session.leases().get(shard), () -> {
                        if (--left[0] == 0) {
                            then.run();
                        }
                    })
                    .send();
        }
    }

    private void send() {
        failed = false;
        server.query("ROLLBACK", Reply.of(Reply.Step.QUERY, Reply.Use.SWALLOW, this));
    }

    /** Only a cancel that was meant for the statement before makes ROLLBACK fail. */
    @Override
    public void failed() {
        var unused = session.relay().takeSwallowed();
        failed = true;
    }

    @Override
    public void done() {
        if (!failed) {
            then.run();
        } else if (again) {
            server.wire().abort();
            then.run();
        } else {
            again = true;
            send();
        }
    }

    @Override
    public void lost() {
        then.run();
    }
}
