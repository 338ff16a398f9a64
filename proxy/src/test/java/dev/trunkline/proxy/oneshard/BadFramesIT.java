package dev.trunkline.proxy.oneshard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import dev.trunkline.proxy.fixture.WithProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that breaks the protocol is told so and sent away; others, even on the same connection, notice nothing. */
@Shards(1)
@WithProxy(general = {"max_message_size", "100000"})
class BadFramesIT {

    private final PgShards shards;
    private final TestProxy proxy;
    private final WireClient other;

    BadFramesIT(PgShards shards, TestProxy proxy) {
        this.shards = shards;
        this.proxy = proxy;
        this.other = proxy.login();
    }

    @AfterEach
    void othersAreServed() {
        other.parse("", "SELECT $1::int").bind("", "", 7).execute("").sync();
        other.expect("1", "2", "D 7", "C SELECT 1", "Z I");
        other.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "51 00 00 00 03", // shorter than its own length
                "51 00 00 00 00",
                "51 ff ff ff ff 00",
                "51 80 00 00 00 00",
                "51 7f ff ff ff 00", // longer than any message
                "64 7f ff ff ff 00",
                "64 40 00 00 00 00",
                "53 00 00 00 05 00", // Sync with a body
                "48 00 00 00 06 00 00",
                "58 00 00 00 05 00",
                "00 00 00 00 04", // types that no client sends
                "5a 00 00 00 05 49",
                "44 00 00 00 06 58 00", // Describe of neither statement nor portal
                "43 00 00 00 06 58 00",
                "44 00 00 00 07 53 61 61", // a name without end
                "51 00 00 00 06 61 61", // a statement without end
                "51 00 00 00 08 61 00 61 00", // a statement with two ends
                "50 00 00 00 08 00 61 00 00", // Parse without the count of types
                "50 00 00 00 0a 00 61 00 00 05 00", // … with fewer than it says
                "42 00 00 00 08 00 00 00 00", // Bind without room for its counts
                "46 00 00 00 08 00 00 00 00", // a call of a function likewise
                "45 00 00 00 05 00", // Execute without a row limit
                "70 00 00 00 05 00" // a password when none is due
            })
    void endsTheConnection(String hex) {
        for (boolean inBlock : new boolean[] {false, true}) {
            try (WireClient client = proxy.login()) {
                if (inBlock) {
                    client.query("BEGIN").expect("C BEGIN", "Z T");
                }
                client.sendHex(hex).expect("E 08P01").expectClosed();
            }
            TestProxy.await("nothing is left", () -> proxy.leased() == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "42 00 00 00 0c 00 00 00 00 00 01 00 00", // Bind that ends before its counts do
                "42 00 00 00 10 00 00 00 00 00 01 00 00 00 0a 00 00"
            })
    void whatOnlyTheServerJudgesIsAnErrorOfTheServer(String hex) {
        try (WireClient client = proxy.login()) {
            client.parse("", "SELECT 1").sync().expect("1", "Z I");
            client.sendHex(hex).sync();
            assertThat(client.answer().sqlState()).isEqualTo("08P01");
        }
    }

    @Test
    void aRefusalDoesNotWaitForTheSync() {
        try (WireClient client = proxy.login()) {
            client.bind("", "nowhere").expect("E 26000").sync().expect("Z I");
            client.query("BEGIN").expect("C BEGIN", "Z T");
            client.bind("", "nowhere").flush().expect("E 26000").sync().expect("Z E");
        }
    }

    @Test
    void aMessageBeyondTheLimitIsPassedOver() {
        String long100k = "x".repeat(100_000);
        try (WireClient client = proxy.login()) {
            client.query("SELECT '" + long100k + "'").query("SELECT 1");
            client.expect("E 54000", "Z I", "T", "D 1", "C SELECT 1", "Z I");
            client.parse("", "SELECT '" + long100k + "'")
                    .bind("", "")
                    .execute("")
                    .sync()
                    .query("SELECT 2");
            client.expect("E 54000", "Z I", "T", "D 2", "C SELECT 1", "Z I");
            client.query("BEGIN").expect("C BEGIN", "Z T");
            client.parse("s", "SELECT $1::text")
                    .bind("", "s", long100k)
                    .execute("")
                    .sync();
            client.expect("1", "E 54000", "Z E");
            client.query("ROLLBACK").expect("C ROLLBACK", "Z I");
            client.query("SELECT '" + "x".repeat(90_000) + "'").expect("T", "D *", "C SELECT 1", "Z I");
        }
    }

    @Test
    void aMessageBeyondTheLimitWaitsForItsTurn() {
        try (WireClient holder = proxy.login();
                WireClient client = proxy.login()) {
            holder.query("BEGIN").expect("C BEGIN", "Z T");
            client.query("SELECT 1")
                    .query("SELECT '" + "x".repeat(100_000) + "'")
                    .query("SELECT 2")
                    .push();
            TestProxy.await("it waits", () -> proxy.waiting() == 1);
            holder.query("COMMIT").expect("C COMMIT", "Z I");
            client.expect("T", "D 1", "C SELECT 1", "Z I", "E 54000", "Z I", "T", "D 2", "C SELECT 1", "Z I");
        }
    }

    @Test
    void copyDataIsNotBoundByTheLimit() {
        shards.execute(0, "CREATE TABLE IF NOT EXISTS c (a text); TRUNCATE c; GRANT ALL ON c TO PUBLIC");
        try (WireClient client = proxy.login()) {
            client.query("COPY c FROM STDIN").expect("G");
            client.send(Frontend.copyData("x".repeat(1_000_000) + "\n"), Frontend.copyDone());
            client.expect("C COPY 1", "Z I");
            assertThat(client.simple("SELECT length(a) FROM c").value()).isEqualTo("1000000");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"51 00 00 00 0d 53 45 4c 45 43 54 20 31 00", "50 00 00 00 08 00 00 00 00", "5a 00 00 00 05 49"})
    void whatHasNoPlaceInACopyEndsTheConnection(String hex) {
        shards.execute(0, "CREATE TABLE IF NOT EXISTS c (a text); TRUNCATE c; GRANT ALL ON c TO PUBLIC");
        for (boolean extended : new boolean[] {false, true}) {
            try (WireClient client = proxy.login()) {
                if (extended) {
                    client.parse("", "COPY c FROM STDIN")
                            .bind("", "")
                            .execute("")
                            .flush()
                            .expect("1", "2", "G");
                } else {
                    client.query("COPY c FROM STDIN").expect("G");
                }
                client.send(Frontend.copyData("lost\n"))
                        .sendHex(hex)
                        .expect("E 08P01")
                        .expectClosed();
            }
            TestProxy.await("nothing is left", () -> proxy.leased() == 0);
            assertThat(shards.queryOne(0, "SELECT count(*) FROM c")).isEqualTo("0");
        }
    }

    @Test
    void aLengthThatNobodyFillsReservesNothing() {
        Runtime runtime = Runtime.getRuntime();
        java.util.List<WireClient> hoarders = new java.util.ArrayList<>();
        try (TestProxy large = TestProxy.over(shards).start()) {
            long before = used(runtime);
            for (int i = 0; i < 50; i++) {
                // 200 MB announced each, within the limit.
                hoarders.add(WireClient.login(large.host(), large.port(), PgShards.APP, TestProxy.DATABASE)
                        .sendHex("51 0b eb c2 00 53 45 4c")
                        .push());
            }
            hoarders.forEach(WireClient::reset);
            assertThat(used(runtime) - before).isLessThan(200L << 20);
        }
    }

    /** Heap in use and what Netty has taken outside of it. */
    private static long used(Runtime runtime) {
        return runtime.totalMemory()
                - runtime.freeMemory()
                + io.netty.util.internal.PlatformDependent.usedDirectMemory();
    }
}
