package dev.trunkline.proxy;

import dev.trunkline.conf.Configuration;
import dev.trunkline.conf.Database;
import dev.trunkline.conf.Secret;
import dev.trunkline.conf.User;
import dev.trunkline.lookup.LookupDefinition;
import dev.trunkline.lookup.LookupOptions;
import dev.trunkline.lookup.LookupVerticle;
import dev.trunkline.lookup.Lookups;
import dev.trunkline.lookup.source.LookupServer;
import dev.trunkline.proxy.engine.DatabaseState;
import dev.trunkline.proxy.engine.ServerNames;
import dev.trunkline.proxy.frontend.Accounts;
import dev.trunkline.proxy.frontend.CancelKeys;
import dev.trunkline.proxy.pool.Pools;
import dev.trunkline.routing.PlanCache;
import dev.trunkline.routing.shard.ShardingRules;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A running proxy: start it with a configuration, close it. The command line and embedders (the demo, tests) use it. */
public final class Trunkline {

    /** Route plans of all databases together. */
    private static final long PLAN_CACHE_BYTES = 64L << 20;

    private static final long DRAIN_POLL_MILLIS = 20;

    private final Vertx vertx;
    private final Shared shared;
    private final List<ProxyVerticle> verticles = new ArrayList<>();

    private Trunkline(Vertx vertx, Shared shared) {
        this.vertx = vertx;
        this.shared = shared;
    }

    /**
     * Starts a proxy. Blocks while it derives password keys: not for event loops.
     *
     * @return completes when every listener accepts; fails when one cannot listen, with nothing left running
     */
    public static Future<Trunkline> start(Configuration configuration) {
        int loops = configuration.general().workers() > 0
                ? configuration.general().workers()
                : Runtime.getRuntime().availableProcessors();
        // One loop more than the proxy's own: loads of lookup maps must not stand in a session's way.
        Vertx vertx =
                Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(loops + 1));
        SecureRandom random = new SecureRandom();
        Map<String, DatabaseState> databases = new HashMap<>();
        List<Lookups> lookups = new ArrayList<>();
        PlanCache plans = new PlanCache(PLAN_CACHE_BYTES);
        for (String name : configuration.databaseNames()) {
            DatabaseState database = database(vertx, configuration, name, plans);
            databases.put(name, database);
            lookups.add(database.lookups());
        }
        Shared shared = new Shared(
                configuration,
                new Accounts(configuration, random),
                new CancelKeys(),
                databases,
                new Pools(configuration),
                new ServerNames(),
                new AtomicInteger(),
                new ReserveLoops(configuration.general().clientsPerWorker()),
                new AtomicInteger(configuration.general().port()),
                random);
        Trunkline trunkline = new Trunkline(vertx, shared);
        // A promise of no context: those of Vert.x speak on event loops, which a failed start has ended by then.
        Promise<Trunkline> started = Promise.promise();
        var unused = vertx.deployVerticle((Deployable) new LookupVerticle(lookups))
                .compose(deployed -> trunkline.listen(loops))
                .onSuccess(listening -> started.complete(trunkline))
                .onFailure(fault -> vertx.close().onComplete(closed -> started.fail(fault)));
        return started.future();
    }

    /** The first loop alone: where it cannot listen the others cannot either, and one fault is enough. */
    private Future<?> listen(int loops) {
        return deploy(true)
                .compose(first -> Future.all(IntStream.range(1, loops)
                        .mapToObj(loop -> deploy(false))
                        .toList()))
                .onSuccess(all ->
                        shared.databases().forEach((name, database) -> new DatabaseStart(vertx, database).begin()));
    }

    private Future<String> deploy(boolean first) {
        return vertx.deployVerticle((Deployable) new ProxyVerticle(shared, first), new DeploymentOptions());
    }

    private static DatabaseState database(Vertx vertx, Configuration configuration, String name, PlanCache plans) {
        ShardingRules rules = ShardingRules.of(configuration, name);
        Database shard0 = configuration.databases(name).get(0);
        List<User> users = configuration.users(name);
        @Nullable User user = users.isEmpty() ? null : users.get(0);
        CatalogSource catalog = new CatalogSource(vertx, shard0, user);
        return new DatabaseState(name, rules, lookups(vertx, configuration, name, rules, shard0, user), plans, catalog);
    }

    private static Lookups lookups(
            Vertx vertx,
            Configuration configuration,
            String database,
            ShardingRules rules,
            Database shard0,
            @Nullable User user) {
        List<LookupDefinition> definitions = rules.lookups().stream()
                .map(lookup -> new LookupDefinition(
                        database,
                        lookup.index(),
                        lookup.schema(),
                        lookup.table(),
                        lookup.query(),
                        lookup.type(),
                        lookup.column()))
                .toList();
        LookupOptions options = LookupOptions.of(configuration.general());
        @Nullable Secret password = user == null ? null : user.serverPassword();
        return new Lookups(
                vertx,
                database,
                definitions,
                options,
                new LookupServer(
                        shard0.host(),
                        shard0.port(),
                        shard0.databaseName(),
                        user == null ? database : user.serverUser(),
                        password == null ? "" : password.value()));
    }

    /** The port that clients connect to. */
    public int port() {
        return shared.port().get();
    }

    /** Clients connected at present, those on the way included. */
    public int clientCount() {
        return shared.clientCount().get();
    }

    /** Pools, for checks that nothing stays behind. */
    public Pools pools() {
        return shared.pools();
    }

    /**
     * Stops accepting, lets clients finish their transactions for at most {@code shutdown_timeout}, sends them away
     * (57P01), then closes.
     */
    public Future<Void> drain() {
        verticles.forEach(ProxyVerticle::drain);
        long end = System.nanoTime()
                + shared.configuration().general().shutdownTimeout().toNanos();
        Promise<Void> drained = Promise.promise();
        vertx.setPeriodic(DRAIN_POLL_MILLIS, timer -> {
            if (clientCount() == 0 || System.nanoTime() - end > 0) {
                vertx.cancelTimer(timer);
                drained.complete();
            }
        });
        return drained.future().compose(done -> close());
    }

    /** Stops listening and closes every connection. */
    public Future<Void> close() {
        return vertx.close();
    }
}
