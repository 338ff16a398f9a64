package dev.trunkline.lookup;

import org.jspecify.annotations.Nullable;

/** One timer for one task: the earliest of the times that it was asked for. Only on one event loop. */
final class WakeUp {

    private final Timers timers;
    private final Runnable task;
    private Timers.@Nullable Timer timer;
    private long dueNanos;

    WakeUp(Timers timers, Runnable task) {
        this.timers = timers;
        this.task = task;
    }

    /** Runs the task after this time at the latest; it then decides anew when to be woken again. */
    void in(long millis) {
        long due = timers.nanoTime() + millis * 1_000_000;
        if (timer != null) {
            if (due - dueNanos >= 0) {
                return;
            }
            timer.cancel();
        }
        dueNanos = due;
        timer = timers.schedule(millis, () -> {
            timer = null;
            task.run();
        });
    }
}
