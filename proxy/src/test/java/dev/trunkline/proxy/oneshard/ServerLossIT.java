package dev.trunkline.proxy.oneshard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.fault.CloseMidRow;
import dev.trunkline.harness.fault.Cut;
import dev.trunkline.harness.fault.Fail;
import dev.trunkline.harness.fault.FakeServer;
import dev.trunkline.harness.fault.GarbageFrame;
import dev.trunkline.harness.fault.RefuseLogin;
import dev.trunkline.harness.fault.Scripted;
import dev.trunkline.harness.fault.TcpRelay;
import dev.trunkline.harness.pg.PgCluster;
import dev.trunkline.harness.pg.PgServer;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import dev.trunkline.proxy.fixture.WithProxy;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server connection is lost: its client is told once and goes on, what was open has failed, nobody else notices. */
@Shards(1)
@WithProxy
class ServerLossIT {

    private final PgShards shards;
    private final TestProxy proxy;

    ServerLossIT(PgShards shards, TestProxy proxy) {
        this.shards = shards;
        this.proxy = proxy;
    }

    private static void assertWorks(WireClient client) {
        client.query("SELECT 'works'").expect("T", "D works", "C SELECT 1", "Z I");
        client.parse("", "SELECT $1::int")
                .bind("", "", 7)
                .execute("")
                .sync()
                .expect("1", "2", "D 7", "C SELECT 1", "Z I");
    }

    /** Ends the one pooled connection as a crash of its process would look from here, or by order of an administrator. */
    private void endBackend() {
        shards.execute(
                0,
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app' AND datname = current_database()");
    }

    @Test
    void anIdleConnectionIsReplacedInSilence() {
        try (WireClient client = proxy.login()) {
            for (int i = 0; i < 3; i++) {
                assertWorks(client);
                endBackend();
                TestProxy.await("the pool has noticed", () -> proxy.idle() == 0);
            }
            assertWorks(client);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"simple", "extended"})
    void aStatementUnderWayFailsOnce(String protocol) {
        try (WireClient client = proxy.login()) {
            if (protocol.equals("simple")) {
                client.query("SELECT 1, pg_sleep(30)").push();
            } else {
                client.parse("", "SELECT 1, pg_sleep(30)")
                        .bind("", "")
                        .describe("")
                        .execute("")
                        .sync()
                        .push();
            }
            awaitSleep();
            endBackend();
            if (protocol.equals("simple")) {
                client.expect("T", "E 57P01", "Z I");
            } else {
                client.expect("1", "2", "T", "E 57P01", "Z I");
            }
            assertWorks(client);
        }
    }

    private void awaitSleep() {
        TestProxy.await(
                "the statement runs",
                () -> "1"
                        .equals(shards.queryOne(
                                0, "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")));
    }

    @Test
    void everyPipelinedRequestIsAnswered() {
        try (WireClient client = proxy.login()) {
            client.query("SELECT 1, pg_sleep(30)").query("SELECT 2");
            client.parse("", "SELECT 3").bind("", "").execute("").sync();
            client.parse("", "SELECT 4").bind("", "").execute("").push();
            awaitSleep();
            endBackend();
            client.expect("T", "E 57P01", "Z I", "E 08006", "Z I", "E 08006", "Z I");
            // The batch without a Sync is lost too: it must not look as if it had succeeded.
            client.sync().expect("E 08006", "Z I");
            assertWorks(client);
        }
    }

    @Test
    void aBlockStaysFailedUntilTheClientEndsIt() {
        try (WireClient client = proxy.login()) {
            client.query("BEGIN").expect("C BEGIN", "Z T");
            client.query("SELECT pg_sleep(30)").push();
            awaitSleep();
            endBackend();
            client.expect("T", "E 57P01", "Z E");
            client.query("SELECT 1").expect("E 25P02", "Z E");
            client.parse("", "SELECT 1").bind("", "").execute("").sync().expect("E 25P02", "Z E");
            client.query("ROLLBACK TO s").expect("E *", "Z E");
            client.query("ROLLBACK").expect("C ROLLBACK", "Z I");
            assertWorks(client);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"simple", "extended"})
    void aBlockAtRestIsToldOfItsLossAtTheNextStatement(String protocol) {
        try (WireClient client = proxy.login()) {
            client.query("BEGIN").expect("C BEGIN", "Z T");
            client.simple("SELECT 1").ok();
            endBackend();
            TestProxy.await("the session has noticed", () -> proxy.leased() == 0);
            if (protocol.equals("simple")) {
                var first = client.simple("SELECT 1");
                assertThat(first.sqlState()).isEqualTo("08006");
                assertThat(first.field('D')).contains("57P01");
                client.parse("", "SELECT 1").sync().expect("E 25P02", "Z E");
                client.query("COMMIT").expect("C ROLLBACK", "Z I");
            } else {
                client.parse("", "SELECT 1").bind("", "").execute("").sync().expect("E 08006", "Z E");
                client.parse("", "SELECT 1").bind("", "").execute("").sync().expect("E 25P02", "Z E");
                client.parse("", "ROLLBACK").bind("", "").execute("").sync().expect("1", "2", "C ROLLBACK", "Z I");
            }
            assertWorks(client);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"simple", "extended"})
    void aCommitOfALostBlockIsAnError(String protocol) {
        try (WireClient client = proxy.login()) {
            client.query("BEGIN").expect("C BEGIN", "Z T");
            client.simple("SELECT 1").ok();
            endBackend();
            TestProxy.await("the session has noticed", () -> proxy.leased() == 0);
            if (protocol.equals("simple")) {
                client.query("COMMIT").expect("E 08006", "Z I");
            } else {
                client.parse("", "COMMIT").bind("", "").execute("").sync().expect("1", "2", "E 08006", "Z I");
            }
            assertWorks(client);
        }
    }

    @Test
    void aRollbackOfALostBlockIsJustThat() {
        try (WireClient client = proxy.login()) {
            client.query("BEGIN").expect("C BEGIN", "Z T");
            client.simple("SET work_mem = '8MB'").ok();
            endBackend();
            TestProxy.await("the session has noticed", () -> proxy.leased() == 0);
            client.query("ROLLBACK").expect("C ROLLBACK", "Z I");
            assertThat(client.simple("SHOW work_mem").value()).isEqualTo("4MB");
        }
    }

    @Test
    void aCopyUnderWayFails() {
        shards.execute(0, "CREATE TABLE IF NOT EXISTS c (a int); GRANT ALL ON c TO PUBLIC");
        try (WireClient client = proxy.login()) {
            client.query("COPY c FROM STDIN").expect("G");
            endBackend();
            client.expect("E *", "Z I");
            client.send(Frontend.copyData("1\n"), Frontend.copyDone());
            assertWorks(client);
        }
    }

    @Test
    void aCutConnectionIsNoted() {
        try (TcpRelay relay = TcpRelay.to("127.0.0.1", shards.port(0));
                TestProxy cut = TestProxy.over(relay.port(), shards.database()).start();
                WireClient client = cut.login()) {
            assertWorks(client);
            // The server itself will notice when the statement ends.
            client.query("SELECT pg_sleep(1)").push();
            awaitSleep();
            relay.cutAll(Cut.RST);
            client.expect("E 08006", "Z I");
            assertWorks(client);
            client.query("BEGIN").expect("C BEGIN", "Z T");
            relay.cutAll(Cut.FIN);
            TestProxy.await("the session has noticed", () -> cut.leased() == 0);
            client.query("SELECT 1").expect("E 08006", "Z E");
            client.query("ROLLBACK").expect("C ROLLBACK", "Z I");
            assertWorks(client);
            client.close();
        }
    }

    @Test
    void halfARowEndsTheClientForNothingCanFollowIt() {
        try (FakeServer server = FakeServer.start(new Scripted().on("half", new CloseMidRow()));
                TestProxy half = TestProxy.over(server.port(), "x").start();
                WireClient client = half.login()) {
            client.query("SELECT half").push();
            byte[] all = client.readToEnd().bytes();
            assertThat(new String(all, java.nio.charset.StandardCharsets.ISO_8859_1))
                    .doesNotContain("ERROR");
            TestProxy.await("nothing is left", () -> half.leftovers().isEmpty());
        }
    }

    @Test
    void garbageFromAServerIsItsLossAlone() {
        try (FakeServer server = FakeServer.start(new Scripted().on("garbage", new GarbageFrame()));
                TestProxy fake = TestProxy.over(server.port(), "x").start();
                WireClient client = fake.login()) {
            client.query("SELECT garbage");
            assertThat(client.answer().sqlState()).isEqualTo("08006");
            client.query("SELECT 1");
            assertThat(client.answer().sqlState()).isNull();
        }
    }

    @Test
    void aServerThatIsDownIsAnErrorInTime() {
        try (PgCluster cluster = PgCluster.start(1);
                TestProxy down =
                        TestProxy.over(cluster.server(0).port(), "postgres").start();
                WireClient client = down.login()) {
            PgServer server = cluster.server(0);
            assertWorks(client);
            server.kill9();
            TestProxy.await("the pool has noticed", () -> down.idle() == 0);
            client.query("SELECT 1").expect("E 08001", "Z I");
            client.parse("", "SELECT 1").bind("", "").execute("").sync().expect("E 08001", "Z I");
            // A client that logs in as one did before needs no server yet.
            try (WireClient known = down.login()) {
                known.query("SELECT 1").expect("E 08001", "Z I");
            }
            try (WireClient unknown = down.connect()) {
                Frame answer = unknown.authenticate(
                        Map.of("user", PgShards.APP, "database", TestProxy.DATABASE, "DateStyle", "German"), "");
                assertThat(answer).hasToString("R 0");
                unknown.expect("E 08001").expectClosed();
            }
            server.start();
            TestProxy.await(
                    "it is served again", () -> client.simple("SELECT 1").sqlState() == null);
            client.query("BEGIN").expect("C BEGIN", "Z T");
            client.simple("SELECT 1").ok();
            server.stopFast();
            server.start();
            TestProxy.await("the session has noticed", () -> down.leased() == 0);
            client.query("SELECT 1").expect("E 08006", "Z E");
            client.query("ROLLBACK").expect("C ROLLBACK", "Z I");
            assertWorks(client);
        }
    }

    @Test
    void aServerThatIsSilentIsAnErrorInTime() {
        try (FakeServer server = FakeServer.start(new dev.trunkline.harness.fault.AcceptThenNeverAnswer());
                TestProxy silent = TestProxy.over(server.port(), "x")
                        .general("connect_timeout", 300)
                        .start();
                WireClient client = silent.connect()) {
            client.send(Frontend.startup(
                    Frontend.PROTOCOL_3_0, Map.of("user", PgShards.APP, "database", TestProxy.DATABASE)));
            client.expect("R 0", "E 08001").expectClosed();
        }
    }

    @Test
    void aServerThatRefusesIsQuoted() {
        try (FakeServer server = FakeServer.start(new RefuseLogin("53300", "no more connections"));
                TestProxy refused = TestProxy.over(server.port(), "x").start();
                WireClient client = refused.connect()) {
            client.send(Frontend.startup(
                    Frontend.PROTOCOL_3_0, Map.of("user", PgShards.APP, "database", TestProxy.DATABASE)));
            client.expect("R 0", "E 08001").expectClosed();
        }
    }

    @Test
    void anErrorThatEndsTheServersSessionIsAnErrorHere() {
        try (FakeServer server =
                        FakeServer.start(new Scripted().on("fatal", new Fail("FATAL", "57P01", "shutting down")));
                TestProxy fake = TestProxy.over(server.port(), "x").start();
                WireClient client = fake.login()) {
            client.query("SELECT fatal");
            var answer = client.answer();
            assertThat(answer.sqlState()).isEqualTo("57P01");
            assertThat(answer.field('S')).isEqualTo("ERROR");
            assertThat(answer.field('V')).isEqualTo("ERROR");
            client.query("SELECT 1");
            assertThat(client.answer().sqlState()).isNull();
        }
    }

    @Test
    void aFrozenServerHoldsUpItsOwnClientsOnly() {
        try (TcpRelay relay = TcpRelay.to("127.0.0.1", shards.port(0));
                TestProxy frozen = TestProxy.over(relay.port(), shards.database())
                        .general("checkout_timeout", 300)
                        .start();
                WireClient first = frozen.login();
                WireClient second = frozen.login()) {
            first.simple("SELECT 1").ok();
            relay.freeze(dev.trunkline.harness.fault.Direction.TO_CLIENT);
            first.query("SELECT 'late'").push();
            second.query("SELECT 1").expect("E 53300", "Z I");
            relay.thaw(dev.trunkline.harness.fault.Direction.TO_CLIENT);
            first.expect("T", "D late", "C SELECT 1", "Z I");
            second.query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z I");
            first.expectSilence(Duration.ofMillis(20));
        }
    }
}
