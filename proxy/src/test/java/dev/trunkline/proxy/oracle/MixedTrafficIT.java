package dev.trunkline.proxy.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Invariants;
import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgCluster;
import dev.trunkline.harness.pg.PgShards;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/**
 * Random traffic of many sessions on three shards, every statement of it on one unsharded PostgreSQL as well: rows,
 * counts, columns, tags, errors and transaction status are equal, what may be refused is rare, what is promised never
 * is. First several workers at once, each on rows of its own; then one that reads and writes the rows of all.
 *
 * <p>{@code -Dseed=N} repeats the statements of a run, {@code -Dscale=full} takes minutes, {@code -Dtraffic.seconds=N}
 * any time.
 */
@Shards(3)
class MixedTrafficIT {

    private static final int WORKERS = 4;
    private static final int LAST_WORKER = 50;
    private static final double MOST_REFUSED = 0.05;
    private static final Duration TRIAL = Duration.ofSeconds(Long.getLong("traffic.trial", 2));
    private static final Duration LONGEST_MINIMIZING = Duration.ofSeconds(40);

    /** The same statements in every plain run; {@code -Dseed=0} draws new ones. */
    private final long seed = seedOf(Long.getLong("seed", 20_261_130L));

    private final Duration budget =
            Duration.ofSeconds(Long.getLong("traffic.seconds", "full".equals(System.getProperty("scale")) ? 300 : 20));

    private static long seedOf(long wanted) {
        return wanted != 0 ? wanted : System.nanoTime() & 0xffff_ffffL;
    }

    @Test
    void equalsOnePostgreSql(PgShards shards, Invariants invariants) throws Exception {
        System.out.println("mixed traffic: -Dseed=" + seed + ", " + budget.toSeconds() + " s");
        try (Rig rig = new Rig(seed, shards, WORKERS, true)) {
            atOnce(rig, budget.multipliedBy(3).dividedBy(5));
            check(rig, invariants);
            rig.empty();
            alone(rig, budget.multipliedBy(2).dividedBy(5));
            check(rig, invariants);
            System.out.println("mixed traffic: -Dseed=" + seed + ": " + rig.tally());
            assertThat(rig.tally().refusedShare()).as(rig.tally().toString()).isLessThanOrEqualTo(MOST_REFUSED);
        }
    }

    /** What differs here does so by chance or by time, and would be held against the proxy. */
    @Test
    void theTrafficItselfHasOneAnswer() throws Exception {
        try (PgShards plain = PgCluster.shared().shards(1);
                Rig rig = new Rig(seed, plain, WORKERS, false)) {
            atOnce(rig, TRIAL);
            check(rig, new Invariants(plain));
            rig.empty();
            alone(rig, TRIAL);
            check(rig, new Invariants(plain));
            System.out.println("without a proxy: -Dseed=" + seed + ": " + rig.tally());
            assertThat(rig.tally().refused()).isZero();
        }
    }

    private static void check(Rig rig, Invariants invariants) {
        rig.awaitNoClients();
        invariants.assertHold();
        rig.compareTables();
        assertThat(rig.rowCount()).isPositive();
    }

    private void atOnce(Rig rig, Duration duration) throws Exception {
        AtomicBoolean stopped = new AtomicBoolean();
        BooleanSupplier time = until(duration);
        ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
        List<Future<Void>> ends = new ArrayList<>();
        try {
            for (int worker = 0; worker < WORKERS; worker++) {
                int number = worker;
                ends.add(threads.submit(() -> {
                    try {
                        work(rig, number, false, () -> time.getAsBoolean() && !stopped.get());
                        return null;
                    } catch (Throwable failure) {
                        stopped.set(true);
                        throw failure;
                    }
                }));
            }
            await(rig, ends);
        } finally {
            threads.shutdownNow();
        }
    }

    private static void await(Rig rig, List<Future<Void>> ends) throws Exception {
        Throwable first = null;
        for (Future<Void> end : ends) {
            try {
                Void unused = end.get();
            } catch (ExecutionException e) {
                first = first == null ? e.getCause() : first;
            }
        }
        if (first != null) {
            report(rig, first);
        }
    }

    private void alone(Rig rig, Duration duration) throws Exception {
        try {
            work(rig, LAST_WORKER, true, until(duration));
        } catch (AssertionError failure) {
            report(rig, failure);
        }
    }

    private void work(Rig rig, int number, boolean everything, BooleanSupplier goesOn) throws Exception {
        Dice dice = Dice.of(seed, number);
        List<Mode> modes = List.of(
                dice.of(Mode.SIMPLE, Mode.TEXT, Mode.FLUSHED),
                dice.of(Mode.BINARY, Mode.PREPARED, Mode.PREPARED_BINARY),
                dice.of(Mode.JDBC, Mode.JDBC_SIMPLE, Mode.JDBC_BINARY, Mode.JDBC_CACHED));
        try (Connection model = rig.model();
                Worker worker = new Worker(rig, new World(number, everything, dice, model), modes, goesOn)) {
            Void unused = worker.call();
        }
    }

    private static void report(Rig rig, Throwable failure) throws Exception {
        if (failure instanceof Worker.Found found) {
            String shortest = new Minimizer(rig, found, LONGEST_MINIMIZING).shortest();
            throw new AssertionError("shortest " + shortest + "\n\nas found: " + found.getMessage(), found);
        }
        if (failure instanceof Error error) {
            throw error;
        }
        throw (Exception) failure;
    }

    private static BooleanSupplier until(Duration duration) {
        long deadline = System.nanoTime() + duration.toNanos();
        return () -> System.nanoTime() < deadline;
    }
}
