package dev.trunkline.lookup;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what is published from becoming older than a limit: reads it again at half of that age, and forgets it at three
 * quarters if that has not been possible. It is looked four times in the limit, so nothing reaches it. Hits need no clock.
 * Only on the loader's event loop.
 */
final class Aging {

    private static final int LOOKS = 4;

    private final SharedLookup lookup;
    private final Timers timers;
    private final Runnable reload;
    private final long limitNanos;
    private Timers.@Nullable Timer timer;

    /**
     * Nothing happens before {@link #begin()}.
     *
     * @param limit zero = none
     * @param reload reads the map again, if that is possible now
     */
    Aging(SharedLookup lookup, Duration limit, Timers timers, Runnable reload) {
        this.lookup = lookup;
        this.timers = timers;
        this.reload = reload;
        this.limitNanos = limit.toNanos();
    }

    void begin() {
        if (limitNanos > 0) {
            timer = timers.schedule(Math.max(1, limitNanos / LOOKS / 1_000_000), () -> {
                look();
                begin();
            });
        }
    }

    void end() {
        if (timer != null) {
            timer.cancel();
        }
    }

    private void look() {
        MapState now = lookup.map().current();
        long age = now.isLoaded() ? timers.nanoTime() - now.readNanos() : 0;
        boolean tooOld = age >= limitNanos / LOOKS * (LOOKS - 1);
        // Without a base nobody knows how old single entries are.
        boolean ofUnknownAge = !now.isLoaded() && now.found().size() > 0;
        if (tooOld || ofUnknownAge) {
            lookup.map().invalidate();
            lookup.counters().invalidations.increment();
        } else if (age >= limitNanos / 2) {
            reload.run();
        }
    }
}
