package dev.trunkline.proxy.pool;

import dev.trunkline.conf.Configuration;
import dev.trunkline.conf.Database;
import dev.trunkline.conf.General;
import dev.trunkline.conf.Secret;
import dev.trunkline.conf.User;
import dev.trunkline.proxy.auth.ProvenSecret;
import dev.trunkline.proxy.auth.ServerAccount;
import dev.trunkline.proxy.backend.ServerAddress;
import dev.trunkline.proxy.measure.Timings;
import dev.trunkline.proxy.net.Loop;
import dev.trunkline.proxy.net.Wire;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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
     * @param epoch counts up when the database gets other servers
     * @param user as clients name it
     */
    public record Key(String database, int epoch, String user, int shard) {}

    /** What has come of {@link #join}. */
    public enum Joined {
        /** The pools are there; {@link #leave} is owed. */
        YES,
        /** Too many pools were made already. */
        TOO_MANY,
        /** The database has other servers by now. */
        RENEWED
    }

    /**
     * The servers that a database has now.
     *
     * @param servers by ascending shard
     */
    private record Fleet(int epoch, List<Database> servers) {}

    /** That of the servers which a database has at the start. */
    public static final int FIRST_EPOCH = 0;

    /** Pools for users that the configuration does not name, at most: each costs some memory on every loop. */
    private static final int MAX_ON_DEMAND = 10_000;

    /**
     * What the loops share of one pool.
     *
     * @param clients logged in under its name; counted for pools made on demand, which go when nobody needs them
     */
    record Shared(
            ServerAddress address,
            AtomicReference<PoolLimits> limitsInForce,
            Permits permits,
            List<LoopPool> siblings,
            AtomicInteger clients,
            boolean isOnDemand) {

        PoolLimits limits() {
            return Objects.requireNonNull(limitsInForce.get());
        }

        boolean isUnused() {
            return isOnDemand && clients.get() == 0 && permits.taken() == 0;
        }
    }

    /**
     * What one configured pool holds on one loop.
     *
     * @param idle connections that wait for a session
     * @param leased connections that sessions hold, borrowed ones included
     * @param waiting sessions that wait for a connection
     */
    public record Counts(Key key, int idle, int leased, int waiting) {}

    private volatile Configuration configuration;
    private final AtomicInteger epochs = new AtomicInteger();
    private final Map<String, Fleet> fleets = new ConcurrentHashMap<>();
    private final AtomicInteger onDemand = new AtomicInteger();
    private final Map<Key, Shared> shared = new ConcurrentHashMap<>();
    private final List<LoopPools> loops = new CopyOnWriteArrayList<>();

    /** The pools that a configuration asks for. */
    public Pools(Configuration configuration) {
        this.configuration = configuration;
        configuration
                .databaseNames()
                .forEach(name -> fleets.put(name, new Fleet(FIRST_EPOCH, configuration.databases(name))));
        configuration.users().forEach(this::makeConfigured);
    }

    private void makeConfigured(User user) {
        Fleet fleet = fleets.get(user.database());
        if (fleet != null) {
            for (Database server : fleet.servers) {
                // One that was made on demand is as good as one of the configuration.
                var unused = shared.computeIfAbsent(keyOf(fleet, server, user), key -> make(server, user, false));
            }
        }
    }

    private static Key keyOf(Fleet fleet, Database server, User user) {
        return new Key(user.database(), fleet.epoch, user.name(), server.shard());
    }

    /** A number for the pools of a database that is about to get other servers. */
    public int nextEpoch() {
        return epochs.incrementAndGet();
    }

    /** A database has other servers from now on, or none any more; {@link #replace} makes the pools. From any thread. */
    public void renew(String database, int epoch, List<Database> servers) {
        if (servers.isEmpty()) {
            fleets.remove(database);
        } else {
            fleets.put(database, new Fleet(epoch, List.copyOf(servers)));
        }
    }

    /** Closes the pools that a database had in an epoch, when no session needs them any more. From any thread. */
    public void retire(String database, int epoch) {
        for (Key key : shared.keySet()) {
            if (key.database().equals(database) && key.epoch() == epoch) {
                Shared pool = shared.remove(key);
                if (pool != null) {
                    pool.siblings().forEach(each -> {
                        var unused = each.onLoop(LoopPool::close);
                    });
                }
            }
        }
    }

    /**
     * Takes over what a new configuration says of users and of the sizes and times of pools; of servers {@link #renew}.
     * Pools keep their connections; a pool that has become smaller closes those that are too many as they come back, and
     * one whose user is gone keeps none that nobody uses. From any thread.
     */
    public void replace(Configuration replacement) {
        configuration = replacement;
        replacement.users().forEach(this::makeConfigured);
        shared.forEach((key, pool) -> {
            User user = replacement.user(key.database(), key.user());
            resize(pool, limits(user, pool));
        });
        replacePasswords(replacement.users());
    }

    private PoolLimits limits(@Nullable User user, Shared pool) {
        return user == null
                ? limits(pool.limits().size(), 0)
                : limits(
                        user.poolSize(),
                        learns(user, pool.isOnDemand())
                                ? 0
                                : configuration.general().minPoolSize());
    }

    private static void resize(Shared pool, PoolLimits limits) {
        pool.limitsInForce().set(limits);
        pool.permits().resize(limits.size());
        pool.siblings().forEach(each -> {
            var unused = each.onLoop(one -> one.limits(limits));
        });
    }

    /** Whose password only a client's login will tell has no way to open anything before. */
    private static boolean learns(User user, boolean isOnDemand) {
        return isOnDemand
                || (user.serverPassword().isEmpty() && !user.password().isEmpty());
    }

    private PoolLimits limits(int size, int minimum) {
        General general = configuration.general();
        return new PoolLimits(
                size,
                minimum,
                general.checkoutTimeout(),
                general.connectTimeout(),
                general.idleTimeout(),
                general.serverLifetime(),
                general.rollbackTimeout(),
                general.healthcheckInterval(),
                general.healthcheckTimeout());
    }

    private Shared make(Database server, User user, boolean isOnDemand) {
        int minimum = learns(user, isOnDemand) ? 0 : configuration.general().minPoolSize();
        PoolLimits limits = limits(user.poolSize(), minimum);
        return new Shared(
                addressOf(server, user),
                new AtomicReference<>(limits),
                new Permits(user.poolSize()),
                new CopyOnWriteArrayList<>(),
                new AtomicInteger(),
                isOnDemand);
    }

    private static ServerAddress addressOf(Database server, User user) {
        return new ServerAddress(
                server.host(),
                server.port(),
                server.shard(),
                server.databaseName(),
                new ServerAccount(user.serverUser(), passwords(user)));
    }

    private static List<String> passwords(User user) {
        return user.serverPassword().stream().map(Secret::value).toList();
    }

    /**
     * A client of this user is about to use its pools; they are made if there are none yet. From any thread.
     *
     * @param epoch of the database as the client finds it
     */
    Joined join(User user, int epoch) {
        Fleet fleet = fleets.get(user.database());
        if (fleet == null || fleet.epoch != epoch) {
            return Joined.RENEWED;
        }
        Shared first = shared.get(new Key(user.database(), epoch, user.name(), 0));
        if (first != null && !first.isOnDemand()) {
            return Joined.YES;
        }
        if (first == null && onDemand.get() >= MAX_ON_DEMAND) {
            return Joined.TOO_MANY;
        }
        for (Database server : fleet.servers) {
            var unused = shared.compute(keyOf(fleet, server, user), (key, known) -> {
                Shared pool = known;
                if (pool == null) {
                    onDemand.incrementAndGet();
                    pool = make(server, user, true);
                }
                pool.clients().incrementAndGet();
                return pool;
            });
        }
        return Joined.YES;
    }

    /** A client of this user has gone; it had joined in this epoch. */
    void leave(User user, int epoch) {
        int shard = 0;
        Shared pool = shared.get(new Key(user.database(), epoch, user.name(), shard));
        while (pool != null && pool.isOnDemand()) {
            pool.clients().decrementAndGet();
            pool = shared.get(new Key(user.database(), epoch, user.name(), ++shard));
        }
    }

    /** A client of this user has proven itself by this: its pools open connections with it from now on. */
    void learn(User user, ProvenSecret secret) {
        pools(user).forEach(pool -> pool.address().account().learn(secret));
    }

    /** Replaces the passwords on the servers; connections that stand are kept. From any thread. */
    public void replacePasswords(List<User> users) {
        users.forEach(
                user -> pools(user).forEach(pool -> pool.address().account().replace(passwords(user))));
    }

    private List<Shared> pools(User user) {
        List<Shared> found = new ArrayList<>();
        Fleet fleet = fleets.get(user.database());
        if (fleet == null) {
            return found;
        }
        for (Database server : fleet.servers) {
            Shared pool = shared.get(keyOf(fleet, server, user));
            if (pool != null) {
                found.add(pool);
            }
        }
        return found;
    }

    /** What the loops share of the pool; null if there is none. */
    @Nullable
    Shared shared(Key key) {
        return shared.get(key);
    }

    Set<Key> keys() {
        return shared.keySet();
    }

    /** Forgets pools made on demand that nobody uses. */
    private void forgetUnused() {
        for (Key key : shared.keySet()) {
            var unused = shared.computeIfPresent(key, (same, pool) -> {
                if (!pool.isUnused()) {
                    return pool;
                }
                onDemand.decrementAndGet();
                return null;
            });
        }
    }

    /**
     * The pools of one loop; called once on each loop, before it serves clients.
     *
     * @param first this loop keeps the minimum sizes
     */
    public LoopPools attach(Loop loop, Wire wire, boolean first) {
        LoopPools pools = new LoopPools(this, loop, wire);
        loops.add(pools);
        pools.openAll();
        if (first) {
            loop.execute(() -> pools.each(LoopPool::openMinimum));
        }
        loop.every(KEEPER_PERIOD_MILLIS, () -> {
            pools.each(LoopPool::closeStale);
            pools.each(LoopPool::checkIdle);
            if (first) {
                pools.each(LoopPool::openMinimum);
                forgetUnused();
            }
            pools.forgetGone();
        });
        return pools;
    }

    /** What every pool holds at present, one element per pool and loop, in no order; completes on any thread. */
    public Future<List<Counts>> counts() {
        List<Future<Counts>> all = new ArrayList<>();
        shared.forEach((key, each) -> each.siblings.forEach(pool -> all.add(pool.counts(key))));
        return Future.all(all).map(CompositeFuture::list);
    }

    /**
     * Every pool as it is now, over all loops, sorted by database, user and shard; completes on any thread. Numbers of
     * different loops are of slightly different moments.
     */
    public Future<List<PoolView>> views() {
        List<Future<PoolView>> all = new ArrayList<>();
        shared.forEach((key, each) -> each.siblings.forEach(pool -> all.add(pool.view(key))));
        return Future.all(all).map(viewed -> merge(viewed.list()));
    }

    private static List<PoolView> merge(List<PoolView> parts) {
        Map<Key, PoolView> pools = new TreeMap<>(
                Comparator.comparing(Key::database).thenComparing(Key::user).thenComparingInt(Key::shard));
        parts.forEach(part -> {
            var unused = pools.merge(part.key(), part, PoolView::with);
        });
        return List.copyOf(pools.values());
    }

    /** See {@link LoopPool}: pauses, resumes or renews the pools of a database, or with null of all. From any thread. */
    public Future<Void> pause(@Nullable String database) {
        return each(database, LoopPool::pause);
    }

    /** Ends {@link #pause}. */
    public Future<Void> resume(@Nullable String database) {
        return each(database, LoopPool::resume);
    }

    /** Takes a pool out of use, or into it again; without effect if there is none. From any thread. */
    public Future<Void> ban(Key key, boolean banned) {
        Shared pool = shared.get(key);
        if (pool == null) {
            return Future.succeededFuture();
        }
        return Future.all(pool.siblings.stream()
                        .map(each -> each.onLoop(banned ? LoopPool::ban : LoopPool::unban))
                        .toList())
                .mapEmpty();
    }

    /** Replaces the connections as soon as each is idle. */
    public Future<Void> reconnect(@Nullable String database) {
        return each(database, LoopPool::reconnect);
    }

    private Future<Void> each(@Nullable String database, Consumer<LoopPool> action) {
        List<Future<Void>> done = new ArrayList<>();
        shared.forEach((key, each) -> {
            if (database == null || key.database().equals(database)) {
                each.siblings.forEach(pool -> done.add(pool.onLoop(action)));
            }
        });
        return Future.all(done).mapEmpty();
    }

    /** The distributions of each database over all loops, by its name; completes on any thread. */
    public Future<Map<String, Timings>> timings() {
        return Future.all(loops.stream().map(LoopPools::timingsNow).toList())
                .map(all -> all.<Map<String, Timings>>list().stream()
                        .flatMap(each -> each.entrySet().stream())
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, Pools::sum, TreeMap::new)));
    }

    private static Timings sum(Timings one, Timings other) {
        one.add(other);
        return one;
    }
}
