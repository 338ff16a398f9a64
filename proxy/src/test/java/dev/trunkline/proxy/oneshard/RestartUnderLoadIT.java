package dev.trunkline.proxy.oneshard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.pg.PgCluster;
import dev.trunkline.harness.pg.PgServer;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.Answer;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

/**
 * A server goes down and comes back, in order and by a crash, while many clients share few connections to it: no
 * client loses its session, what was said to be stored is, and all are served again.
 */
class RestartUnderLoadIT {

    private static final int CLIENTS = 20;
    private static final int POOL = 4;

    private final AtomicIntegerArray stored = new AtomicIntegerArray(CLIENTS);
    private final AtomicInteger unknown = new AtomicInteger();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private volatile boolean over;

    @Test
    void nobodyIsLeftBehind() throws InterruptedException {
        try (PgCluster cluster = PgCluster.start(1)) {
            PgServer server = cluster.server(0);
            PgShards shards = cluster.shards(1);
            shards.execute(0, "CREATE TABLE restarted (client int, n int); GRANT ALL ON restarted TO PUBLIC");
            try (TestProxy proxy = TestProxy.over(server.port(), shards.database())
                    .user("pool_size", POOL)
                    .start()) {
                List<Thread> threads = new ArrayList<>();
                List<WireClient> clients = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    int id = i;
                    WireClient client = proxy.login();
                    clients.add(client);
                    Thread thread = new Thread(() -> work(client, id));
                    threads.add(thread);
                    thread.start();
                }
                awaitProgress();
                server.restart();
                awaitProgress();
                server.kill9();
                server.start();
                awaitProgress();
                server.stopFast();
                server.start();
                awaitProgress();
                over = true;
                for (Thread thread : threads) {
                    thread.join(20_000);
                    assertThat(thread.isAlive()).isFalse();
                }
                assertThat(wrong).isEmpty();
                clients.forEach(WireClient::close);
                TestProxy.await("nothing is left", () -> proxy.leftovers().isEmpty());
                assertThat(proxy.idle()).isLessThanOrEqualTo(POOL);
            }
            int acknowledged = 0;
            for (int i = 0; i < CLIENTS; i++) {
                acknowledged += stored.get(i);
            }
            assertThat(Integer.parseInt(String.valueOf(shards.queryOne(0, "SELECT count(*) FROM restarted"))))
                    .isBetween(acknowledged, acknowledged + unknown.get());
        }
    }

    /** Each client has stored something more. */
    private void awaitProgress() {
        int[] before = new int[CLIENTS];
        for (int i = 0; i < CLIENTS; i++) {
            before[i] = stored.get(i);
        }
        TestProxy.await("every client is served: " + wrong, () -> {
            for (int i = 0; i < CLIENTS; i++) {
                if (stored.get(i) < before[i] + 3) {
                    return false;
                }
            }
            return true;
        });
    }

    private void work(WireClient client, int id) {
        try {
            for (int n = 0; !over; n++) {
                if (id % 2 == 0) {
                    block(client, id, n);
                } else {
                    Answer answer = client.extended("INSERT INTO restarted VALUES ($1::int, $2::int)", id, n);
                    note(answer, id, answer.sqlState() == null);
                }
            }
        } catch (AssertionError e) {
            wrong.add("client " + id + ": " + e.getMessage());
        }
    }

    private void block(WireClient client, int id, int n) {
        if (client.simple("BEGIN").sqlState() != null) {
            return;
        }
        Answer insert = client.simple("INSERT INTO restarted VALUES (" + id + ", " + n + ")");
        Answer end = client.simple("COMMIT");
        boolean committed = end.sqlState() == null && end.tags().equals(List.of("COMMIT"));
        if (committed && insert.sqlState() != null) {
            wrong.add("client " + id + " was told COMMIT of what had failed");
        }
        note(end, id, committed);
        if (end.status() != 'I') {
            client.simple("ROLLBACK").ok();
        }
    }

    private void note(Answer answer, int id, boolean isStored) {
        if (isStored) {
            stored.incrementAndGet(id);
        } else {
            // It may have been stored when its answer was lost.
            unknown.incrementAndGet();
        }
    }
}
