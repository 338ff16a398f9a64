package dev.trunkline.proxy;

import dev.trunkline.conf.Configuration;
import dev.trunkline.conf.Database;
import dev.trunkline.conf.General;
import dev.trunkline.proxy.admin.AdminDatabase;
import dev.trunkline.proxy.admin.RuntimeSettings;
import dev.trunkline.proxy.auth.SaltSource;
import dev.trunkline.proxy.engine.DatabaseState;
import dev.trunkline.proxy.engine.PassThrough;
import dev.trunkline.proxy.engine.ServerNames;
import dev.trunkline.proxy.frontend.Accounts;
import dev.trunkline.proxy.frontend.Admission;
import dev.trunkline.proxy.frontend.CancelKeys;
import dev.trunkline.proxy.listen.Channels;
import dev.trunkline.proxy.metrics.Observation;
import dev.trunkline.proxy.metrics.Pages;
import dev.trunkline.proxy.net.Tls;
import dev.trunkline.proxy.pool.Pools;
import dev.trunkline.routing.PlanCache;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.micrometer.MetricsDomain;
import io.vertx.micrometer.MicrometerMetricsFactory;
import io.vertx.micrometer.MicrometerMetricsOptions;
import io.vertx.micrometer.VertxPrometheusOptions;
import io.vertx.pgclient.PgConnectOptions;
import java.security.SecureRandom;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running proxy: start it with a configuration, close it. The command line and embedders (the demo, tests) use it. */
public final class Trunkline {

    private static final Logger LOG = LoggerFactory.getLogger(Trunkline.class);

    /** Route plans of all databases together. */
    private static final long PLAN_CACHE_BYTES = 64L << 20;

    private static final long DRAIN_POLL_MILLIS = 20;

    /** What it may take until the servers have heard that what runs is to be cancelled. */
    static final long CUT_OFF_MILLIS = 2_000;

    private final Vertx vertx;
    private final Shared shared;
    private final SaltSource salts;
    private final InForce inForce;
    private final Databases databases;
    private final AtomicReference<Future<Void>> changing = new AtomicReference<>(Future.succeededFuture());
    private final List<ProxyVerticle> verticles = new CopyOnWriteArrayList<>();
    private final PlanCache plans;
    private final Observer observer;

    private Trunkline(
            Vertx vertx, Shared shared, SaltSource salts, InForce inForce, Databases databases, PlanCache plans) {
        this.vertx = vertx;
        this.shared = shared;
        this.salts = salts;
        this.inForce = inForce;
        this.databases = databases;
        this.plans = plans;
        this.observer = new Observer(shared, inForce, plans, verticles);
    }

    /**
     * Starts a proxy. Blocks while it reads certificates and derives password keys: not for event loops.
     *
     * @return completes when every listener accepts; fails when one cannot listen or a certificate cannot be used, with
     *     nothing left running
     */
    public static Future<Trunkline> start(Configuration configuration) {
        return start(configuration, null);
    }

    /**
     * The same.
     *
     * @param host whom the admin database asks to reload and to end the process; null = nobody
     */
    public static Future<Trunkline> start(Configuration configuration, @Nullable Host host) {
        TlsFiles files;
        try {
            files = TlsFiles.read(configuration.general());
        } catch (TlsFiles.UnusableException e) {
            return Future.failedFuture(e);
        }
        SecureRandom random = new SecureRandom();
        SaltSource salts = files.salts(random);
        InForce inForce = new InForce(configuration, files, new Accounts(configuration, salts));
        int loops = configuration.general().workers() > 0
                ? configuration.general().workers()
                : Runtime.getRuntime().availableProcessors();
        PrometheusMeterRegistry registry = configuration.general().openmetricsPort() == null
                ? null
                : new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Vertx vertx = vertx(loops, registry);
        Administration administration = new Administration(host);
        PlanCache plans = new PlanCache(PLAN_CACHE_BYTES);
        Databases databases = new Databases(vertx, inForce, plans);
        Shared shared = new Shared(
                inForce::configuration,
                inForce::accounts,
                new AuthQuery(vertx, inForce::configuration, name -> authServer(inForce, name)),
                new PassThrough(inForce::configuration, random),
                new CancelKeys(),
                databases.served(),
                new Pools(configuration),
                new ServerNames(),
                new AtomicInteger(),
                new Admission(OpenFiles.clientLimit(configuration)),
                new ReserveLoops(configuration.general().clientsPerWorker()),
                new AtomicInteger(configuration.general().port()),
                random,
                new Tls(files.settings()),
                new AdminDatabase(administration));
        Trunkline trunkline = new Trunkline(vertx, shared, salts, inForce, databases, plans);
        administration.begin(trunkline);
        // A promise of no context: those of Vert.x speak on event loops, which a failed start has ended by then.
        Promise<Trunkline> started = Promise.promise();
        var unused = databases
                .deploy()
                .compose(deployed -> trunkline.listen(loops))
                .compose(listening -> trunkline.observe(registry))
                .onSuccess(listening -> started.complete(trunkline))
                .onFailure(fault -> vertx.close().onComplete(closed -> started.fail(fault)));
        return started.future();
    }

    /** One loop more than the proxy's own: loads of lookup maps must not stand in a session's way. */
    private static Vertx vertx(int loops, @Nullable PrometheusMeterRegistry registry) {
        VertxOptions options = new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(loops + 1);
        if (registry == null) {
            return Vertx.vertx(options);
        }
        // What our sockets carry is counted by ourselves, for less.
        MicrometerMetricsOptions metrics = new MicrometerMetricsOptions()
                .setEnabled(true)
                .setJvmMetricsEnabled(true)
                .setPrometheusOptions(new VertxPrometheusOptions().setEnabled(true))
                .addDisabledMetricsCategory(MetricsDomain.NET_SERVER)
                .addDisabledMetricsCategory(MetricsDomain.NET_CLIENT)
                .addDisabledMetricsCategory(MetricsDomain.NAMED_POOLS)
                .addDisabledMetricsCategory(MetricsDomain.HTTP_SERVER)
                .addDisabledMetricsCategory(MetricsDomain.EVENT_BUS);
        return Vertx.builder()
                .with(options.setMetricsOptions(metrics))
                .withMetrics(new MicrometerMetricsFactory(registry))
                .build();
    }

    private Future<?> observe(@Nullable PrometheusMeterRegistry registry) {
        observer.begin(vertx);
        General general = inForce.configuration().general();
        Pages.Settings settings = new Pages.Settings(
                general.host(),
                general.openmetricsPort(),
                general.healthcheckPort(),
                general.openmetricsNamespace() == null ? "" : general.openmetricsNamespace());
        return settings.isEmpty()
                ? Future.succeededFuture()
                : vertx.deployVerticle((Deployable) new Pages(settings, observer::observe, registry));
    }

    /** The first loop alone: where it cannot listen the others cannot either, and one fault is enough. */
    private Future<?> listen(int loops) {
        return deploy(true)
                .compose(first -> Future.all(IntStream.range(1, loops)
                        .mapToObj(loop -> deploy(false))
                        .toList()))
                .onSuccess(all -> databases.begin());
    }

    private Future<String> deploy(boolean first) {
        ProxyVerticle verticle = new ProxyVerticle(shared, first);
        verticles.add(verticle);
        return vertx.deployVerticle((Deployable) verticle, new DeploymentOptions());
    }

    /** For {@code auth_query}, which has a user of its own. */
    private static PgConnectOptions authServer(InForce inForce, String database) {
        Configuration configuration = inForce.configuration();
        General general = configuration.general();
        PgConnectOptions options = OwnServers.address(configuration, database, 0);
        if (general.authUser() != null) {
            options.setUser(general.authUser());
        }
        if (general.authPassword() != null) {
            options.setPassword(general.authPassword().value());
        }
        return inForce.files().encrypt(options);
    }

    /**
     * Takes over what a new configuration says: users and their passwords, {@code auth_type} and what belongs to it,
     * certificates, keys and authorities, sizes of pools and timeouts, servers and tables. Files are read anew, also those
     * whose names are the same. What else has changed takes effect at the next start. Clients stay, and go over between two
     * transactions where their database has changed; connections to servers that have not changed stay as they are. From
     * any thread.
     *
     * @return fails if a certificate cannot be used or a database cannot be brought into service; all stays as it was then
     */
    public Future<Void> reload(Configuration configuration) {
        return inTurn(() -> vertx.executeBlocking(() -> read(configuration)).compose(this::change));
    }

    /** What a reload has read, before anything has changed. */
    private record Replacement(Configuration configuration, TlsFiles files, Accounts accounts) {}

    private Replacement read(Configuration configuration) throws TlsFiles.UnusableException {
        TlsFiles files = TlsFiles.read(configuration.general());
        Configuration before = inForce.configuration();
        List<String> waiting = RuntimeSettings.waiting(before.general(), configuration.general());
        if (!waiting.isEmpty()) {
            LOG.warn("takes effect at the next start: {}", waiting);
        }
        Configuration merged =
                configuration.withGeneral(RuntimeSettings.merge(before.general(), configuration.general()));
        return new Replacement(merged, files, new Accounts(merged, salts));
    }

    private Future<Void> change(Replacement replacement) {
        List<DatabaseChange> changes = changes(inForce.configuration(), replacement.configuration);
        List<Future<Void>> prepared =
                changes.stream().map(DatabaseChange::prepare).toList();
        // All are brought to an end before any is given up.
        return Future.join(prepared)
                .recover(first -> Future.failedFuture(faults(prepared)))
                .onFailure(fault -> changes.forEach(DatabaseChange::abandon))
                .<Void>map(ready -> {
                    put(replacement, changes);
                    return null;
                });
    }

    private static IllegalStateException faults(List<Future<Void>> prepared) {
        return new IllegalStateException(prepared.stream()
                .filter(Future::failed)
                .map(each -> each.cause().getMessage())
                .collect(Collectors.joining("\n")));
    }

    private List<DatabaseChange> changes(Configuration before, Configuration after) {
        Set<String> names = new TreeSet<>(before.databaseNames());
        names.addAll(after.databaseNames());
        return names.stream()
                .filter(name -> !before.hasServersOf(after, name) || !before.hasTablesOf(after, name))
                .map(name -> change(name, before, after))
                .toList();
    }

    private DatabaseChange change(String name, Configuration before, Configuration after) {
        DatabaseState old = databases.served().get(name);
        List<Database> servers = after.databases(name);
        DatabaseState next = null;
        if (!servers.isEmpty()) {
            int epoch = old != null && before.hasServersOf(after, name)
                    ? old.epoch()
                    : shared.pools().nextEpoch();
            next = databases.make(after, name, epoch);
        }
        return new DatabaseChange(vertx, databases, shared.pools(), name, old, next, servers);
    }

    private void put(Replacement replacement, List<DatabaseChange> changes) {
        shared.tls().replace(replacement.files.settings());
        changes.forEach(DatabaseChange::renewPools);
        // Before a client can log in by a new password, the servers must be reachable by it.
        shared.pools().replace(replacement.configuration);
        inForce.replace(replacement.configuration, replacement.files, replacement.accounts);
        changes.forEach(change -> {
            change.begin(verticles);
            shared.passThrough().forget(change.name());
        });
    }

    /** Changes settings until the next reload; completes when they are in force. */
    Future<Void> change(UnaryOperator<General> change) {
        return inTurn(() -> {
            Configuration now = inForce.configuration();
            Configuration changed = now.withGeneral(change.apply(now.general()));
            shared.pools().replace(changed);
            inForce.replace(changed, inForce.files(), inForce.accounts());
            return Future.succeededFuture();
        });
    }

    /** Changes of what is in force come one after the other. */
    private Future<Void> inTurn(Supplier<Future<Void>> change) {
        Promise<Void> mine = Promise.promise();
        Future<Void> before = changing.getAndSet(mine.future());
        var unused = before.transform(ended -> change.get()).onComplete(mine);
        return mine.future();
    }

    /** The whole process as it is now; completes on any thread. */
    public Future<Observation> observe() {
        return observer.observe();
    }

    /** Sends a client away; completes with whether there was one of this process ID. */
    Future<Boolean> kill(int processId) {
        return Future.all(verticles.stream().map(loop -> loop.kill(processId)).toList())
                .map(killed -> killed.list().contains(Boolean.TRUE));
    }

    Shared shared() {
        return shared;
    }

    PlanCache plans() {
        return plans;
    }

    /** The port that clients connect to. */
    public int port() {
        return shared.port().get();
    }

    /** Clients connected at present, those on the way included. */
    public int clientCount() {
        return shared.clientCount().get();
    }

    /** What the clients of a configured database listen to. */
    public Channels channels(String database) {
        return Objects.requireNonNull(shared.databases().get(database)).channels();
    }

    /** Pools, for checks that nothing stays behind. */
    public Pools pools() {
        return shared.pools();
    }

    /**
     * Lets nobody in any more (57P03), lets clients finish their transactions for at most {@code shutdown_timeout} and
     * sends them away (57P01); then cancels what still runs. Done when no client is left or {@link #CUT_OFF_MILLIS} after
     * that time; {@link #close} is the caller's.
     */
    public Future<Void> drain() {
        LOG.info("draining, {} clients", sessionCount());
        shared.admission().stop();
        verticles.forEach(ProxyVerticle::drain);
        long end = System.nanoTime()
                + shared.configuration().general().shutdownTimeout().toNanos();
        return untilNobodyIsLeft(end).compose(left -> left == 0 ? Future.succeededFuture() : cutOff());
    }

    /** Clients whose login is not over have nothing to lose, and need not be waited for. */
    private int sessionCount() {
        return shared.cancelKeys().size();
    }

    private Future<Integer> untilNobodyIsLeft(long endNanos) {
        Promise<Integer> over = Promise.promise();
        vertx.setPeriodic(DRAIN_POLL_MILLIS, timer -> {
            int left = sessionCount();
            if (left == 0 || System.nanoTime() - endNanos > 0) {
                vertx.cancelTimer(timer);
                LOG.info("drained, {} clients are left", left);
                over.complete(left);
            }
        });
        return over.future();
    }

    /** A transaction that is being committed on several shards still gets the time to come to its end. */
    private Future<Void> cutOff() {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CUT_OFF_MILLIS);
        Future<CompositeFuture> told =
                Future.join(verticles.stream().map(ProxyVerticle::cutOff).toList());
        return Future.any(told, untilNobodyIsLeft(end))
                .compose(any -> untilNobodyIsLeft(end))
                .mapEmpty();
    }

    /** Stops listening and closes every connection. */
    public Future<Void> close() {
        databases.end();
        return vertx.close();
    }
}
