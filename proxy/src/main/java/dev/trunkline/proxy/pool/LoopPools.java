package dev.trunkline.proxy.pool;

import dev.trunkline.conf.User;
import dev.trunkline.proxy.auth.ProvenSecret;
import dev.trunkline.proxy.measure.Timing;
import dev.trunkline.proxy.measure.Timings;
import dev.trunkline.proxy.net.Loop;
import dev.trunkline.proxy.net.Wire;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The pools of one event loop: those of the configuration, and those that clients have asked for. Only on this loop. */
public final class LoopPools {

    private record Local(Pools.Shared shared, LoopPool pool) {}

    private final Pools all;
    private final Loop loop;
    private final Wire wire;
    private final Map<Pools.Key, Local> pools = new HashMap<>();
    private final Map<String, Timings> timings = new HashMap<>();

    LoopPools(Pools all, Loop loop, Wire wire) {
        this.all = all;
        this.loop = loop;
        this.wire = wire;
    }

    /** The pool; null if there is none of that name. */
    public @Nullable LoopPool get(Pools.Key key) {
        Pools.Shared shared = all.shared(key);
        if (shared == null) {
            return null;
        }
        Local local = pools.get(key);
        if (local == null || local.shared != shared) {
            local = new Local(shared, open(key, shared));
            pools.put(key, local);
        }
        return local.pool;
    }

    /** A copy of the distributions on this loop, by database; from any thread. */
    Future<Map<String, Timings>> timingsNow() {
        Promise<Map<String, Timings>> copied = Promise.promise();
        loop.execute(() -> {
            Map<String, Timings> copy = new HashMap<>();
            timings.forEach((database, live) -> copy.put(database, live.copy()));
            pools.forEach((key, local) -> {
                Timings ofDatabase = copy.get(key.database());
                if (ofDatabase != null) {
                    ofDatabase.recordNone(Timing.WAIT, local.pool.assignedAtOnce());
                }
            });
            copied.complete(copy);
        });
        return copied.future();
    }

    /** The distributions of a database on this loop. */
    Timings timings(String database) {
        return timings.computeIfAbsent(database, name -> new Timings());
    }

    private LoopPool open(Pools.Key key, Pools.Shared shared) {
        LoopPool pool = new LoopPool(
                loop,
                wire,
                shared.address(),
                shared.limits(),
                shared.permits(),
                shared.siblings(),
                timings(key.database()));
        shared.siblings().add(pool);
        return pool;
    }

    /**
     * A client of this user is about to use its pools, which are made if the configuration has none.
     *
     * @param epoch of the database as the client finds it
     */
    public Pools.Joined join(User user, int epoch) {
        return all.join(user, epoch);
    }

    /** A client of this user has gone that had joined in this epoch. */
    public void leave(User user, int epoch) {
        all.leave(user, epoch);
    }

    /** The pools of a user by shard; null when one of them does not exist. */
    public LoopPool @Nullable [] ofUser(String database, int epoch, String user, int shards) {
        LoopPool[] found = new LoopPool[shards];
        for (int shard = 0; shard < shards; shard++) {
            LoopPool pool = get(new Pools.Key(database, epoch, user, shard));
            if (pool == null) {
                return null;
            }
            found[shard] = pool;
        }
        return found;
    }

    /** A client of this user has proven itself by this: the pools of the user open connections with it from now on. */
    public void learn(User user, ProvenSecret secret) {
        all.learn(user, secret);
    }

    /** Makes every pool that the configuration asks for. */
    void openAll() {
        all.keys().forEach(key -> {
            var unused = get(key);
        });
    }

    void each(Consumer<LoopPool> action) {
        new ArrayList<>(pools.values()).forEach(local -> action.accept(local.pool));
    }

    /** Drops the pools that nobody uses on any loop. */
    void forgetGone() {
        pools.entrySet().removeIf(entry -> all.shared(entry.getKey()) != entry.getValue().shared);
    }
}
