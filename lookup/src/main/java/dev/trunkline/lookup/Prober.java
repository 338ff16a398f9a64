package dev.trunkline.lookup;

import dev.trunkline.lookup.map.LookupMap;
import dev.trunkline.lookup.map.LookupMapBuilder;
import dev.trunkline.lookup.map.MapFault;
import dev.trunkline.lookup.source.LookupQuery;
import dev.trunkline.lookup.source.LookupSource;
import dev.trunkline.lookup.source.ProbeAnswer;
import dev.trunkline.lookup.source.SourceException;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.ShardingKey;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the keys of many statements by one small read: batches, one at a time, started at least ten milliseconds
 * apart. Who arrives while a batch is under way is in the next. Only on the loader's event loop.
 */
final class Prober {

    /** A hundred batches per second and map at most, however many unknown keys there are. */
    private static final long SPACING_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** A parameter of some hundred kilobytes at most. */
    private static final int KEYS_PER_BATCH = 10_000;

    private final SharedLookup lookup;
    private final LookupQuery query;
    private final LookupSource source;
    private final MissQueue queue;
    private final Timers timers;
    private final BiConsumer<Throwable, MapState> whenUnreachable;
    private boolean busy;
    private long nextNanos;

    Prober(
            SharedLookup lookup,
            LookupQuery query,
            LookupSource source,
            MissQueue queue,
            Timers timers,
            BiConsumer<Throwable, MapState> whenUnreachable) {
        this.lookup = lookup;
        this.query = query;
        this.source = source;
        this.queue = queue;
        this.timers = timers;
        this.whenUnreachable = whenUnreachable;
        nextNanos = timers.nanoTime();
    }

    /** Whether a batch is under way. */
    boolean isBusy() {
        return busy;
    }

    /** Nanoseconds until the next batch may start; not positive = now. */
    long delayNanos() {
        return nextNanos - timers.nanoTime();
    }

    /**
     * Sends a batch.
     *
     * @param candidates statements in order of arrival, at least one; those beyond a batch's size are left out
     * @param whenDone runs after the statements of the batch have been settled
     */
    void start(List<Miss> candidates, Runnable whenDone) {
        Batch batch = new Batch();
        for (Miss miss : candidates) {
            if (!batch.add(miss)) {
                break;
            }
        }
        busy = true;
        nextNanos = timers.nanoTime() + SPACING_NANOS;
        lookup.counters().probes.increment();
        source.probe(query, List.copyOf(batch.keys), batch::sending).onComplete(result -> {
            busy = false;
            if (result.succeeded()) {
                batch.settle(result.result());
            } else {
                batch.fail(result.cause());
            }
            whenDone.run();
        });
    }

    /** Statements that are answered by one read. */
    private final class Batch {

        private final List<Miss> misses = new ArrayList<>();
        private final Set<ShardingKey> keys = new LinkedHashSet<>();
        private final MapState before = lookup.map().current();
        private final long lastMiss = queue.lastArrival();
        private @Nullable ReadStamp stamp;

        /** A statement goes whole into one batch, because one snapshot must answer it. */
        boolean add(Miss miss) {
            if (!keys.isEmpty() && keys.size() + miss.keys().size() > KEYS_PER_BATCH) {
                return false;
            }
            misses.add(miss);
            keys.addAll(miss.keys());
            return true;
        }

        void sending() {
            stamp = ReadStamp.now(lookup, lastMiss, timers);
        }

        void settle(ProbeAnswer answer) {
            ReadStamp sent = Objects.requireNonNull(stamp);
            boolean ignoredBecauseWaitersAreAnsweredAnyway =
                    lookup.map().publishFound(sent.seen(), answer.found(), sent.nanos());
            KeyTranslation read = mapOf(answer.found());
            for (Miss miss : misses) {
                if (queue.holds(miss)) {
                    settle(miss, sent, read, answer.faults());
                }
            }
        }

        private void settle(Miss miss, ReadStamp sent, KeyTranslation read, Map<ShardingKey, MapFault> faults) {
            for (ShardingKey key : miss.keys()) {
                MapFault fault = faults.get(key);
                if (fault != null) {
                    queue.fail(miss, LookupErrors.badRows(lookup.definition(), fault));
                    return;
                }
            }
            queue.settle(miss, sent, read);
        }

        /** A server that is gone is gone for loads, too; of anything else a load finds out more. */
        void fail(Throwable cause) {
            if (cause instanceof SourceException failure && failure.kind() == SourceException.Kind.UNREACHABLE) {
                whenUnreachable.accept(failure, before);
            } else {
                misses.forEach(Miss::leaveToLoad);
            }
        }

        private LookupMap mapOf(Map<ShardingKey, ShardingKey> found) {
            LookupMapBuilder builder = LookupMapBuilder.of(query.type(), Long.MAX_VALUE);
            found.forEach(builder::put);
            return builder.build();
        }
    }
}
