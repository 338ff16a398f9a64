package dev.trunkline.proxy.admin;

import dev.trunkline.proxy.engine.ServerNames;
import dev.trunkline.proxy.listen.ChannelView;
import dev.trunkline.proxy.metrics.Observation;
import dev.trunkline.proxy.pool.Pools;
import dev.trunkline.routing.PlanCache;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the admin database needs of the process. For all threads; futures complete on any. */
public interface Control {

    /** The process as it is now. */
    Future<Observation> observe();

    /** Of the route plans, those used most. */
    List<PlanCache.PlanView> plans(int limit);

    /** Some of the prepared statements. */
    List<ServerNames.Named> prepared(int limit);

    /** What sessions listen to, by database. */
    Future<Map<String, List<ChannelView>>> listeners();

    /** Takes a pool out of use, or into it again. */
    Future<Void> ban(Pools.Key pool, boolean banned);

    /** Reads the configuration again; fails, and changes nothing, if it has faults. */
    Future<Void> reload();

    /**
     * Changes one setting of {@code general} until the next reload; fails with 22023 or 42704, and changes nothing, if
     * it cannot be so.
     */
    Future<Void> set(String name, String value);

    /** Replaces the server connections of a database, or of all, as soon as each is idle. */
    Future<Void> reconnect(@Nullable String database);

    /** Lets sessions of a database, or of all, wait for connections from now on, save those within a transaction. */
    Future<Void> pause(@Nullable String database);

    /** Ends {@link #pause}. */
    Future<Void> resume(@Nullable String database);

    /** Sends a client away; completes with whether there was one of this ID. */
    Future<Boolean> kill(int processId);

    /** Ends the process: at once, or when clients have finished what they are in. */
    void shutdown(boolean atOnce);

    /** Forgets the lookup maps of a database, or of all. */
    Future<Void> flushLookups(@Nullable String database);

    /** Refuses writes of a lookup table, or of all; completes when each map is exact. */
    Future<Void> pauseLookupWrites(@Nullable String table);

    /** Lets writes of a lookup table, or of all, in again. */
    void resumeLookupWrites(@Nullable String table);
}
