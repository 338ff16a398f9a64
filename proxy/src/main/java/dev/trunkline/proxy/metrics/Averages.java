package dev.trunkline.proxy.metrics;

import dev.trunkline.proxy.measure.Counters;
import dev.trunkline.proxy.measure.Measure;
import dev.trunkline.proxy.pool.PoolView;
import dev.trunkline.proxy.pool.Pools;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What pools have done since one or two periods ago, per second or per piece. Immutable. */
public final class Averages {

    /** How often the base moves on: soon enough to see a change, late enough to even out a burst. */
    public static final long PERIOD_MILLIS = 15_000;

    private static final Counters NOTHING = new Counters();

    private final Sample base;
    private final Sample newest;

    private record Sample(long nanos, Map<Pools.Key, Counters> counters) {}

    private Averages(Sample base, Sample newest) {
        this.base = base;
        this.newest = newest;
    }

    /** From now on. */
    public static Averages begin(long nanos) {
        Sample nothing = new Sample(nanos, Map.of());
        return new Averages(nothing, nothing);
    }

    /** A period has gone by. */
    public Averages next(List<PoolView> pools, long nanos) {
        Map<Pools.Key, Counters> counters = new HashMap<>();
        pools.forEach(pool -> counters.put(pool.key(), pool.counters()));
        return new Averages(newest, new Sample(nanos, counters));
    }

    /** A count per second; of a time, microseconds per piece. */
    public long of(PoolView pool, Measure measure, long nanos) {
        Counters before = base.counters.getOrDefault(pool.key(), NOTHING);
        long more = pool.counters().get(measure) - before.get(measure);
        Measure divisor = measure.divisor();
        if (divisor == null) {
            return more * 1_000_000_000L / Math.max(1_000_000_000L, nanos - base.nanos);
        }
        long pieces = pool.counters().get(divisor) - before.get(divisor);
        return pieces <= 0 ? 0 : more / 1_000 / pieces;
    }
}
