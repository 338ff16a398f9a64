package dev.trunkline.proxy.listen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.pg.Ports;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.Metrics;
import dev.trunkline.proxy.fixture.TestProxy;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * In transaction mode a client that listens holds no server connection. It hears what is notified after its LISTEN has
 * committed, at rest, and nothing else; on one shard as on several.
 */
@Shards(3)
class ListenIT {

    private static final Duration A_WHILE = Duration.ofMillis(150);

    private final PgShards shards;
    private TestProxy proxy;

    ListenIT(PgShards shards) {
        this.shards = shards;
    }

    private void start(int count) {
        proxy = setup(count).start();
    }

    private TestProxy.Setup setup(int count) {
        return (count == 1 ? TestProxy.over(shards.port(0), shards.database()) : TestProxy.over(shards))
                .user("pool_size", 1);
    }

    @AfterEach
    void stop() {
        TestProxy.await("nobody listens any more", () -> listeners() == 0 && proxy.listening() == 0);
        proxy.close();
    }

    /** Connections of the servers that listen, or have listened last. */
    private int listeners() {
        return overListeners("count(*)");
    }

    private int overListeners(String aggregate) {
        int sum = 0;
        for (int shard = 0; shard < shards.count(); shard++) {
            sum += Integer.parseInt(
                    String.valueOf(
                            shards.queryOne(
                                    shard,
                                    "SELECT " + aggregate
                                            + " FROM pg_stat_activity WHERE datname = current_database() AND query ~ '^(UN)?LISTEN \"'")));
        }
        return sum;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    @DisplayName("ss-listen-silent-noop")
    void hearsAtRestWithoutAConnectionOfItsOwn(int count) {
        start(count);
        try (WireClient client = proxy.login();
                WireClient other = proxy.login()) {
            client.query("LISTEN news").expect("C LISTEN", "Z I");
            assertThat(proxy.leased()).isZero();
            for (int i = 0; i < 10; i++) {
                other.query("NOTIFY news, 'no " + i + "'").expect("C NOTIFY", "Z I");
                client.expect("A news|no " + i);
            }
            other.simple("NOTIFY other_news").ok();
            client.query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z I");
            // Itself as well.
            client.query("NOTIFY news, 'mine'").expect("C NOTIFY", "Z I", "A news|mine");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void anyWayOfSayingItListens(int count) {
        start(count);
        try (WireClient client = proxy.login();
                WireClient other = proxy.login()) {
            client.parse("", "LISTEN one").bind("", "").describe("").execute("").sync();
            client.expect("1", "2", "n", "C LISTEN", "Z I");
            client.parse("s", "LISTEN \"Two two\"").sync().expect("1", "Z I");
            client.bind("", "s").execute("").sync().expect("2", "C LISTEN", "Z I");
            client.bind("", "s").execute("").sync().expect("2", "C LISTEN", "Z I");
            client.query("SELECT 1; /* and */ LISTEN three; listen four; SELECT 2")
                    .expect("T", "D 1", "C SELECT 1", "C LISTEN", "C LISTEN", "T", "D 2", "C SELECT 1", "Z I");
            // Pipelined.
            client.query("LISTEN five").query("LISTEN six").query("SELECT 3");
            client.expect("C LISTEN", "Z I", "C LISTEN", "Z I", "T", "D 3", "C SELECT 1", "Z I");
            for (String channel : new String[] {"one", "\"Two two\"", "three", "four", "five", "six"}) {
                other.simple("NOTIFY " + channel + ", 'x'").ok();
                client.expect("A " + channel.replace("\"", "") + "|x");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void actsWhenItsTransactionCommits(int count) {
        start(count);
        try (WireClient client = proxy.login();
                WireClient other = proxy.login()) {
            client.simple("BEGIN").ok();
            client.query("LISTEN back").expect("C LISTEN", "Z T");
            client.query("ROLLBACK").expect("C ROLLBACK", "Z I");
            for (String sql : new String[] {
                "BEGIN", "LISTEN kept", "SAVEPOINT a", "LISTEN back", "ROLLBACK TO a", "LISTEN late", "COMMIT"
            }) {
                client.simple(sql).ok();
            }
            client.query("LISTEN back; SELECT 1 / 0").expect("C LISTEN", "E 22012", "Z I");
            other.simple("NOTIFY back").ok();
            other.simple("NOTIFY kept").ok();
            client.expect("A kept|");
            other.simple("NOTIFY late").ok();
            client.expect("A late|");
            client.simple("BEGIN; UNLISTEN kept; ROLLBACK").ok();
            other.simple("NOTIFY kept, 'still'").ok();
            client.expect("A kept|still");
            client.simple("BEGIN; UNLISTEN kept; COMMIT").ok();
            other.simple("NOTIFY kept").ok();
            other.simple("NOTIFY late").ok();
            client.expect("A late|");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aNotifyCountsWhenItsTransactionCommits(int count) {
        start(count);
        try (WireClient client = proxy.login();
                WireClient other = proxy.login()) {
            client.simple("LISTEN news").ok();
            other.simple("BEGIN; NOTIFY news, 'never'; ROLLBACK").ok();
            other.simple("BEGIN").ok();
            other.query("NOTIFY news, 'later'").expect("C NOTIFY", "Z T");
            client.expectSilence(A_WHILE);
            other.query("COMMIT").expect("C COMMIT", "Z I");
            client.expect("A news|later");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void hearsNothingWithinATransaction(int count) {
        try (TestProxy two = setup(count).user("pool_size", 2).start();
                WireClient client = two.login();
                WireClient other = two.login()) {
            proxy = two;
            client.simple("LISTEN news").ok();
            client.simple("BEGIN").ok();
            client.simple("SELECT 1").ok();
            other.simple("NOTIFY news, 'one'").ok();
            other.simple("NOTIFY news, 'two'").ok();
            client.expectSilence(A_WHILE);
            client.query("SELECT 2").expect("T", "D 2", "C SELECT 1", "Z T");
            client.query("COMMIT").expect("C COMMIT", "Z I", "A news|one", "A news|two");
            client.close();
            TestProxy.await("nobody listens any more", () -> listeners() == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void manyShareOneConnectionUntilTheLastHasHadEnough(int count) {
        start(count);
        try (WireClient one = proxy.login();
                WireClient two = proxy.login();
                WireClient three = proxy.login();
                WireClient other = proxy.login()) {
            for (WireClient client : new WireClient[] {one, two, three}) {
                client.query("LISTEN news").expect("C LISTEN", "Z I");
            }
            assertThat(listeners()).isEqualTo(1);
            assertThat(proxy.listening()).isEqualTo(3);
            other.simple("NOTIFY news, '3'").ok();
            one.expect("A news|3");
            two.expect("A news|3");
            three.expect("A news|3");
            one.query("UNLISTEN *").expect("C UNLISTEN", "Z I");
            two.query("DISCARD ALL").expect("C DISCARD ALL", "Z I");
            other.simple("NOTIFY news, '1'").ok();
            three.expect("A news|1");
            one.query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z I");
            two.query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z I");
            three.reset();
            TestProxy.await("nobody listens any more", () -> listeners() == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void listensAgainWhenTheConnectionWasLost(int count) {
        start(count);
        try (WireClient client = proxy.login();
                WireClient other = proxy.login()) {
            client.simple("LISTEN news").ok();
            int process = overListeners("COALESCE(sum(pid), 0)");
            for (int shard = 0; shard < shards.count(); shard++) {
                shards.execute(
                        shard,
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'LISTEN \"news\"'");
            }
            // It listens again so soon that nobody may see it gone.
            TestProxy.await(
                    "another listens", () -> listeners() == 1 && overListeners("COALESCE(sum(pid), 0)") != process);
            client.query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z I");
            TestProxy.await("it hears again", () -> {
                other.simple("NOTIFY news, 'again'").ok();
                return client.query("SELECT 1").answer().frames().stream().anyMatch(frame -> frame.type() == 'A');
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    @DisplayName("ss-listen-scope")
    void aChannelIsOneDatabasesOwn(int count) {
        proxy = setup(count).alsoDatabase("other", shards.port(1), "postgres").start();
        try (WireClient here = proxy.login();
                WireClient there = WireClient.login(proxy.host(), proxy.port(), PgShards.APP, "other");
                WireClient sender = WireClient.login(proxy.host(), proxy.port(), PgShards.APP, "other")) {
            here.simple("LISTEN jobs").ok();
            there.simple("LISTEN jobs").ok();
            sender.simple("NOTIFY jobs, 'there'").ok();
            there.expect("A jobs|there");
            here.expectSilence(A_WHILE);
            there.simple("UNLISTEN jobs").ok();
            here.query("NOTIFY jobs, 'here'").expect("C NOTIFY", "Z I", "A jobs|here");
            sender.simple("NOTIFY jobs, 'nobody'").ok();
            there.query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z I");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    @DisplayName("me-notification-queue")
    void aClientThatDoesNotReadCostsTheOthersNothing(int count) {
        int port = Ports.free();
        proxy = setup(count).general("openmetrics_port", port).start();
        try (WireClient slow = proxy.login();
                WireClient quick = proxy.login();
                WireClient other = proxy.login()) {
            slow.simple("LISTEN flood").ok();
            quick.simple("LISTEN flood").ok();
            String payload = "x".repeat(7_900);
            int sent = 0;
            // More than sockets and the proxy take for the one that does not read.
            while (proxy.notificationsDropped() == 0 || sent < 500) {
                assertThat(sent).as("the queue has a bound").isLessThan(20_000);
                other.simple("NOTIFY flood, '" + sent + payload + "'").ok();
                quick.expect("A flood|" + sent + payload);
                sent++;
            }
            quick.query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z I");
            assertThat(proxy.notificationsDropped()).isLessThan(sent);
            Metrics metrics = Metrics.of(port);
            assertThat(metrics.sum("pub_sub_listeners")).isEqualTo(2);
            assertThat(metrics.sum("pub_sub_listener_received")).isEqualTo(sent);
            assertThat(metrics.sum("pub_sub_listener_dropped")).isEqualTo(proxy.notificationsDropped());
            // It gets the oldest, then what comes from now on, and goes on.
            slow.expect("A flood|0" + payload);
            assertThat(slow.query("SELECT 1").answer().value()).isEqualTo("1");
        }
    }
}
