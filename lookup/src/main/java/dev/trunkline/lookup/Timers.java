package dev.trunkline.lookup;

/** The clock, as a port. */
interface Timers {

    /** Monotonic; only differences mean something. */
    long nanoTime();

    /** Runs a task once, later, on the caller's event loop. */
    Timer schedule(long delayMillis, Runnable task);

    /** Whole milliseconds until this much time has passed for certain; 0 if it is not positive. */
    static long millis(long nanos) {
        return nanos <= 0 ? 0 : (nanos + 999_999) / 1_000_000;
    }

    /** A task that has not run yet. */
    interface Timer {

        /** Without effect when the task has run. */
        void cancel();
    }
}
