package dev.trunkline.proxy;

import dev.trunkline.conf.Database;
import dev.trunkline.lookup.LookupWrite;
import dev.trunkline.proxy.engine.DatabaseState;
import dev.trunkline.proxy.pool.Pools;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One database comes to be served in another way, by a reload: with other servers or tables, for the first time, or no
 * more. It is brought into service beside the one that it replaces. Then clients go over to it, each between two of its
 * transactions, and the old one ends when nobody is left there.
 *
 * <p>Until then transactions of the old one may commit what the new one's lookup maps rest on and does not see as written
 * through itself. So those maps count as being written all that time: nothing is kept, every statement reads its keys
 * afresh from shard 0.
 */
final class DatabaseChange {

    private static final Logger LOG = LoggerFactory.getLogger(DatabaseChange.class);

    /** What bringing a database into service may take; after that the reload is given up. */
    private static final long PATIENCE_MILLIS = 5_000;

    private final Vertx vertx;
    private final Databases databases;
    private final Pools pools;
    private final String name;
    private final @Nullable DatabaseState before;
    private final @Nullable DatabaseState next;
    private final List<Database> servers;
    private final Context context;
    private final @Nullable DatabaseStart start;
    private @Nullable LookupWrite gate;

    /**
     * Nothing has happened yet.
     *
     * @param before null = there is none of this name
     * @param next null = there will be none
     * @param servers of the next, by ascending shard
     */
    DatabaseChange(
            Vertx vertx,
            Databases databases,
            Pools pools,
            String name,
            @Nullable DatabaseState before,
            @Nullable DatabaseState next,
            List<Database> servers) {
        this.vertx = vertx;
        this.databases = databases;
        this.pools = pools;
        this.name = name;
        this.before = before;
        this.next = next;
        this.servers = servers;
        this.context = vertx.getOrCreateContext();
        this.start = next == null ? null : new DatabaseStart(vertx, next);
    }

    /** The database's name. */
    String name() {
        return name;
    }

    /** Completes when the new one could be served; fails with the reason why not. Nobody notices. */
    Future<Void> prepare() {
        DatabaseState made = next;
        DatabaseStart begun = start;
        if (made == null || begun == null) {
            return Future.succeededFuture();
        }
        return databases
                .maps()
                .add(made.lookups())
                .compose(added -> {
                    begun.begin();
                    return made.whenReady().timeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
                })
                .recover(late -> Future.failedFuture(new IllegalStateException(
                        "database " + name + " could not be brought into service: " + begun.fault())))
                .compose(ready -> onContext(() -> close(made)));
    }

    private void close(DatabaseState made) {
        int lookups = made.lookups().status().size();
        if (before != null && lookups > 0) {
            LookupWrite closed = made.lookups().beginWrite(-1L >>> Long.SIZE - lookups, false);
            closed.commitSent();
            gate = closed;
        }
    }

    /** The reload is given up: the new one ends. */
    void abandon() {
        DatabaseState made = next;
        DatabaseStart begun = start;
        if (made == null || begun == null) {
            return;
        }
        begun.abandon();
        var unused = onContext(() -> {
                    LookupWrite closed = gate;
                    if (closed != null) {
                        closed.rolledBack();
                    }
                })
                .compose(open -> end(made));
    }

    /** Pools of the new one are made from now on. */
    void renewPools() {
        if (next == null || before == null || next.epoch() != before.epoch()) {
            pools.renew(name, next == null ? 0 : next.epoch(), servers);
        }
    }

    /** Clients that log in from now on find the new one; those of the old one go over, on every loop. */
    void begin(Collection<ProxyVerticle> loops) {
        if (next == null) {
            databases.served().remove(name);
        } else {
            databases.served().put(name, next);
        }
        DatabaseState left = before;
        if (left == null) {
            LOG.info("database {} is new", name);
            return;
        }
        LOG.info("database {} is {}", name, next == null ? "gone" : "served in another way");
        var unused = Future.all(
                        loops.stream().map(loop -> loop.move(left, next)).toList())
                .onSuccess(moved -> leave(left));
    }

    private void leave(DatabaseState left) {
        LOG.info("the database {} of before has no clients any more", name);
        var unused = left.whenOutcomesAreKnown()
                .compose(known -> onContext(() -> {
                    LookupWrite closed = gate;
                    if (closed != null) {
                        closed.committed();
                    }
                }))
                .compose(open -> end(left));
        if (next == null || next.epoch() != left.epoch()) {
            pools.retire(name, left.epoch());
        }
    }

    private Future<Void> end(DatabaseState ended) {
        ended.end();
        return databases.maps().remove(ended.lookups());
    }

    private Future<Void> onContext(Runnable step) {
        Promise<Void> done = Promise.promise();
        context.runOnContext(ignored -> {
            try {
                step.run();
                done.complete();
            } catch (RuntimeException bug) {
                done.fail(bug);
            }
        });
        return done.future();
    }
}
