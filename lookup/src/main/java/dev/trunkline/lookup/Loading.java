package dev.trunkline.lookup;

import dev.trunkline.lookup.map.LookupMap;
import dev.trunkline.lookup.source.LookupQuery;
import dev.trunkline.lookup.source.LookupSource;
import dev.trunkline.protocol.error.PgException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads whole maps, one at a time, publishes them and answers whom they answer. Only on the loader's event loop.
 *
 * <p>A load belongs to nobody: it goes on when the statement that caused it is gone, and when all who waited for it have
 * run out of time, because the next ones will want the map too.
 */
final class Loading {

    private static final Logger LOG = LoggerFactory.getLogger(Loading.class);

    private final SharedLookup lookup;
    private final LookupQuery query;
    private final LookupSource source;
    private final MissQueue queue;
    private final ReloadPacing pacing;
    private final Timers timers;
    private @Nullable Load current;
    /** The last read found rows that are no map, or a query that is none. */
    private boolean faulty;

    Loading(
            SharedLookup lookup,
            LookupQuery query,
            LookupSource source,
            MissQueue queue,
            ReloadPacing pacing,
            Timers timers) {
        this.lookup = lookup;
        this.query = query;
        this.source = source;
        this.queue = queue;
        this.pacing = pacing;
        this.timers = timers;
    }

    /** One load under way. */
    private final class Load {
        final long startNanos = timers.nanoTime();
        final MapState before = lookup.map().current();
        final Promise<Void> end = Promise.promise();

        @Nullable
        ReadStamp stamp;

        void sending() {
            stamp = ReadStamp.now(lookup, queue.lastArrival(), timers);
        }
    }

    boolean isBusy() {
        return current != null;
    }

    /** How long the load has been under way, in nanoseconds; 0 if none is. */
    long ageNanos() {
        return current == null ? 0 : timers.nanoTime() - current.startNanos;
    }

    /** The end of the load under way, whatever it is; now if none is. */
    Future<Void> end() {
        return current == null ? Future.succeededFuture() : current.end.future();
    }

    /** Whether the last read found that there is no map to be had. */
    boolean isFaulty() {
        return faulty;
    }

    /**
     * Starts a load; only if none is under way.
     *
     * @param whenDone runs after those whom it answers have been answered
     */
    void start(Runnable whenDone) {
        Load started = new Load();
        current = started;
        lookup.counters().loading(true);
        lookup.counters().loads.increment();
        source.load(query, started::sending).onComplete(result -> {
            current = null;
            lookup.counters().loading(false);
            if (result.succeeded()) {
                loaded(started, Objects.requireNonNull(started.stamp), result.result());
            } else {
                lookup.counters().loadErrors.increment();
                failed(result.cause(), started.before);
            }
            started.end.complete();
            whenDone.run();
        });
    }

    private void loaded(Load finished, ReadStamp stamp, LookupMap map) {
        faulty = false;
        pacing.succeeded(finished.startNanos, timers.nanoTime());
        if (!lookup.map().publish(stamp.seen(), map, stamp.nanos())) {
            lookup.counters().rejectedLoads.increment();
        }
        log(finished, map);
        queue.settleByLoad(stamp, map);
    }

    private void log(Load finished, LookupMap map) {
        long millis = TimeUnit.NANOSECONDS.toMillis(timers.nanoTime() - finished.startNanos);
        lookup.counters().loadedIn(millis);
        String table = lookup.definition().table();
        LOG.debug("lookup {}: {} entries in {} ms", table, map.size(), millis);
        if (pacing.isTooSlow()) {
            LOG.warn("lookup {}: loading took {} ms, longer than statements may wait", table, millis);
        }
    }

    /**
     * A read has failed: whoever waits is told, unless it is worth another try.
     *
     * @param before what was published when the read began
     */
    void failed(Throwable cause, MapState before) {
        LoadFailure failure = LoadFailure.of(lookup.definition(), cause);
        faulty = failure.faulty();
        LOG.warn("lookup {}: {}", lookup.definition().table(), failure.logText());
        if (!failure.retry()) {
            lookup.counters().failed(failure.logText());
            pacing.failed(failure.error(), timers.nanoTime(), before.generation());
            queue.failAll(failure.error());
        }
    }

    /** The failure that is answered to everybody for one interval; null if there is none. */
    @Nullable
    PgException recentFailure() {
        return pacing.failureAt(timers.nanoTime(), lookup.map().current().generation());
    }
}
