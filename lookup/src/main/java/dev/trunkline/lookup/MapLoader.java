package dev.trunkline.lookup;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.lookup.map.LookupMap;
import dev.trunkline.lookup.source.LookupQuery;
import dev.trunkline.lookup.source.LookupSource;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.ShardingKey;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads one map and verifies what it does not hold. Only on the loader's event loop.
 *
 * <p>At most one load and one probe are under way. Neither belongs to the statement that caused it: a client that goes
 * away strands nobody. A read answers whom it may answer even if it may not be published, so a statement waits for two
 * loads at most, however often the table is written.
 */
final class MapLoader {

    private static final Logger LOG = LoggerFactory.getLogger(MapLoader.class);

    /** A load that takes longer than this does not hold up the statements that miss an empty map. */
    private static final long PROBE_AFTER_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final SharedLookup lookup;
    private final LookupQuery query;
    private final LookupSource source;
    private final LookupOptions options;
    private final Timers timers;
    private final MissQueue queue;
    private final ReloadPacing pacing;
    private final Prober prober;
    private final FoundFolding folding;
    private @Nullable Load load;
    private Timers.@Nullable Timer expiry;
    private final WakeUp wakeUp;
    /** The last load found rows that are no map, or a query that is none. */
    private boolean faulty;

    MapLoader(SharedLookup lookup, LookupSource source, LookupOptions options, Timers timers, Offload offload) {
        this.lookup = lookup;
        this.source = source;
        this.options = options;
        this.timers = timers;
        LookupDefinition definition = lookup.definition();
        query = new LookupQuery(definition.query(), definition.type(), options.maxBytes());
        queue = new MissQueue(lookup);
        pacing = new ReloadPacing(options);
        prober = new Prober(lookup, query, source, queue, timers, this::failed);
        folding = new FoundFolding(lookup, offload);
        wakeUp = new WakeUp(timers, this::advance);
    }

    /** One load under way. */
    private final class Load {
        final long startNanos = timers.nanoTime();

        @Nullable
        ReadStamp stamp;

        void sending() {
            stamp = ReadStamp.now(lookup, queue.lastArrival(), timers);
        }
    }

    /** Completes with one snapshot that answers every key, see {@link Lookups#verify}. */
    Future<KeyTranslation> verify(List<ShardingKey> keys, long deadlineNanos) {
        lookup.counters().misses.increment();
        MapState published = lookup.map().current();
        if (Miss.isAnswered(keys, published)) {
            return Future.succeededFuture(published);
        }
        PgException failure = pacing.failureAt(timers.nanoTime());
        if (failure != null) {
            return Future.failedFuture(failure);
        }
        Future<KeyTranslation> answer = queue.add(keys, deadlineNanos, options.miss() == LookupMiss.RELOAD);
        armExpiry();
        advance();
        return answer;
    }

    /** A marked commit has ended: whom it kept from being told "no row" is read for again. */
    void commitSettled() {
        queue.unpark();
        advance();
    }

    /** Fails whoever waits. */
    void close() {
        queue.failAll(LookupErrors.notRunning(lookup.definition()));
    }

    /** Starts what is due; sets a timer for what will be. */
    private void advance() {
        if (load == null && needsLoad()) {
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
            startLoad();
        }
    }

    /** A map that could not be loaded is not worked around by probes: its fault must be seen. */
    private boolean mayProbe() {
        if (load == null
                || lookup.map().current().isLoaded()
                || !lookup.map().current().isOpen()) {
            return true;
        }
        long left = PROBE_AFTER_NANOS - (timers.nanoTime() - load.startNanos);
        if (left > 0) {
            wakeUp.in(Timers.millis(left));
        }
        return left <= 0 && !faulty;
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

    private void startLoad() {
        Load started = new Load();
        load = started;
        lookup.counters().loads.increment();
        source.load(query, started::sending).onComplete(result -> {
            load = null;
            ReadStamp stamp = started.stamp;
            if (result.succeeded() && stamp != null) {
                loaded(started, stamp, result.result());
            } else {
                loadFailed(result.cause());
            }
            advance();
        });
    }

    private void loaded(Load finished, ReadStamp stamp, LookupMap map) {
        faulty = false;
        pacing.succeeded(finished.startNanos, timers.nanoTime());
        if (!lookup.map().publish(stamp.seen(), map, stamp.nanos())) {
            lookup.counters().rejectedLoads.increment();
        }
        logLoaded(finished, map);
        queue.settleByLoad(stamp, map);
    }

    private void logLoaded(Load finished, LookupMap map) {
        long millis = TimeUnit.NANOSECONDS.toMillis(timers.nanoTime() - finished.startNanos);
        LOG.debug("lookup {}: {} entries in {} ms", lookup.definition().table(), map.size(), millis);
        if (pacing.isTooSlow()) {
            LOG.warn(
                    "lookup {}: loading took {} ms, longer than statements may wait ({} ms)",
                    lookup.definition().table(),
                    millis,
                    options.waitTimeout().toMillis());
        }
    }

    private void loadFailed(Throwable cause) {
        lookup.counters().loadErrors.increment();
        failed(cause);
    }

    private void failed(Throwable cause) {
        LoadFailure failure = LoadFailure.of(lookup.definition(), cause);
        faulty = failure.faulty();
        LOG.warn("lookup {}: {}", lookup.definition().table(), failure.logText());
        if (!failure.retry()) {
            pacing.failed(failure.error(), timers.nanoTime());
            queue.failAll(failure.error());
        }
    }

    private void armExpiry() {
        if (expiry == null && !queue.isEmpty()) {
            long left = queue.nextDeadlineNanos() - timers.nanoTime();
            expiry = timers.schedule(Timers.millis(left), () -> {
                expiry = null;
                queue.expire(timers.nanoTime(), LookupErrors.timedOut(lookup.definition(), options.waitTimeout()));
                armExpiry();
            });
        }
    }
}
