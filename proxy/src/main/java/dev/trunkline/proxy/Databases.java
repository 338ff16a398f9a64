package dev.trunkline.proxy;

import dev.trunkline.conf.Configuration;
import dev.trunkline.conf.General;
import dev.trunkline.lookup.LookupDefinition;
import dev.trunkline.lookup.LookupOptions;
import dev.trunkline.lookup.LookupVerticle;
import dev.trunkline.lookup.Lookups;
import dev.trunkline.lookup.source.LookupServer;
import dev.trunkline.proxy.engine.DatabaseState;
import dev.trunkline.proxy.pool.Pools;
import dev.trunkline.proxy.twophase.TwoPhase;
import dev.trunkline.routing.PlanCache;
import dev.trunkline.routing.shard.ShardingRules;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes what the configuration says of databases, and knows those that are served. For all threads. */
final class Databases {

    private final Vertx vertx;
    private final InForce inForce;
    private final PlanCache plans;
    private final LookupVerticle maps = new LookupVerticle(List.of());
    private final Map<String, DatabaseState> served = new ConcurrentHashMap<>();
    private final AtomicInteger made = new AtomicInteger();

    /** The databases of the configuration in force; none is in service yet. */
    Databases(Vertx vertx, InForce inForce, PlanCache plans) {
        this.vertx = vertx;
        this.inForce = inForce;
        this.plans = plans;
        Configuration configuration = inForce.configuration();
        configuration.databaseNames().forEach(name -> served.put(name, make(configuration, name, Pools.FIRST_EPOCH)));
    }

    /** Those that are served, by name; live. */
    Map<String, DatabaseState> served() {
        return served;
    }

    /** Completes when lookup maps can be read. */
    Future<?> deploy() {
        return vertx.deployVerticle((Deployable) maps)
                .compose(deployed -> Future.all(served.values().stream()
                        .map(database -> maps.add(database.lookups()))
                        .toList()));
    }

    /** Where the maps of all databases are read. */
    LookupVerticle maps() {
        return maps;
    }

    /** Brings every database into service in the background. */
    void begin() {
        served.values().forEach(database -> new DatabaseStart(vertx, database).begin());
    }

    void end() {
        served.values().forEach(DatabaseState::end);
    }

    /** A database as a configuration has it; its servers stay those of this configuration. */
    DatabaseState make(Configuration configuration, String name, int epoch) {
        OwnServers servers =
                new OwnServers(() -> inForce.configuration().withDatabasesOf(configuration), inForce::files, name);
        ShardingRules rules = ShardingRules.of(configuration, name);
        Supplier<PgConnectOptions> shard0 = () -> servers.options(0);
        Lookups lookups = lookups(configuration, name, rules, new LookupServer(shard0));
        return new DatabaseState(
                name,
                epoch,
                rules,
                lookups,
                plans,
                new CatalogSource(vertx, shard0),
                twoPhase(configuration.general(), name, rules.shardCount(), servers, lookups));
    }

    private @Nullable TwoPhase twoPhase(General general, String name, int shards, OwnServers servers, Lookups lookups) {
        if (!general.twoPhaseCommit() || shards == 1) {
            return null;
        }
        long random = new SecureRandom().nextLong();
        return new TwoPhase(
                vertx,
                instance(general.instanceId(), name, random),
                random,
                shards,
                servers,
                general.twoPhaseCommitAuto(),
                () -> forget(name, lookups));
    }

    /** Two databases of ours may be one on the servers, and one that is replaced lives on for a while: each is its own. */
    private String instance(@Nullable String configured, String name, long random) {
        int number = made.getAndIncrement();
        if (configured == null) {
            return "%016x".formatted(random);
        }
        String first = "%s.%08x".formatted(configured, name.hashCode());
        return served.containsKey(name) ? first + "." + number : first;
    }

    /** A commit that was in doubt may have changed the lookup tables: as they are read now, and by who replaced this. */
    private void forget(String name, Lookups own) {
        own.flush();
        DatabaseState now = served.get(name);
        if (now != null && now.lookups() != own) {
            now.lookups().flush();
        }
    }

    private Lookups lookups(Configuration configuration, String database, ShardingRules rules, LookupServer server) {
        List<LookupDefinition> definitions = rules.lookups().stream()
                .map(lookup -> new LookupDefinition(
                        database,
                        lookup.index(),
                        lookup.schema(),
                        lookup.table(),
                        lookup.query(),
                        lookup.type(),
                        lookup.column(),
                        lookup.namesShard()))
                .toList();
        LookupOptions options = LookupOptions.of(configuration.general());
        return new Lookups(vertx, database, definitions, options, server);
    }
}
