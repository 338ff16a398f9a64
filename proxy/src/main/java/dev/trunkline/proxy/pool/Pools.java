package dev.trunkline.proxy.pool;

import dev.trunkline.conf.Configuration;
import dev.trunkline.conf.Database;
import dev.trunkline.conf.General;
import dev.trunkline.conf.Secret;
import dev.trunkline.conf.User;
import dev.trunkline.proxy.auth.ServerAccount;
import dev.trunkline.proxy.backend.ServerAddress;
import dev.trunkline.proxy.net.Loop;
import dev.trunkline.proxy.net.Wire;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Every configured pool of the process: one {@link LoopPool} per loop under shared permits. Loops attach themselves at
 * start; a pool is then looked up on its loop.
 */
public final class Pools {

    /** How often stale connections are looked for and minimum sizes restored. */
    private static final long KEEPER_PERIOD_MILLIS = 1_000;

    /**
     * Names one configured pool.
     *
     * @param database as clients name it
     * @param user as clients name it
     */
    public record Key(String database, String user, int shard) {}

    private record Shared(ServerAddress address, PoolLimits limits, Permits permits, List<LoopPool> siblings) {}

    /**
     * What one configured pool holds on one loop.
     *
     * @param idle connections that wait for a session
     * @param leased connections that sessions hold, borrowed ones included
     * @param waiting sessions that wait for a connection
     */
    public record Counts(Key key, int idle, int leased, int waiting) {}

    private final Map<Key, Shared> shared = new HashMap<>();

    /** The pools that a configuration asks for. */
    public Pools(Configuration configuration) {
        General general = configuration.general();
        for (User user : configuration.users()) {
            PoolLimits limits = new PoolLimits(
                    user.poolSize(),
                    general.minPoolSize(),
                    general.checkoutTimeout(),
                    general.connectTimeout(),
                    general.idleTimeout(),
                    general.serverLifetime(),
                    general.rollbackTimeout());
            for (Database server : configuration.databases(user.database())) {
                shared.put(
                        new Key(user.database(), user.name(), server.shard()),
                        new Shared(
                                addressOf(server, user),
                                limits,
                                new Permits(user.poolSize()),
                                new CopyOnWriteArrayList<>()));
            }
        }
    }

    private static ServerAddress addressOf(Database server, User user) {
        Secret password = user.serverPassword();
        return new ServerAddress(
                server.host(),
                server.port(),
                server.shard(),
                server.databaseName(),
                new ServerAccount(user.serverUser(), password == null ? null : password.value()));
    }

    /**
     * The pools of one loop; called once on each loop, before it serves clients.
     *
     * @param first this loop keeps the minimum sizes
     */
    public Map<Key, LoopPool> attach(Loop loop, Wire wire, boolean first) {
        Map<Key, LoopPool> pools = new HashMap<>();
        shared.forEach((key, each) -> {
            LoopPool pool = new LoopPool(loop, wire, each.address, each.limits, each.permits, each.siblings);
            each.siblings.add(pool);
            pools.put(key, pool);
        });
        List<LoopPool> all = new ArrayList<>(pools.values());
        if (first) {
            loop.execute(() -> all.forEach(LoopPool::openMinimum));
        }
        loop.every(KEEPER_PERIOD_MILLIS, () -> {
            all.forEach(LoopPool::closeStale);
            if (first) {
                all.forEach(LoopPool::openMinimum);
            }
        });
        return pools;
    }

    /** What every pool holds at present, one element per pool and loop, in no order; completes on any thread. */
    public Future<List<Counts>> counts() {
        List<Future<Counts>> all = new ArrayList<>();
        shared.forEach((key, each) -> each.siblings.forEach(pool -> all.add(pool.counts(key))));
        return Future.all(all).map(CompositeFuture::list);
    }
}
