package dev.trunkline.proxy.oneshard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.fault.TcpRelay;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import dev.trunkline.proxy.fixture.WithProxy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A CancelRequest ends what its client is doing, wherever that is, and never anything of another client. */
@Shards(1)
@WithProxy
class CancelIT {

    private final PgShards shards;
    private final TestProxy proxy;

    CancelIT(PgShards shards, TestProxy proxy) {
        this.shards = shards;
        this.proxy = proxy;
    }

    private void awaitActive(String what) {
        TestProxy.await(
                what + " runs",
                () -> "1"
                        .equals(shards.queryOne(
                                0,
                                "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%" + what
                                        + "%' AND pid <> pg_backend_pid()")));
    }

    @Test
    void endsARunningStatement() {
        try (WireClient client = proxy.login()) {
            client.query("SELECT pg_sleep(30), 'simple'").push();
            awaitActive("simple");
            client.cancel();
            client.expect("T", "E 57014", "Z I");
            client.query("BEGIN").expect("C BEGIN", "Z T");
            client.parse("", "SELECT pg_sleep(30), 'extended'")
                    .bind("", "")
                    .execute("")
                    .sync()
                    .push();
            awaitActive("extended");
            client.cancel();
            client.expect("1", "2", "E 57014", "Z E");
            client.query("ROLLBACK").expect("C ROLLBACK", "Z I");
        }
    }

    @Test
    void endsOnlyTheStatementThatRunsInAPipeline() {
        try (WireClient client = proxy.login()) {
            client.query("SELECT pg_sleep(30), 'first'")
                    .query("SELECT 'second'")
                    .push();
            awaitActive("first");
            client.cancel();
            client.expect("T", "E 57014", "Z I", "T", "D second", "C SELECT 1", "Z I");
        }
    }

    @Test
    void endsTheWaitForAConnection() {
        try (WireClient holder = proxy.login();
                WireClient waiter = proxy.login()) {
            holder.query("BEGIN").expect("C BEGIN", "Z T");
            waiter.query("SELECT 'never runs'").push();
            TestProxy.await("it waits", () -> proxy.waiting() == 1);
            waiter.cancel();
            waiter.expect("E 57014", "Z I");
            assertThat(proxy.waiting()).isZero();
            waiter.parse("", "SELECT 'never runs'")
                    .bind("", "")
                    .execute("")
                    .sync()
                    .query("SELECT 2")
                    .push();
            TestProxy.await("it waits", () -> proxy.waiting() == 1);
            waiter.cancel();
            waiter.expect("E 57014", "Z I");
            TestProxy.await("the next statement waits", () -> proxy.waiting() == 1);
            holder.query("COMMIT").expect("C COMMIT", "Z I");
            waiter.expect("T", "D 2", "C SELECT 1", "Z I");
        }
        assertThat(shards.queryOne(
                        0,
                        "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%never%' AND pid <> pg_backend_pid()"))
                .isEqualTo("0");
    }

    @Test
    void doesNothingToAClientAtRest() {
        try (WireClient client = proxy.login()) {
            client.cancel();
            client.query("BEGIN").expect("C BEGIN", "Z T");
            client.cancel();
            client.query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z T");
            client.query("COMMIT").expect("C COMMIT", "Z I");
            client.cancel();
            client.query("SELECT 2").expect("T", "D 2", "C SELECT 1", "Z I");
        }
    }

    /** The cancel travels slowly; meanwhile its statement ends by itself, and another client wants the connection. */
    @Test
    void neverHitsTheNextClient() throws InterruptedException {
        try (TcpRelay relay = TcpRelay.to("127.0.0.1", shards.port(0));
                TestProxy slow = TestProxy.over(relay.port(), shards.database()).start();
                WireClient canceller = slow.login();
                WireClient victim = slow.login()) {
            canceller.simple("SELECT 1").ok();
            relay.delay(dev.trunkline.harness.fault.Direction.TO_SERVER, Duration.ofMillis(5));
            int cancelled = 0;
            for (int round = 0; round < 60; round++) {
                canceller.query("SELECT pg_sleep(0.0" + round % 4 + ")").push();
                Thread cancel = new Thread(canceller::cancel);
                cancel.start();
                for (int i = 0; i < 3; i++) {
                    victim.query("SELECT " + i).expect("T", "D " + i, "C SELECT 1", "Z I");
                }
                if (canceller.answer().sqlState() != null) {
                    cancelled++;
                }
                cancel.join();
            }
            assertThat(cancelled).isPositive();
            canceller.close();
            victim.close();
        }
    }
}
