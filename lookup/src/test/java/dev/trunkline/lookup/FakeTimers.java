package dev.trunkline.lookup;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A clock that stands still unless a test moves it. */
final class FakeTimers implements Timers {

    private record Task(long due, Runnable action) {}

    private final List<Task> tasks = new ArrayList<>();
    private long now = 1_000_000_000L;

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public Timer schedule(long delayMillis, Runnable action) {
        Task task = new Task(now + TimeUnit.MILLISECONDS.toNanos(delayMillis), action);
        tasks.add(task);
        return () -> tasks.remove(task);
    }

    /** Lets time pass and runs what is due, each task at its time. */
    void advance(long millis) {
        long end = now + TimeUnit.MILLISECONDS.toNanos(millis);
        while (true) {
            Task next = tasks.stream().min(Comparator.comparingLong(Task::due)).orElse(null);
            if (next == null || next.due > end) {
                break;
            }
            tasks.remove(next);
            now = Math.max(now, next.due);
            next.action.run();
        }
        now = end;
    }
}
