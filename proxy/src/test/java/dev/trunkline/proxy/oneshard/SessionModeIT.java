package dev.trunkline.proxy.oneshard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import dev.trunkline.proxy.fixture.WithProxy;
import org.junit.jupiter.api.Test;

/** In session mode a client has its server connection to itself, from its first statement until it leaves. */
@Shards(1)
@WithProxy(
        poolSize = 2,
        mode = "session",
        general = {"checkout_timeout", "300"})
class SessionModeIT {

    private final PgShards shards;
    private final TestProxy proxy;

    SessionModeIT(PgShards shards, TestProxy proxy) {
        this.shards = shards;
        this.proxy = proxy;
    }

    private static String pid(WireClient client) {
        return String.valueOf(client.simple("SELECT pg_backend_pid()").ok().value());
    }

    @Test
    void keepsItsConnectionUntilItLeaves() {
        try (WireClient one = proxy.login();
                WireClient two = proxy.login();
                WireClient three = proxy.login()) {
            assertThat(proxy.leased()).as("nobody has said anything yet").isZero();
            String pid = pid(one);
            assertThat(pid(two)).isNotEqualTo(pid);
            assertThat(pid(one)).isEqualTo(pid);
            three.query("SELECT 1").expect("E 53300", "Z I");
            one.terminate();
            TestProxy.await("there is room", () -> three.simple("SELECT 1").sqlState() == null);
            assertThat(pid(three)).isEqualTo(pid);
        }
    }

    @Test
    void everythingIsTheClientsOwnAndGoneAfterIt() {
        try (WireClient client = proxy.login()) {
            client.simple("SET work_mem = '8MB'; CREATE TEMP TABLE x AS SELECT 7 AS a; LISTEN news")
                    .ok();
            client.simple("PREPARE p AS SELECT 8; SELECT pg_advisory_lock(44)").ok();
            client.parse("s", "SELECT 9").sync().expect("1", "Z I");
            assertThat(client.simple("EXECUTE s").value())
                    .as("by the client's own name")
                    .isEqualTo("9");
            assertThat(client.simple("EXECUTE p").value()).isEqualTo("8");
            assertThat(client.simple("SELECT a FROM x").value()).isEqualTo("7");
            client.simple("NOTIFY news").ok();
            client.simple("DEALLOCATE s").ok();
            client.bind("", "s").sync().expect("E 26000", "Z I");
            client.terminate();
        }
        TestProxy.await("the connection is free", () -> proxy.leased() == 0);
        try (WireClient next = proxy.login()) {
            assertThat(next.simple("SHOW work_mem").value()).isEqualTo("4MB");
            assertThat(next.simple("SELECT 1 FROM x").sqlState()).isEqualTo("42P01");
            assertThat(next.simple("EXECUTE p").sqlState()).isEqualTo("26000");
            assertThat(next.simple("SELECT count(*) FROM pg_prepared_statements")
                            .value())
                    .isEqualTo("0");
            assertThat(next.simple("SELECT pg_try_advisory_lock(44)").value()).isEqualTo("t");
        }
    }

    @Test
    void statementsCloseAndComeAgain() {
        try (WireClient client = proxy.login()) {
            client.parse("s", "SELECT 1").sync().expect("1", "Z I");
            client.closeStatement("s")
                    .parse("s", "SELECT 2")
                    .bind("", "s")
                    .execute("")
                    .sync();
            client.expect("3", "1", "2", "D 2", "C SELECT 1", "Z I");
            client.parse("s", "SELECT 3").sync().expect("E 42P05", "Z I");
            client.simple("DISCARD ALL").ok();
            client.parse("s", "SELECT 4").bind("", "s").execute("").sync();
            client.expect("1", "2", "D 4", "C SELECT 1", "Z I");
        }
    }

    @Test
    void endsWithItsConnection() {
        try (WireClient client = proxy.login()) {
            String pid = pid(client);
            shards.execute(0, "SELECT pg_terminate_backend(" + pid + ")");
            client.expect("E *").expectClosed();
        }
        TestProxy.await("nothing is left", () -> proxy.leftovers().isEmpty());
    }
}
