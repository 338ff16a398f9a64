package dev.trunkline.lookup;

/** The clock, as a port. */
interface Timers {

    /** Monotonic; only differences mean something. */
    long nanoTime();

    /** Runs a task once, later, on the caller's event loop. */
    Timer schedule(long delayMillis, Runnable task);

    /** A task that has not run yet. */
    interface Timer {

        /** Without effect when the task has run. */
        void cancel();
    }
}
