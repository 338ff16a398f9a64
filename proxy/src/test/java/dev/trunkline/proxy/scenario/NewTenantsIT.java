package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.harness.wire.Answer;
import dev.trunkline.harness.wire.WireClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * New tenants all the time, as fast as the machine lets them come, while others are at work: nobody gets an error, the map
 * is never read anew, and the new rows are found by a number of queries that time alone bounds.
 */
class NewTenantsIT extends Scenario {

    private static final String PASSWORD = "secret";
    private static final boolean FULL = rounds(1) > 1;
    private static final int READERS = 20;
    private static final int WRITERS = 4;
    private static final int PER_SECOND = FULL ? 1_000 : 200;
    private static final int SECONDS = FULL ? 20 : 4;
    private static final long PROBE_INTERVAL_MILLIS = 10;
    private static final String COUNT = "SELECT count(*) FROM orders WHERE tenant_id = $1";

    private final List<String> written = new ArrayList<>();
    private final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
    private final AtomicInteger number = new AtomicInteger();
    private final AtomicLong reads = new AtomicLong();

    @Override
    void prepare(Deployment deployment) {
        deployment.admin(PASSWORD);
    }

    @Override
    Map<String, Object> settings(LookupMiss miss) {
        return Map.of("lookup_miss", "probe", "lookup_keep_on_insert", true, "default_pool_size", 20);
    }

    private static long shown(WireClient admin, String column) {
        return Long.parseLong(String.valueOf(admin.simple("SHOW LOOKUPS " + column + " WHERE lookup = 'tenants'")
                .ok()
                .value()));
    }

    private synchronized void written(String tenant) {
        written.add(tenant);
    }

    /** One of the last that were written, most of the time. */
    private synchronized String any(Random random) {
        int newest = written.size() - 1;
        return written.get(
                random.nextInt(4) == 0
                        ? random.nextInt(newest + 1)
                        : newest - random.nextInt(Math.min(newest + 1, 50)));
    }

    @Test
    void newTenantsCostNoReloadAndNoErrorToAnybody() throws Exception {
        String root = tenants().root(1);
        client(Protocol.EXTENDED).run(COUNT, root).ok();
        written(root);
        List<Client> readers = clients(READERS);
        List<Client> writers = clients(WRITERS);
        try (WireClient admin = WireClient.login(proxy().host(), proxy().port(), "admin", "admin", PASSWORD)) {
            long loads = shown(admin, "loads");
            long generation = shown(admin, "generation");
            long probes = shown(admin, "probes");
            long begun = System.nanoTime();
            run(readers, writers, root, begun);
            long elapsedMillis = (System.nanoTime() - begun) / 1_000_000;
            System.out.printf(
                    "NewTenantsIT: %d tenants and %d reads in %d ms (%d and %d per second), %d probes%n",
                    written.size() - 1,
                    reads.get(),
                    elapsedMillis,
                    (written.size() - 1) * 1_000L / elapsedMillis,
                    reads.get() * 1_000 / elapsedMillis,
                    shown(admin, "probes") - probes);
            assertThat(faults).isEmpty();
            assertThat(shown(admin, "loads")).isEqualTo(loads);
            assertThat(shown(admin, "generation")).isEqualTo(generation);
            assertThat(shown(admin, "probes") - probes).isLessThanOrEqualTo(elapsedMillis / PROBE_INTERVAL_MILLIS + 2);
            assertThat(shown(admin, "wait_timeouts")).isZero();
            assertThat(written).hasSizeGreaterThan(SECONDS * PER_SECOND / 10);
        }
        // What was found on the way is what the table says.
        for (int i = 0; i < written.size(); i += 97) {
            assertThat(client(Protocol.SIMPLE)
                            .run("SELECT inet_server_port(), count(*) FROM orders WHERE tenant_id = $1", written.get(i))
                            .ok()
                            .rows()
                            .get(0)
                            .get(0))
                    .isEqualTo(String.valueOf(shards().port(1)));
        }
    }

    private List<Client> clients(int count) {
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            clients.add(client(Protocol.values()[i % Protocol.values().length]));
        }
        return clients;
    }

    private void run(List<Client> readers, List<Client> writers, String root, long begun) throws Exception {
        long end = begun + TimeUnit.SECONDS.toNanos(SECONDS);
        ExecutorService threads = Executors.newFixedThreadPool(READERS + WRITERS);
        try {
            List<Future<?>> running = new ArrayList<>();
            writers.forEach(writer -> running.add(threads.submit(() -> write(writer, root, begun, end))));
            readers.forEach(reader -> running.add(threads.submit(() -> read(reader, end))));
            for (Future<?> each : running) {
                each.get(SECONDS + 60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void write(Client client, String root, long begun, long end) {
        for (int next = number.getAndIncrement(); System.nanoTime() < end; next = number.getAndIncrement()) {
            LockSupport.parkNanos(begun + next * (TimeUnit.SECONDS.toNanos(1) / PER_SECOND) - System.nanoTime());
            String tenant = "new " + next;
            if (succeeds(client.run("INSERT INTO tenants (id, parent_tenant_id) VALUES ($1, $2)", tenant, root))) {
                written(tenant);
            }
        }
    }

    private void read(Client client, long end) {
        Random random = new Random(client.hashCode());
        while (System.nanoTime() < end) {
            if (succeeds(client.run(COUNT, any(random)))) {
                reads.incrementAndGet();
            }
        }
    }

    private boolean succeeds(Answer answer) {
        if (answer.sqlState() == null) {
            return true;
        }
        faults.add(answer.sqlState() + " " + answer.message());
        return false;
    }
}
