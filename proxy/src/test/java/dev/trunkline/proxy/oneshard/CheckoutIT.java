package dev.trunkline.proxy.oneshard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import dev.trunkline.proxy.fixture.WithProxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Many clients, few connections: all are served in their turn, a wait ends in time, the server never sees more. */
@Shards(1)
@WithProxy(general = {"checkout_timeout", "300"})
class CheckoutIT {

    private final PgShards shards;
    private final TestProxy proxy;

    CheckoutIT(PgShards shards, TestProxy proxy) {
        this.shards = shards;
        this.proxy = proxy;
    }

    @Test
    void endsAWaitThatTakesTooLong() {
        try (WireClient holder = proxy.login();
                WireClient simple = proxy.login();
                WireClient extended = proxy.login()) {
            holder.query("BEGIN").expect("C BEGIN", "Z T");
            simple.query("SELECT 1").push();
            extended.parse("", "SELECT 1").bind("", "").execute("").sync().push();
            simple.expect("E 53300", "Z I");
            extended.expect("E 53300", "Z I");
            holder.query("COMMIT").expect("C COMMIT", "Z I");
            simple.query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z I");
            extended.parse("", "SELECT 2").bind("", "").execute("").sync().expect("1", "2", "D 2", "C SELECT 1", "Z I");
        }
    }

    @Test
    void servesTenClientsOfTwoLoopsOverOneConnection() throws Exception {
        serve(1, 10, 40);
    }

    @Test
    void servesTenClientsOfTwoLoopsOverThreeConnections() throws Exception {
        serve(3, 10, 40);
    }

    /** Transactions of three statements by several clients at once, each of which must see its own values alone. */
    private void serve(int connections, int clients, int transactions) throws Exception {
        int others = serverConnections();
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        try (TestProxy shared = TestProxy.over(shards)
                .user("pool_size", connections)
                .general("checkout_timeout", 5_000)
                .start()) {
            List<Future<?>> running = new ArrayList<>();
            for (int client = 0; client < clients; client++) {
                int id = client;
                running.add(threads.submit(() -> work(shared, id, transactions)));
            }
            int most = 0;
            for (Future<?> each : running) {
                while (!isDone(each)) {
                    most = Math.max(most, serverConnections() - others);
                }
            }
            assertThat(most).isBetween(1, connections);
            assertThat(shared.leased() + shared.waiting()).isZero();
        } finally {
            threads.shutdownNow();
        }
    }

    private static boolean isDone(Future<?> future) throws ExecutionException, InterruptedException {
        try {
            future.get(20, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    private int serverConnections() {
        return Integer.parseInt(String.valueOf(shards.queryOne(
                0,
                "SELECT count(*) FROM pg_stat_activity WHERE usename = 'app' AND datname = current_database()"
                        + " AND application_name <> 'harness'")));
    }

    private static void work(TestProxy shared, int id, int transactions) {
        try (WireClient client = shared.login()) {
            client.simple("SET application_name = 'client " + id + "'").ok();
            for (int i = 0; i < transactions; i++) {
                client.query("BEGIN").expect("C BEGIN", "Z T");
                assertThat(client.simple("SHOW application_name").ok().value()).isEqualTo("client " + id);
                client.parse("", "SELECT $1::int * 1000 + $2::int")
                        .bind("", "", id, i)
                        .execute("")
                        .sync()
                        .expect("1", "2", "D " + (id * 1000 + i), "C SELECT 1", "Z T");
                client.query("COMMIT").expect("C COMMIT", "Z I");
            }
        }
    }

    @Test
    void aClientThatVanishesWhileItWaitsLeavesTheLine() {
        try (WireClient holder = proxy.login();
                WireClient last = proxy.login()) {
            holder.query("BEGIN").expect("C BEGIN", "Z T");
            WireClient waiter = proxy.login();
            waiter.query("SELECT 'gone'").push();
            TestProxy.await("it waits", () -> proxy.waiting() == 1);
            last.query("SELECT 1").push();
            TestProxy.await("both wait", () -> proxy.waiting() == 2);
            waiter.reset();
            TestProxy.await("it has left the line", () -> proxy.waiting() == 1);
            holder.query("COMMIT").expect("C COMMIT", "Z I");
            last.expect("T", "D 1", "C SELECT 1", "Z I");
        }
    }
}
