package dev.trunkline.lookup;

import io.vertx.core.Future;
import io.vertx.core.Promise;

/** Pauses writes to one lookup table, so that its warmed map stays exact. Only on the loader's event loop. */
final class WritePause {

    private static final long LOOK_EVERY_MILLIS = 10;

    private final SharedLookup lookup;
    private final MapLoader loader;
    private final Timers timers;

    WritePause(SharedLookup lookup, MapLoader loader, Timers timers) {
        this.lookup = lookup;
        this.loader = loader;
        this.timers = timers;
    }

    /**
     * Refuses writers from now on, waits for those that are in and loads the map.
     *
     * @return if it fails, nothing is paused: 55P03 when transactions that have written the table did not end in time
     */
    Future<Void> pause(long deadlineNanos) {
        lookup.gate().pause();
        Promise<Void> quiet = Promise.promise();
        awaitQuiet(deadlineNanos, quiet);
        return quiet.future()
                .compose(none -> loader.warm(deadlineNanos))
                .onFailure(tooLate -> lookup.gate().resume());
    }

    private void awaitQuiet(long deadlineNanos, Promise<Void> quiet) {
        int writers = lookup.gate().writers();
        if (writers == 0) {
            quiet.complete();
        } else if (deadlineNanos - timers.nanoTime() <= 0) {
            quiet.fail(LookupErrors.pauseTimedOut(lookup.definition(), writers));
        } else {
            Timers.Timer unused = timers.schedule(LOOK_EVERY_MILLIS, () -> awaitQuiet(deadlineNanos, quiet));
        }
    }
}
