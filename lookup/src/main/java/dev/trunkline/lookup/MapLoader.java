package dev.trunkline.lookup;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.lookup.source.LookupQuery;
import dev.trunkline.lookup.source.LookupSource;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.ShardingKey;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Verifies the keys that one map does not hold: decides when to load and when to probe. Only on the loader's event loop.
 *
 * <p>At most one load and one probe are under way. A read answers whom it may answer even if it may not be published, so
 * a statement waits for two loads at most, however often the table is written.
 */
final class MapLoader {

    /** A load that takes longer than this does not hold up the statements that miss an empty map. */
    private static final long PROBE_AFTER_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final SharedLookup lookup;
    private final boolean onlyLoads;
    private final Timers timers;
    private final MissQueue queue;
    private final ReloadPacing pacing;
    private final Loading loading;
    private final Prober prober;
    private final FoundFolding folding;
    private final WakeUp wakeUp;
    private final Aging aging;

    MapLoader(SharedLookup lookup, LookupSource source, LookupOptions options, Timers timers, Offload offload) {
        LookupQuery query = lookup.definition().query(options);
        this.lookup = lookup;
        this.timers = timers;
        onlyLoads = options.miss() == LookupMiss.RELOAD;
        queue = new MissQueue(lookup, options.waitTimeout(), timers);
        pacing = new ReloadPacing(options);
        loading = new Loading(lookup, query, source, queue, pacing, timers);
        prober = new Prober(lookup, query, source, queue, timers, loading::failed);
        folding = new FoundFolding(lookup, offload);
        wakeUp = new WakeUp(timers, this::advance);
        aging = new Aging(lookup, options.maxAge(), timers, this::reload);
        aging.begin();
    }

    /** Completes with one snapshot that answers every key, see {@link Lookups#verify}. */
    Future<KeyTranslation> verify(List<ShardingKey> keys, long deadlineNanos) {
        lookup.counters().misses.increment();
        MapState published = lookup.map().current();
        if (Miss.isAnswered(keys, published)) {
            return Future.succeededFuture(published);
        }
        PgException failure = loading.recentFailure();
        if (failure != null) {
            return Future.failedFuture(failure);
        }
        Future<KeyTranslation> answer = queue.add(keys, deadlineNanos, onlyLoads);
        advance();
        return answer;
    }

    /** Completes when the map is loaded; fails with the reason why it is not by then. */
    Future<Void> warm(long deadlineNanos) {
        if (lookup.map().current().isLoaded()) {
            return Future.succeededFuture();
        }
        PgException failure = loading.recentFailure();
        if (failure != null) {
            return Future.failedFuture(failure);
        }
        if (deadlineNanos - timers.nanoTime() <= 0) {
            return Future.failedFuture(queue.timedOut());
        }
        if (!loading.isBusy()) {
            loading.start(this::advance);
        }
        return loading.end().compose(ended -> warm(deadlineNanos));
    }

    /** A marked commit has ended: whom it kept from being told "no row" is read for again. */
    void commitSettled() {
        queue.unpark();
        advance();
    }

    private void reload() {
        if (!loading.isBusy() && loading.recentFailure() == null) {
            loading.start(this::advance);
        }
    }

    /** Fails whoever waits. */
    void close() {
        aging.end();
        queue.failAll(LookupErrors.notRunning(lookup.definition()));
    }

    /** Starts what is due; sets a timer for what will be. */
    private void advance() {
        if (!loading.isBusy() && needsLoad()) {
            startLoadOrWait();
        }
        if (!prober.isBusy() && queue.hasActive(miss -> !miss.byLoad()) && mayProbe()) {
            startProbeOrWait();
        }
    }

    private boolean needsLoad() {
        MapState now = lookup.map().current();
        boolean cold = !now.isLoaded() && now.isOpen();
        return queue.hasActive(miss -> cold || miss.byLoad());
    }

    /** Only a reload of a map that is loaded is spaced: an empty one helps nobody. */
    private void startLoadOrWait() {
        long delay = lookup.map().current().isLoaded() ? pacing.delayMillis(timers.nanoTime()) : 0;
        if (delay > 0) {
            wakeUp.in(delay);
        } else {
            loading.start(this::advance);
        }
    }

    /** A map that could not be loaded is not worked around by probes: its fault must be seen. */
    private boolean mayProbe() {
        MapState now = lookup.map().current();
        if (!loading.isBusy() || now.isLoaded() || !now.isOpen()) {
            return true;
        }
        long left = PROBE_AFTER_NANOS - loading.ageNanos();
        if (left > 0) {
            wakeUp.in(Timers.millis(left));
        }
        return left <= 0 && !loading.isFaulty();
    }

    private void startProbeOrWait() {
        long delay = prober.delayNanos();
        if (delay > 0) {
            wakeUp.in(Timers.millis(delay));
        } else {
            prober.start(queue.active(miss -> !miss.byLoad()), this::probed);
        }
    }

    private void probed() {
        folding.foldIfLarge();
        advance();
    }
}
