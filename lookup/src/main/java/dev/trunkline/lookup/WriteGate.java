package dev.trunkline.lookup;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets marked writes of one map in, unless they are paused, and counts those that are in. Safe for any thread.
 *
 * <p>A writer registers first and reads the flag afterwards; who pauses sets the flag first and counts afterwards. So
 * either the writer sees the flag, or it is counted and waited for.
 */
final class WriteGate {

    private final AtomicInteger writers = new AtomicInteger();
    private volatile boolean paused;

    /** Registers a writer; false, and nothing registered, if writes are paused. */
    boolean enter() {
        writers.incrementAndGet();
        if (paused) {
            writers.decrementAndGet();
            return false;
        }
        return true;
    }

    /** The writer has ended and its outcome is known. */
    void leave() {
        writers.decrementAndGet();
    }

    void pause() {
        paused = true;
    }

    void resume() {
        paused = false;
    }

    boolean isPaused() {
        return paused;
    }

    int writers() {
        return writers.get();
    }
}
