package dev.trunkline.proxy.metrics;

import dev.trunkline.proxy.pool.PoolView;
import dev.trunkline.proxy.pool.ServerView;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** Whether clients are served well, as load balancers and operators ask for it. */
public final class Health {

    private Health() {}

    /**
     * True when clients may be sent here: it is not draining, and each database can be served by at least one of its
     * pools on each shard. A pool that nobody has used yet counts as healthy: it would be a pity to wait for clients
     * before clients are let in.
     */
    public static boolean isReady(Observation seen) {
        return !seen.isDraining()
                && seen.configuration().databaseNames().stream().allMatch(database -> isHealthy(seen, database));
    }

    private static boolean isHealthy(Observation seen, String database) {
        if (!seen.ready().getOrDefault(database, false)) {
            return false;
        }
        List<PoolView> pools = seen.pools().stream()
                .filter(pool -> pool.key().database().equals(database))
                .toList();
        return pools.isEmpty()
                || pools.stream()
                        .map(pool -> pool.key().shard())
                        .distinct()
                        .allMatch(shard -> pools.stream()
                                .anyMatch(
                                        pool -> pool.key().shard() == shard && pool.isReachable() && !pool.isBanned()));
    }

    /** The state of each database and pool. */
    public static JsonObject detail(Observation seen) {
        JsonArray databases = new JsonArray();
        for (String database : seen.configuration().databaseNames()) {
            JsonArray pools = new JsonArray();
            seen.pools().stream()
                    .filter(pool -> pool.key().database().equals(database))
                    .forEach(pool -> pools.add(detail(pool)));
            databases.add(new JsonObject()
                    .put("name", database)
                    .put("started", seen.ready().getOrDefault(database, false))
                    .put("healthy", isHealthy(seen, database))
                    .put("pools", pools));
        }
        return new JsonObject()
                .put("ready", isReady(seen))
                .put("draining", seen.isDraining())
                .put("clients", seen.clientCount())
                .put("databases", databases);
    }

    private static JsonObject detail(PoolView pool) {
        return new JsonObject()
                .put("user", pool.key().user())
                .put("shard", pool.key().shard())
                .put("host", pool.address().host())
                .put("port", pool.address().port())
                .put("reachable", pool.isReachable())
                .put("idle", pool.idle())
                .put("active", pool.count(ServerView.State.ACTIVE))
                .put("waiting", pool.waiting());
    }
}
