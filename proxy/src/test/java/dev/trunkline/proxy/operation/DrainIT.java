package dev.trunkline.proxy.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A proxy that stops lets every transaction come to its end within the time that it has. */
@Shards(1)
class DrainIT {

    private static final int CLIENTS = 20;

    private final PgShards shards;

    DrainIT(PgShards shards) {
        this.shards = shards;
    }

    @Test
    void cutsNoTransactionUnderLoad() {
        shards.execute(0, "CREATE TABLE drained (client int, n int); GRANT ALL ON drained TO PUBLIC");
        AtomicInteger committed = new AtomicInteger();
        AtomicInteger sentAway = new AtomicInteger();
        try (TestProxy proxy = TestProxy.over(shards)
                .user("pool_size", 4)
                .general("shutdown_timeout", 20_000)
                .start()) {
            List<CompletableFuture<Void>> load = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                int number = client;
                load.add(CompletableFuture.runAsync(() -> {
                    work(proxy, number, committed);
                    sentAway.incrementAndGet();
                }));
            }
            TestProxy.await("all work", () -> committed.get() > 3 * CLIENTS);
            Future<Void> drained = proxy.drain();
            load.forEach(CompletableFuture::join);
            assertThat(sentAway.get()).isEqualTo(CLIENTS);
            TestProxy.await("nobody is left", drained::succeeded);
        }
        assertThat(shards.queryOne(0, "SELECT count(*) FROM drained")).isEqualTo(String.valueOf(2 * committed.get()));
    }

    /** Until it is sent away, which must not be within a transaction. */
    private static void work(TestProxy proxy, int number, AtomicInteger committed) {
        try (WireClient client = proxy.login()) {
            while (true) {
                Frame begun = client.query("BEGIN").read();
                if (begun.type() == 'E') {
                    assertThat(begun.toString()).startsWith("E 57P01");
                    return;
                }
                client.expect("Z T");
                client.simple("INSERT INTO drained VALUES (" + number + ", 1)").ok();
                client.simple("SELECT pg_sleep(0.02)").ok();
                client.simple("INSERT INTO drained VALUES (" + number + ", 2)").ok();
                client.simple("COMMIT").ok();
                committed.incrementAndGet();
            }
        }
    }
}
