package dev.trunkline.proxy.oneshard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.fault.AcceptThenNeverAnswer;
import dev.trunkline.harness.fault.Cut;
import dev.trunkline.harness.fault.Direction;
import dev.trunkline.harness.fault.FakeServer;
import dev.trunkline.harness.fault.FakeSession;
import dev.trunkline.harness.fault.Scripted;
import dev.trunkline.harness.fault.TcpRelay;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import dev.trunkline.proxy.fixture.WithProxy;
import io.vertx.core.Future;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What has broken the pools of others, each under the name of its case; {@code docs/cases.md} lists them. */
@Shards(1)
@WithProxy
class PoolCasesIT {

    private static final String OTHERS =
            " FROM pg_stat_activity WHERE usename = '" + PgShards.APP + "' AND datname = current_database()";

    private final PgShards shards;
    private final TestProxy proxy;

    PoolCasesIT(PgShards shards, TestProxy proxy) {
        this.shards = shards;
        this.proxy = proxy;
    }

    @BeforeEach
    void table() {
        shards.execute(
                0,
                "DROP TABLE IF EXISTS p; CREATE TABLE p (a int PRIMARY KEY, b int);"
                        + "INSERT INTO p SELECT a, 0 FROM generate_series(1, 100) a; GRANT ALL ON p TO PUBLIC");
    }

    private static void assertServed(WireClient client) {
        client.query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z I");
    }

    private boolean sleeps() {
        return !"0".equals(shards.queryOne(0, "SELECT count(*)" + OTHERS + " AND wait_event = 'PgSleep'"));
    }

    // ---- more clients than connections

    private static final int POOL = 5;

    @Test
    @DisplayName("pl-collapse-over-capacity")
    void throughputStaysAtThePoolsMaximumHoweverManyClientsThereAre() throws InterruptedException {
        try (TestProxy full = TestProxy.over(shards).user("pool_size", POOL).start()) {
            Load alone = load(full, POOL);
            for (int clients : new int[] {POOL + 1, 3 * POOL, 10 * POOL}) {
                Load load = load(full, clients);
                assertThat(load.transactions)
                        .as(clients + " clients beside " + alone.transactions + " of " + POOL)
                        .isGreaterThan(alone.transactions * 6 / 10);
                assertThat(load.leastInAnInterval)
                        .as("no interval without progress")
                        .isPositive();
                assertThat(load.each.getMin())
                        .as("in their turn: " + load.each)
                        .isGreaterThanOrEqualTo(load.each.getMax() / 4);
            }
        }
    }

    private record Load(int transactions, int leastInAnInterval, IntSummaryStatistics each) {}

    /** Transactions that mostly wait, so that the pool is what limits them. */
    private Load load(TestProxy full, int clients) throws InterruptedException {
        long intervalNanos = Duration.ofMillis(300).toNanos();
        int intervals = 5;
        AtomicInteger[] progress = new AtomicInteger[intervals];
        Arrays.setAll(progress, interval -> new AtomicInteger());
        int[] done = new int[clients];
        List<Thread> threads = new ArrayList<>();
        List<WireClient> connections = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            connections.add(full.login());
        }
        long start = System.nanoTime();
        for (int i = 0; i < clients; i++) {
            int id = i;
            Thread thread = new Thread(() -> {
                WireClient client = connections.get(id);
                for (int interval = 0; interval < intervals; ) {
                    client.query("BEGIN").expect("C BEGIN", "Z T");
                    client.query("SELECT 1 FROM pg_sleep(0.01)").expect("T", "D 1", "C SELECT 1", "Z T");
                    client.query("UPDATE p SET b = b + 1 WHERE a = " + (id + 1)).expect("C UPDATE 1", "Z T");
                    client.query("COMMIT").expect("C COMMIT", "Z I");
                    done[id]++;
                    interval = (int) ((System.nanoTime() - start) / intervalNanos);
                    if (interval < intervals) {
                        progress[interval].incrementAndGet();
                    }
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join(20_000);
            assertThat(thread.isAlive()).isFalse();
        }
        connections.forEach(WireClient::close);
        int least = Arrays.stream(progress).mapToInt(AtomicInteger::get).min().orElse(0);
        return new Load(Arrays.stream(done).sum(), least, Arrays.stream(done).summaryStatistics());
    }

    @Test
    @DisplayName("pl-cold-pool-growth")
    void anEmptyPoolGrowsAtOnceAndWithinBounds() {
        AtomicInteger opening = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Scripted script = new Scripted();
        List<WireClient> clients = new ArrayList<>();
        try (FakeServer server = FakeServer.start(session -> {
                    most.accumulateAndGet(opening.incrementAndGet(), Math::max);
                    LockSupport.parkNanos(Duration.ofMillis(25).toNanos());
                    opening.decrementAndGet();
                    script.serve(session);
                });
                TestProxy session = TestProxy.over(server.port(), "fake")
                        .user("pool_size", 100)
                        .user("pooler_mode", "session")
                        .start()) {
            for (int i = 0; i < 64; i++) {
                clients.add(session.login());
            }
            long start = System.nanoTime();
            clients.forEach(client -> client.query("q").push());
            clients.forEach(client -> client.expect("C Q", "Z I"));
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
            assertThat(server.connections()).isGreaterThanOrEqualTo(64);
            assertThat(most.get())
                    .as("connections that were being opened at one time")
                    .isLessThanOrEqualTo(16);
            clients.forEach(WireClient::close);
        }
    }

    // ---- servers that are gone

    @Test
    @DisplayName("pl-dead-backend-handed-out")
    void aServerProcessThatIsGoneIsGivenToNobody() {
        try (WireClient client = proxy.login()) {
            for (int i = 0; i < 20; i++) {
                assertServed(client);
                shards.execute(0, "SELECT pg_terminate_backend(pid, 5000)" + OTHERS);
                assertServed(client);
            }
        }
    }

    @Test
    @DisplayName("pl-dead-backend-handed-out: a firewall that drops what was idle")
    void aConnectionThatLeadsNowhereIsFoundWhileItIsIdle() {
        try (TcpRelay relay = TcpRelay.to(shards.host(), shards.port(0));
                TestProxy checking = TestProxy.over(relay.port(), shards.database())
                        .general("healthcheck_interval", 100)
                        .general("healthcheck_timeout", 200)
                        .general("min_pool_size", 1)
                        .start();
                WireClient client = checking.login()) {
            assertServed(client);
            TestProxy.await("it is idle", () -> checking.idle() == 1);
            long said = relay.bytes(Direction.TO_SERVER);
            TestProxy.await(
                    "it is looked at, and kept", () -> relay.bytes(Direction.TO_SERVER) > said && checking.idle() == 1);
            assertThat(relay.connections()).isEqualTo(1);
            relay.freeze(Direction.TO_CLIENT);
            // The pool opens another one, which it does not while it has its minimum.
            TestProxy.await("it is found out", () -> relay.connections() == 2);
            relay.thaw(Direction.TO_CLIENT);
            assertServed(client);
        }
    }

    @Test
    @DisplayName("pl-dead-backend-handed-out: all connections reset")
    void connectionsThatWereResetAreReplaced() {
        try (TcpRelay relay = TcpRelay.to(shards.host(), shards.port(0));
                TestProxy behind =
                        TestProxy.over(relay.port(), shards.database()).start();
                WireClient client = behind.login()) {
            for (int i = 0; i < 5; i++) {
                assertServed(client);
                relay.cutAll(i % 2 == 0 ? Cut.RST : Cut.FIN);
                TestProxy.await("the pool has noticed", () -> behind.idle() == 0);
            }
            assertServed(client);
        }
    }

    @ParameterizedTest(name = "pl-backend-auth-hang: silent {0}")
    @ValueSource(strings = {"from the start", "after AuthenticationSASL"})
    void aServerThatFallsSilentDuringTheLoginKeepsNobodyWaiting(String when) {
        Frame sasl = Frame.of('R').int32(10).string("SCRAM-SHA-256").string("").build();
        try (FakeServer server = FakeServer.start(
                        when.equals("from the start")
                                ? new AcceptThenNeverAnswer()
                                : session -> silentAfter(session, sasl));
                TestProxy waiting = TestProxy.over(server.port(), "fake")
                        .general("connect_timeout", 300)
                        .user("pool_size", 2)
                        .user("server_password", "secret")
                        .start()) {
            long start = System.nanoTime();
            List<WireClient> clients = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                clients.add(waiting.connect()
                        .send(Frontend.startup(
                                Frontend.PROTOCOL_3_0, Map.of("user", PgShards.APP, "database", TestProxy.DATABASE)))
                        .push());
            }
            for (WireClient client : clients) {
                client.expect("R 0", "E 0800*").expectClosed();
                client.close();
            }
            long attempts = Duration.ofNanos(System.nanoTime() - start).toMillis() / 300 + 1;
            assertThat(server.connections()).as("no pile of half-open logins").isLessThanOrEqualTo((int)
                    (2 * attempts));
            server.behave(new Scripted());
            TestProxy.await("it is served again", () -> {
                try (WireClient client = waiting.connect()) {
                    return client.authenticate(Map.of("user", PgShards.APP, "database", TestProxy.DATABASE), "")
                                            .type()
                                    == 'R'
                            && client.readAny().type() == 'S';
                }
            });
        }
    }

    private static void silentAfter(FakeSession session, Frame last) {
        var unused = session.startup();
        session.send(last);
        session.staySilent();
    }

    // ---- clients that are gone

    @Test
    @DisplayName("pl-open-tx-returned")
    void nobodyGetsAConnectionWithinATransaction() {
        Random random = new Random(7);
        int rounds = "full".equals(System.getProperty("scale")) ? 2_000 : 120;
        try (TcpRelay relay = TcpRelay.to(shards.host(), shards.port(0));
                TestProxy far = TestProxy.over(relay.port(), shards.database()).start();
                WireClient next = far.login()) {
            relay.delay(Direction.TO_CLIENT, Duration.ofMillis(4));
            relay.delay(Direction.TO_SERVER, Duration.ofMillis(4));
            List<Frame> said = List.of(
                    Frontend.query("BEGIN"),
                    Frontend.query("UPDATE p SET b = b + 1 WHERE a = 1"),
                    Frontend.parse("", "SELECT 1"),
                    Frontend.bind("", "", new Object[0]),
                    Frontend.execute("", 0),
                    Frontend.sync(),
                    Frontend.query("COMMIT"),
                    Frontend.query("BEGIN"),
                    Frontend.query("SELECT 2"),
                    Frontend.query("SELECT 1/0"),
                    Frontend.query("ROLLBACK"));
            for (int round = 0; round < rounds; round++) {
                WireClient client = far.login();
                client.send(said.subList(0, 1 + random.nextInt(said.size())).toArray(new Frame[0]))
                        .push();
                for (int read = random.nextInt(3); read > 0; read--) {
                    var unused = client.read();
                }
                client.reset();
                next.query("SELECT now() = statement_timestamp()").expect("T", "D t", "C SELECT 1", "Z I");
            }
        }
    }

    @Test
    @DisplayName("pl-terminate-in-transaction")
    void aClientThatSaysGoodbyeInABlockFreesItsLocks() {
        try (TestProxy two = TestProxy.over(shards).user("pool_size", 2).start();
                WireClient second = two.login()) {
            for (int i = 0; i < 3; i++) {
                WireClient first = two.login();
                first.query("BEGIN").expect("C BEGIN", "Z T");
                first.query("UPDATE p SET b = 7 WHERE a = 1").expect("C UPDATE 1", "Z T");
                String process = first.simple("SELECT pg_backend_pid()").value();
                second.query("UPDATE p SET b = b + 1 WHERE a = 1").push();
                TestProxy.await(
                        "it waits for the row",
                        () -> "1".equals(shards.queryOne(0, "SELECT count(*) FROM pg_locks WHERE NOT granted")));
                long start = System.nanoTime();
                first.terminate();
                second.expect("C UPDATE 1", "Z I");
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
                TestProxy.await("both are idle", () -> two.idle() == 2);
                assertThat(shards.queryOne(0, "SELECT state FROM pg_stat_activity WHERE pid = " + process))
                        .as("the connection of the block lives on")
                        .isEqualTo("idle");
            }
            assertThat(shards.queryOne(0, "SELECT b FROM p WHERE a = 1")).isEqualTo("3");
        }
    }

    @Test
    @DisplayName("pl-abrupt-disconnect-loop")
    void aResetAtWhateverMomentLeavesNothingSpinning() {
        List<Consumer<WireClient>> moments = List.of(
                client -> {},
                client -> client.sendHex("00 00 00"),
                client -> client.sendHex("00 00 00 08 04 d2 16 2f"),
                client -> client.send(Frontend.startup(
                        Frontend.PROTOCOL_3_0, Map.of("user", PgShards.APP, "database", TestProxy.DATABASE))));
        List<Consumer<WireClient>> later = List.of(
                client -> {},
                client -> client.query("SELECT pg_sleep(0.1)"),
                client -> client.query("SELECT repeat('x', 1000) FROM generate_series(1, 20000)"),
                client -> client.query("COPY p FROM STDIN").expect("G").send(Frontend.copyData("1000\t1\n")),
                client -> client.query("COPY (SELECT repeat('x', 1000) FROM generate_series(1, 20000)) TO STDOUT"),
                client -> client.query("BEGIN")
                        .expect("C BEGIN", "Z T")
                        .parse("", "SELECT * FROM p")
                        .bind("c", "")
                        .execute("c", 3)
                        .flush()
                        .expect("1", "2", "D *", "D *", "D *", "s"));
        for (int i = 0; i < 3; i++) {
            moments.forEach(moment -> resetAfter(proxy.connect(), moment));
            later.forEach(moment -> resetAfter(proxy.login(), moment));
        }
        TestProxy.await("nothing is left", () -> proxy.leftovers().isEmpty());
        try (WireClient client = proxy.login()) {
            long before = loopNanos();
            client.query("SELECT 1 FROM pg_sleep(0.5)").expect("T", "D 1", "C SELECT 1", "Z I");
            assertThat(Duration.ofNanos(loopNanos() - before))
                    .as("processor time of the event loops in half a second")
                    .isLessThan(Duration.ofMillis(250));
        }
    }

    private static void resetAfter(WireClient client, Consumer<WireClient> moment) {
        moment.accept(client);
        client.push();
        client.reset();
    }

    private static long loopNanos() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(thread -> thread != null && thread.getThreadName().contains("eventloop"))
                .mapToLong(ThreadInfo::getThreadId)
                .map(threads::getThreadCpuTime)
                .sum();
    }

    // ---- time

    @Test
    @DisplayName("pl-query-timeout-whole-exchange")
    void aSlowDripOfRowsIsOneExchange() {
        try (TestProxy timed =
                        TestProxy.over(shards).general("query_timeout", 600).start();
                WireClient client = timed.login()) {
            for (int i = 0; i < 2; i++) {
                long start = System.nanoTime();
                client.query("SELECT repeat('x', 20000), pg_sleep(0.1) FROM generate_series(1, 100)");
                Frame frame = client.read();
                assertThat(frame.type()).isEqualTo('T');
                int rows = -1;
                for (; frame.type() != 'E'; frame = client.read()) {
                    rows++;
                }
                assertThat(rows).as("rows before the end").isBetween(2, 20);
                assertThat(frame.toString()).startsWith("E 57014");
                client.expect("Z I");
                assertThat(Duration.ofNanos(System.nanoTime() - start))
                        .isBetween(Duration.ofMillis(550), Duration.ofSeconds(3));
                assertServed(client);
                assertThat(sleeps()).isFalse();
            }
        }
    }

    @Test
    @DisplayName("pl-graceful-shutdown")
    void whoIsBusyWhenTheProxyStopsGetsItsTimeAndIsCancelledThen() {
        try (TestProxy stopping = TestProxy.over(shards)
                .user("pool_size", 4)
                .general("shutdown_timeout", 900)
                .start()) {
            WireClient idle = stopping.login();
            WireClient quick = stopping.login();
            WireClient endless = stopping.login();
            WireClient open = stopping.login();
            open.query("BEGIN").expect("C BEGIN", "Z T");
            quick.query("SELECT 1 FROM pg_sleep(0.3)").push();
            endless.query("SELECT pg_sleep(600)").push();
            TestProxy.await(
                    "both run",
                    () -> "2".equals(shards.queryOne(0, "SELECT count(*)" + OTHERS + " AND wait_event = 'PgSleep'")));
            Future<Void> drained = stopping.drain();
            idle.expect("E 57P01").expectClosed();
            try (WireClient late = stopping.connect()) {
                late.send(Frontend.startup(
                                Frontend.PROTOCOL_3_0, Map.of("user", PgShards.APP, "database", TestProxy.DATABASE)))
                        .expect("E 57P03")
                        .expectClosed();
            }
            quick.expect("T", "D 1", "C SELECT 1", "Z I", "E 57P01").expectClosed();
            open.query("SELECT 2").expect("T", "D 2", "C SELECT 1", "Z T");
            assertThat(sleeps()).as("there is time left").isTrue();
            // The end of the cancelled statement or of the session, whichever is quicker.
            Frame end = endless.read();
            if (end.type() == 'T') {
                end = endless.read();
            }
            assertThat(end.toString()).matches("(?s)E 57(014|P01) .*");
            open.expect("E 57P01").expectClosed();
            TestProxy.await("nobody is left", drained::succeeded);
            assertThat(sleeps()).isFalse();
            List.of(idle, quick, endless, open).forEach(WireClient::close);
        }
    }
}
