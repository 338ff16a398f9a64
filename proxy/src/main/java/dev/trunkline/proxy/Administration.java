package dev.trunkline.proxy;

import dev.trunkline.conf.load.ConfigException;
import dev.trunkline.lookup.LookupStatus;
import dev.trunkline.lookup.Lookups;
import dev.trunkline.proxy.admin.AdminErrors;
import dev.trunkline.proxy.admin.Control;
import dev.trunkline.proxy.admin.RuntimeSettings;
import dev.trunkline.proxy.engine.DatabaseState;
import dev.trunkline.proxy.engine.ServerNames;
import dev.trunkline.proxy.listen.ChannelView;
import dev.trunkline.proxy.metrics.Observation;
import dev.trunkline.proxy.pool.Pools;
import dev.trunkline.routing.PlanCache;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out what the admin database is told. For all threads. */
final class Administration implements Control {

    private static final Logger LOG = LoggerFactory.getLogger(Administration.class);

    /** How long transactions that have written a lookup table may take to end when its writes are paused. */
    private static final Duration PAUSE_PATIENCE = Duration.ofSeconds(30);

    private final @Nullable Host host;
    private volatile @Nullable Trunkline trunkline;

    /**
     * Without effect before {@link #begin}.
     *
     * @param host null = nobody can read the configuration again
     */
    Administration(@Nullable Host host) {
        this.host = host;
    }

    void begin(Trunkline running) {
        trunkline = running;
    }

    private Trunkline trunkline() {
        return Objects.requireNonNull(trunkline);
    }

    @Override
    public Future<Observation> observe() {
        return trunkline().observe();
    }

    @Override
    public List<PlanCache.PlanView> plans(int limit) {
        return trunkline().plans().view(limit);
    }

    @Override
    public List<ServerNames.Named> prepared(int limit) {
        return trunkline().shared().names().view(limit);
    }

    @Override
    public Future<Map<String, List<ChannelView>>> listeners() {
        Map<String, List<ChannelView>> listeners = new ConcurrentSkipListMap<>();
        return Future.all(trunkline().shared().databases().values().stream()
                        .map(database ->
                                database.channels().view().onSuccess(seen -> listeners.put(database.name(), seen)))
                        .toList())
                .map(all -> listeners);
    }

    @Override
    public Future<Void> ban(Pools.Key pool, boolean banned) {
        LOG.info("{} shard {} of {}", banned ? "BAN" : "UNBAN", pool.shard(), pool.database());
        return trunkline().shared().pools().ban(pool, banned);
    }

    @Override
    public Future<Void> reload() {
        if (host == null) {
            return Future.failedFuture(AdminErrors.noFile());
        }
        return host.configuration()
                .compose(trunkline()::reload)
                .onSuccess(done -> LOG.info("reloaded by the administrator"))
                .recover(fault -> Future.failedFuture(AdminErrors.notReloaded(describe(fault))));
    }

    private static String describe(Throwable fault) {
        return fault instanceof ConfigException faults
                ? faults.faults().stream().map(String::valueOf).collect(Collectors.joining("\n"))
                : String.valueOf(fault.getMessage());
    }

    @Override
    public Future<Void> set(String name, String value) {
        LOG.info("SET {} TO {}", name, value);
        return Future.future(done -> {
            trunkline()
                    .change(general -> RuntimeSettings.with(general, name, value))
                    .onComplete(done);
        });
    }

    @Override
    public Future<Void> reconnect(@Nullable String database) {
        LOG.info("RECONNECT {}", named(database));
        return trunkline().shared().pools().reconnect(database);
    }

    @Override
    public Future<Void> pause(@Nullable String database) {
        LOG.info("PAUSE {}", named(database));
        return trunkline().shared().pools().pause(database);
    }

    @Override
    public Future<Void> resume(@Nullable String database) {
        LOG.info("RESUME {}", named(database));
        return trunkline().shared().pools().resume(database);
    }

    private static String named(@Nullable String database) {
        return database == null ? "all databases" : database;
    }

    @Override
    public Future<Boolean> kill(int processId) {
        return trunkline().kill(processId);
    }

    @Override
    public void shutdown(boolean atOnce) {
        LOG.info("SHUTDOWN");
        if (host != null) {
            host.end(atOnce);
        }
    }

    // ---- lookups

    @Override
    public Future<Void> flushLookups(@Nullable String database) {
        trunkline().shared().databases().values().stream()
                .filter(each -> database == null || each.name().equals(database))
                .forEach(each -> each.lookups().flush());
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> pauseLookupWrites(@Nullable String table) {
        List<Future<Void>> paused = ofTable(table, (lookups, index) -> lookups.pauseWrites(index, PAUSE_PATIENCE));
        // Half a pause helps nobody, and would be forgotten.
        return Future.all(paused).<Void>mapEmpty().onFailure(fault -> resumeLookupWrites(table));
    }

    @Override
    public void resumeLookupWrites(@Nullable String table) {
        BiConsumer<Lookups, Integer> resume = Lookups::resumeWrites;
        var unused = ofTable(table, (lookups, index) -> {
            resume.accept(lookups, index);
            return Future.<Void>succeededFuture();
        });
    }

    private List<Future<Void>> ofTable(@Nullable String table, BiFunction<Lookups, Integer, Future<Void>> action) {
        List<Future<Void>> done = new ArrayList<>();
        for (DatabaseState database : trunkline().shared().databases().values()) {
            List<LookupStatus> maps = database.lookups().status();
            for (int index = 0; index < maps.size(); index++) {
                if (table == null || maps.get(index).table().equals(table)) {
                    done.add(action.apply(database.lookups(), index));
                }
            }
        }
        return done;
    }
}
