package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.harness.wire.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Many clients of two proxies insert, change, delete and use mappings at random; {@link History} must find one course of
 * events that explains every answer. New mappings are inserted and used through both proxies; mappings that change are
 * written and used through one, since the other is not told.
 *
 * <p>{@code -Dseed=n} repeats a choice of operations; the seed of a run is printed.
 */
abstract class HistoryScenario extends Scenario {

    private static final long QUIET_NANOS = 10_000_000;
    private static final int CHANGING_KEYS_PER_WRITER = 3;
    private static final long LONGEST_RUN_SECONDS = 300;
    private static final String USE = "SELECT inet_server_port(), count(*) FROM orders WHERE tenant_id = $1";

    private final History history = new History();
    private final List<String> stable = new CopyOnWriteArrayList<>();
    private final List<String> changing = new CopyOnWriteArrayList<>();
    private final List<String> parents = new ArrayList<>();

    private static int operations() {
        return rounds(60) * 10;
    }

    /** A client of the proxy that verifies in this way. */
    Client worker(Way way) {
        return client(way);
    }

    /** What else happens again and again while the workers are at work. */
    Runnable disturbance(long seed) {
        return () -> LockSupport.parkNanos(QUIET_NANOS);
    }

    /** Has them all at work, and checks what they were told. */
    void explained(LookupMiss changes) throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println(getClass().getSimpleName() + ": seed " + seed + ", changes through " + changes);
        stable.clear();
        changing.clear();
        parents.clear();
        for (int shard = 0; shard < shards().count(); shard++) {
            parents.add(tenants().root(shard));
        }
        LookupMiss other = changes == LookupMiss.PROBE ? LookupMiss.RELOAD : LookupMiss.PROBE;
        int each = operations() / 6;
        List<Runnable> work = List.of(
                new Writer(changes, seed + 1, each, true),
                new Writer(changes, seed + 2, each, true),
                new Writer(other, seed + 3, each, false),
                new Reader(changes, seed + 4, each, true),
                new Reader(changes, seed + 5, each, true),
                new Reader(other, seed + 6, each, false));
        runAll(work, disturbance(seed + 7));
        assertThat(history.contradiction()).as("seed " + seed).isNull();
        assertThat(history.answers()).isGreaterThan(operations() / 4);
        compareWithTable(worker(new Way(Protocol.EXTENDED, changes)), changing);
        compareWithTable(worker(new Way(Protocol.EXTENDED, changes)), stable);
        compareWithTable(worker(new Way(Protocol.EXTENDED, other)), stable);
    }

    private static void runAll(List<Runnable> work, Runnable disturbance)
            throws InterruptedException, ExecutionException, TimeoutException {
        ExecutorService threads = Executors.newFixedThreadPool(work.size() + 1);
        AtomicBoolean atWork = new AtomicBoolean(true);
        try {
            List<Future<?>> running = new ArrayList<>();
            work.forEach(each -> running.add(threads.submit(each)));
            Future<?> disturbing = threads.submit(() -> {
                while (atWork.get()) {
                    disturbance.run();
                }
            });
            for (Future<?> each : running) {
                each.get(LONGEST_RUN_SECONDS, TimeUnit.SECONDS);
            }
            atWork.set(false);
            disturbing.get(LONGEST_RUN_SECONDS, TimeUnit.SECONDS);
        } finally {
            atWork.set(false);
            threads.shutdownNow();
        }
    }

    /** Past all proxies, what the rows say at the end; then what the proxy says. */
    private void compareWithTable(Client client, List<String> keys) {
        for (String key : keys) {
            long shard = backdoor()
                    .number(
                            0,
                            "SELECT COALESCE((SELECT array_position(ARRAY['%s'], parent_tenant_id::text) - 1 FROM tenants WHERE id = '%s'), -1)"
                                    .formatted(String.join("','", parents), key));
            assertThat(told(client.run(USE, key))).as(key).isEqualTo((int) shard);
        }
    }

    /** Where the statement went; ABSENT if there is no row for the key. */
    private int told(Answer answer) {
        if (answer.sqlState() == null) {
            int port = Integer.parseInt(String.valueOf(answer.rows().get(0).get(0)));
            for (int shard = 0; shard < shards().count(); shard++) {
                if (shards().port(shard) == port) {
                    return shard;
                }
            }
        }
        assertThat(answer.message()).contains("no row for a value");
        return History.ABSENT;
    }

    /** One client with operations of its own. */
    private abstract class Worker implements Runnable {
        final Random random;
        final Client client;
        final boolean mayChange;
        private final int count;

        Worker(LookupMiss proxy, long seed, int count, boolean mayChange) {
            this.random = new Random(seed);
            this.client = worker(new Way(Protocol.values()[random.nextInt(Protocol.values().length)], proxy));
            this.count = count;
            this.mayChange = mayChange;
        }

        @Override
        public void run() {
            for (int i = 0; i < count; i++) {
                operate();
            }
        }

        abstract void operate();

        /** Asks for a key that somebody has written, or is about to. */
        void use() {
            List<String> keys = mayChange && !changing.isEmpty() && random.nextInt(3) > 0 ? changing : stable;
            if (keys.isEmpty()) {
                return;
            }
            int newest = keys.size() - 1;
            String key = keys.get(random.nextBoolean() ? newest : random.nextInt(newest + 1));
            long called = System.nanoTime();
            Answer answer = client.run(USE, key);
            history.answered(key, told(answer), called, System.nanoTime(), "use by " + client);
        }
    }

    private final class Reader extends Worker {
        Reader(LookupMiss proxy, long seed, int count, boolean mayChange) {
            super(proxy, seed, count, mayChange);
        }

        @Override
        void operate() {
            use();
        }
    }

    /** Writes keys that nobody else writes. */
    private final class Writer extends Worker {
        private final List<String> own = new ArrayList<>();
        private final List<Integer> values = new ArrayList<>();

        Writer(LookupMiss proxy, long seed, int count, boolean mayChange) {
            super(proxy, seed, count, mayChange);
        }

        @Override
        void operate() {
            int what = random.nextInt(10);
            if (what < 3) {
                use();
            } else if (what < 5 || !mayChange) {
                add();
            } else {
                change();
            }
        }

        /** A new key, which stays as it is: used by everybody from the moment of its call. */
        private void add() {
            int shard = random.nextInt(parents.size());
            String key = tenants().hashingElsewhere(shard);
            stable.add(key);
            write(key, History.ABSENT, shard);
        }

        private void change() {
            if (own.size() < CHANGING_KEYS_PER_WRITER) {
                String key = tenants().hashingTo(random.nextInt(parents.size()));
                own.add(key);
                values.add(History.ABSENT);
                changing.add(key);
            }
            int number = random.nextInt(own.size());
            int before = values.get(number);
            int value = before != History.ABSENT && random.nextInt(4) == 0
                    ? History.ABSENT
                    : random.nextInt(parents.size());
            if (write(own.get(number), before, value)) {
                values.set(number, value);
            }
        }

        /** Writes by itself, or in a transaction that uses what it has written; true when that was committed. */
        private boolean write(String key, int before, int value) {
            long called = System.nanoTime();
            int form = random.nextInt(4);
            if (form < 2) {
                statement(key, before, value);
                history.written(key, value, called, System.nanoTime(), "autocommit");
                return true;
            }
            client.run("BEGIN").ok();
            boolean undone = before != History.ABSENT && random.nextInt(3) == 0;
            boolean savepoint = random.nextBoolean();
            if (savepoint) {
                client.run("SAVEPOINT s").ok();
            }
            statement(key, before, value);
            boolean failed = value == History.ABSENT;
            if (!failed || savepoint) {
                assertThat(told(client.run(USE, key))).as("own write of " + key).isEqualTo(value);
            }
            if (failed && savepoint) {
                // What it has been told has failed its transaction: the write is made again.
                client.run("ROLLBACK TO s").ok();
                assertThat(told(client.run(USE, key))).as("after ROLLBACK TO").isEqualTo(before);
                statement(key, before, value);
            }
            client.run(undone ? "ROLLBACK" : "COMMIT").ok();
            if (!undone) {
                history.written(key, value, called, System.nanoTime(), "transaction");
            }
            return !undone;
        }

        private void statement(String key, int before, int value) {
            if (value == History.ABSENT) {
                client.run("DELETE FROM tenants WHERE id = $1", key).ok();
            } else if (before == History.ABSENT) {
                client.run("INSERT INTO tenants (id, parent_tenant_id) VALUES ($1, $2)", key, parents.get(value))
                        .ok();
            } else if (random.nextBoolean()) {
                client.run("UPDATE tenants SET parent_tenant_id = $2 WHERE id = $1", key, parents.get(value))
                        .ok();
            } else {
                client.run(
                                "INSERT INTO tenants (id, parent_tenant_id) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE"
                                        + " SET parent_tenant_id = EXCLUDED.parent_tenant_id",
                                key,
                                parents.get(value))
                        .ok();
            }
        }
    }
}
