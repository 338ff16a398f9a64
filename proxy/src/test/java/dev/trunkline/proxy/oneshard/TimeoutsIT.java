package dev.trunkline.proxy.oneshard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.fault.FakeServer;
import dev.trunkline.harness.fault.NeverAnswer;
import dev.trunkline.harness.fault.Scripted;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.Answer;
import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What takes too long is ended: a statement, a client that asks for nothing, a transaction left open. */
@Shards(1)
class TimeoutsIT {

    private static final int QUERY = 400;
    private static final int IDLE = 300;

    private final PgShards shards;
    private final List<AutoCloseable> toClose = new ArrayList<>();

    TimeoutsIT(PgShards shards) {
        this.shards = shards;
    }

    @BeforeEach
    void table() {
        shards.execute(0, "DROP TABLE IF EXISTS t; CREATE TABLE t (a text); GRANT ALL ON t TO PUBLIC");
    }

    @AfterEach
    void close() throws Exception {
        for (int i = toClose.size() - 1; i >= 0; i--) {
            toClose.get(i).close();
        }
    }

    private TestProxy start(TestProxy.Setup setup) {
        TestProxy proxy = setup.start();
        toClose.add(proxy);
        return proxy;
    }

    private WireClient login(TestProxy proxy) {
        WireClient client = proxy.login();
        toClose.add(client);
        return client;
    }

    private WireClient withQueryTimeout() {
        return login(start(TestProxy.over(shards).general("query_timeout", QUERY)));
    }

    private static void assertServed(WireClient client) {
        client.parse("", "SELECT $1::int").bind("", "", 7).execute("").sync();
        client.query("SELECT 8").expect("1", "2", "D 7", "C SELECT 1", "Z I", "T", "D 8", "C SELECT 1", "Z I");
    }

    // ---- query_timeout

    @ParameterizedTest
    @ValueSource(strings = {"simple", "extended"})
    void aStatementThatTakesTooLongIsCancelled(String protocol) {
        WireClient client = withQueryTimeout();
        for (int i = 0; i < 2; i++) {
            Answer answer = protocol.equals("simple")
                    ? client.simple("SELECT pg_sleep(30)")
                    : client.extended("SELECT pg_sleep(30)");
            assertThat(answer.sqlState()).isEqualTo("57014");
            assertThat(answer.message()).contains("query_timeout");
            assertThat(answer.status()).isEqualTo('I');
            assertServed(client);
        }
        assertThat(shards.queryOne(0, "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"))
                .isEqualTo("0");
    }

    @Test
    void aBlockWhoseStatementTakesTooLongHasFailed() {
        WireClient client = withQueryTimeout();
        client.query("BEGIN").expect("C BEGIN", "Z T");
        client.query("SELECT pg_sleep(30)").expect("T", "E 57014", "Z E");
        client.query("ROLLBACK").expect("C ROLLBACK", "Z I");
        assertServed(client);
    }

    @Test
    void aClientsOwnCancelIsNotPutDownToTheTimeout() {
        WireClient client = withQueryTimeout();
        client.query("SELECT pg_sleep(30)").push();
        TestProxy.await(
                "it runs",
                () -> "1"
                        .equals(shards.queryOne(
                                0, "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")));
        client.cancel();
        assertThat(client.answer().message()).contains("user request");
    }

    @Test
    void shortStatementsInALongPipelineAreNotCancelled() {
        WireClient client = withQueryTimeout();
        for (int i = 0; i < 12; i++) {
            client.query("SELECT 1 FROM pg_sleep(0.08)");
        }
        for (int i = 0; i < 12; i++) {
            client.expect("T", "D 1", "C SELECT 1", "Z I");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"simple", "extended"})
    void aCopyThatTheClientDoesNotGoOnWithIsEnded(String protocol) {
        WireClient client = withQueryTimeout();
        if (protocol.equals("simple")) {
            client.query("COPY t FROM STDIN").expect("G");
            client.send(Frontend.copyData("a\n")).expect("E 57014", "Z I");
            client.send(Frontend.copyData("b\n"), Frontend.copyDone());
        } else {
            client.parse("", "COPY t FROM STDIN").bind("", "").execute("").sync();
            client.expect("1", "2", "G").send(Frontend.copyData("a\n")).expect("E 57014");
            client.send(Frontend.copyData("b\n"), Frontend.copyDone()).sync().expect("Z I");
        }
        assertServed(client);
        assertThat(shards.queryOne(0, "SELECT count(*) FROM t")).isEqualTo("0");
    }

    @Test
    void theWaitForAConnectionCounts() {
        TestProxy proxy = start(TestProxy.over(shards).general("query_timeout", QUERY));
        WireClient holder = login(proxy);
        WireClient client = login(proxy);
        holder.query("BEGIN").expect("C BEGIN", "Z T");
        Answer answer = client.simple("SELECT 1");
        assertThat(answer.sqlState()).isEqualTo("57014");
        assertThat(answer.message()).contains("query_timeout");
        assertThat(client.extended("SELECT 1").sqlState()).isEqualTo("57014");
        holder.query("ROLLBACK").expect("C ROLLBACK", "Z I");
        assertServed(client);
    }

    @Test
    void aBatchThatWaitsForItsClientIsNotCancelled() {
        WireClient client = withQueryTimeout();
        client.parse("", "SELECT 1").bind("", "").execute("").push();
        // The server holds its answers back until it is asked for them, as the timeout does.
        client.expect("1", "2", "D 1", "C SELECT 1").expectSilence(Duration.ofMillis(3 * QUERY));
        client.sync().expect("Z I");
        assertServed(client);
    }

    @Test
    void aServerThatDoesNotHearTheCancelLosesTheConnection() {
        try (FakeServer server = FakeServer.start(new Scripted().on("hang", new NeverAnswer()));
                TestProxy proxy = TestProxy.over(server.port(), "fake")
                        .general("query_timeout", QUERY)
                        .general("rollback_timeout", 200)
                        .start();
                WireClient client = proxy.login()) {
            client.query("hang").expect("E 08006", "Z I");
            client.query("fine").expect("C FINE", "Z I");
        }
    }

    // ---- idle clients

    @Test
    void anIdleClientIsSentAway() {
        TestProxy proxy = start(TestProxy.over(shards).general("client_idle_timeout", IDLE));
        WireClient idle = login(proxy);
        WireClient busy = login(proxy);
        busy.query("SELECT 1 FROM pg_sleep(1)").expect("T", "D 1", "C SELECT 1", "Z I");
        busy.query("SELECT 2").expect("T", "D 2", "C SELECT 1", "Z I");
        idle.expect("E 57P05").expectClosed();
        busy.query("BEGIN").expect("C BEGIN", "Z T");
        busy.expectSilence(Duration.ofMillis(3 * IDLE));
        busy.query("COMMIT").expect("C COMMIT", "Z I").expect("E 57P05").expectClosed();
    }

    @Test
    void aTransactionLeftOpenIsRolledBack() {
        TestProxy proxy = start(TestProxy.over(shards).general("client_idle_in_transaction_timeout", IDLE));
        WireClient holder = login(proxy);
        holder.query("BEGIN").expect("C BEGIN", "Z T");
        holder.query("INSERT INTO t SELECT '' FROM pg_sleep(1)").expect("C INSERT 0 1", "Z T");
        holder.expect("E 25P03").expectClosed();
        WireClient next = login(proxy);
        assertServed(next);
        next.expectSilence(Duration.ofMillis(3 * IDLE));
        assertThat(shards.queryOne(0, "SELECT count(*) FROM t")).isEqualTo("0");
    }

    @Test
    void aBatchWithoutItsSyncCountsAsATransactionLeftOpen() {
        TestProxy proxy = start(TestProxy.over(shards)
                .general("query_timeout", QUERY)
                .general("client_idle_in_transaction_timeout", IDLE));
        WireClient holder = login(proxy);
        holder.parse("", "INSERT INTO t VALUES ('')").bind("", "").execute("").flush();
        holder.expect("1", "2", "C INSERT 0 1").expect("E 25P03").expectClosed();
        assertServed(login(proxy));
        assertThat(shards.queryOne(0, "SELECT count(*) FROM t")).isEqualTo("0");
    }
}
