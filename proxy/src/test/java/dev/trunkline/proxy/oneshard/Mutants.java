package dev.trunkline.proxy.oneshard;

import dev.trunkline.harness.fuzz.Mutant;
import dev.trunkline.harness.fuzz.Mutator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * How many mutants a test makes, and by how many threads: {@code -Dscale=full} for a million frames by sixteen of them,
 * {@code -Dframes=…} and {@code -Dseed=…} for others.
 */
final class Mutants {

    private static final boolean FULL = "full".equals(System.getProperty("scale"));

    private Mutants() {}

    static long seed() {
        return Long.getLong("seed", 2026);
    }

    static int threads() {
        return Integer.getInteger("threads", FULL ? 16 : 2);
    }

    private static long frames() {
        return Long.getLong("frames", FULL ? 1_000_000 : 1_000);
    }

    /**
     * Hands out mutants of as many frames as are wanted, less where there is more than one such test.
     *
     * @param worker makes what one thread does with each of its mutants
     */
    static void each(Mutator mutator, int tests, Supplier<Consumer<Mutant>> worker) {
        AtomicLong left = new AtomicLong(frames() / tests);
        AtomicInteger next = new AtomicInteger();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < threads(); i++) {
            Thread thread = new Thread(() -> {
                try {
                    work(mutator, left, next, failure, worker.get());
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                }
            });
            threads.add(thread);
            thread.start();
        }
        threads.forEach(Mutants::join);
        Throwable first = failure.get();
        if (first != null) {
            throw new AssertionError("by mutant " + next.get() + " of seed " + seed(), first);
        }
    }

    private static void work(
            Mutator mutator,
            AtomicLong left,
            AtomicInteger next,
            AtomicReference<Throwable> failure,
            Consumer<Mutant> task) {
        while (failure.get() == null) {
            Mutant mutant = mutator.mutant(next.getAndIncrement());
            if (left.getAndAdd(-mutant.exchange().frames().size()) <= 0) {
                return;
            }
            task.accept(mutant);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
