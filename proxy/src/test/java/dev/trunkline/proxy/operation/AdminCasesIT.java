package dev.trunkline.proxy.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What has broken the consoles of poolers before, each under the name of its case; {@code docs/cases.md} lists them. */
@Shards(1)
@TestInstance(Lifecycle.PER_CLASS)
class AdminCasesIT {

    private static final String PASSWORD = "secret";

    private TestProxy.Setup setup;
    private TestProxy proxy;

    @BeforeAll
    void start(PgShards shards) {
        setup = TestProxy.over(shards).admin(PASSWORD).user("pool_size", 4);
        proxy = setup.start();
    }

    @AfterAll
    void stop() {
        proxy.close();
    }

    @ParameterizedTest(name = "hi-admin-garbage: {0}")
    @ValueSource(
            strings = {
                "SHOW",
                "SET",
                "KILL",
                "KILL x",
                "KILL 99999999999999999999",
                "SHOW ;;; ;",
                "SET =",
                "SET a",
                "SET a =",
                "SET TO TO TO",
                "PAUSE LOOKUP",
                "FLUSH",
                "FLUSH LOOKUPS a b",
                "MAINTENANCE",
                "SHUTDOWN maybe",
                "SHOW POOLS WHERE",
                "SHOW POOLS ,",
                "SHOW POOLS id,",
                "SHOW POOLS WHERE id =",
                "SELECT",
                "SELECT 'x",
                "SELECT pg_sleep(1)",
                "/* never closed",
                "\"",
                "nonsense",
                "$1",
                "SHOW \u0001",
                "RELOAD now",
                "RECONNECT a b",
                "SET query_timeout TO maybe",
                "COPY x FROM STDIN",
                "SHOW \uD83D\uDE00"
            })
    @Tag("hi-admin-garbage")
    void survivesGarbage(String text) {
        try (WireClient admin = proxy.admin(PASSWORD)) {
            assertThat(admin.simple(text).sqlState()).isIn("42601", "42703", "42704", "22023");
            assertThat(admin.extended(text).sqlState()).isIn("42601", "42703", "42704", "22023");
            assertThat(admin.simple("SELECT 1").value()).isEqualTo("1");
        }
    }

    @Test
    @Tag("hi-admin-garbage")
    @DisplayName("hi-admin-garbage: empty, very long, not UTF-8, out of place")
    void survivesStrangeMessages() {
        try (WireClient admin = proxy.admin(PASSWORD)) {
            admin.query(";;;;;").expect("I", "Z I");
            admin.query("").expect("I", "Z I");
            assertThat(admin.simple("x".repeat(1 << 20)).sqlState()).isEqualTo("42601");
            byte[] wild = {'S', 'H', 'O', 'W', ' ', (byte) 0xff, (byte) 0xc0, 0};
            admin.send(Frame.of('Q').bytes(wild).build()).push();
            assertThat(admin.answer().sqlState()).isEqualTo("42601");
            assertThat(admin.extended("SELECT 1").value()).isEqualTo("1");
            admin.bind("", "nothing").sync();
            assertThat(admin.answer().sqlState()).isEqualTo("26000");
            admin.execute("nothing").sync();
            assertThat(admin.answer().sqlState()).isEqualTo("34000");
            admin.parse("", "SHOW POOLS WHERE id = $1", 23).sync();
            assertThat(admin.answer().sqlState()).isEqualTo("0A000");
            assertThat(admin.simple("SELECT 1").value()).isEqualTo("1");
        }
    }

    @Test
    @Tag("ma-admin-extended-protocol")
    @DisplayName("ma-admin-extended-protocol")
    void answersTheExtendedProtocol() {
        try (WireClient admin = proxy.admin(PASSWORD)) {
            admin.parse("s", "SHOW VERSION").describeStatement("s").sync();
            admin.expect("1", "t", "T", "Z I");
            admin.bind("", "s").describe("").execute("").sync();
            admin.expect("2", "T", "D", "C SHOW", "Z I");
            admin.parse("", "BEGIN").bind("", "").describe("").execute("").sync();
            admin.expect("1", "2", "n", "C BEGIN", "Z T");
            admin.parse("", "nonsense").bind("", "").execute("").sync();
            admin.expect("E 42601", "Z T");
            admin.query("COMMIT").expect("C COMMIT", "Z I");
            admin.closeStatement("s").closePortal("").sync().expect("3", "3", "Z I");
        }
    }

    @Test
    @Tag("ma-show-deadlock")
    @DisplayName("ma-show-deadlock")
    void showsCachesUnderLoad() {
        AtomicBoolean stop = new AtomicBoolean();
        List<Long> times = new ArrayList<>();
        List<CompletableFuture<Void>> load = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int number = i;
            load.add(CompletableFuture.runAsync(() -> query(stop, number)));
        }
        try (WireClient admin = proxy.admin(PASSWORD)) {
            for (int i = 0; i < 50; i++) {
                for (String show :
                        List.of("QUERY_CACHE", "PREPARED", "CLIENTS", "SERVERS", "STATS", "POOLS", "LISTS")) {
                    long start = System.nanoTime();
                    admin.simple("SHOW " + show).ok();
                    times.add(System.nanoTime() - start);
                }
            }
            // A machine that is busy otherwise may stop anybody for a second, but not half of the time.
            Collections.sort(times);
            assertThat(Duration.ofNanos(times.get(times.size() / 2))).isLessThan(Duration.ofSeconds(1));
            assertThat(admin.simple("SHOW PREPARED statement").rows().toString())
                    .contains("\uD83D\uDE00");
        } finally {
            stop.set(true);
        }
        load.forEach(CompletableFuture::join);
    }

    private void query(AtomicBoolean stop, int number) {
        String emoji = "\uD83D\uDE00".repeat(40);
        try (WireClient client = proxy.login()) {
            for (int i = 0; !stop.get(); i++) {
                client.parse("s" + i, "SELECT '" + emoji + number + "' AS n" + i)
                        .bind("", "s" + i)
                        .execute("")
                        .sync();
                client.answer().ok();
                client.simple("SELECT '" + emoji + "', " + i + " AS m" + i).ok();
            }
        }
    }
}
