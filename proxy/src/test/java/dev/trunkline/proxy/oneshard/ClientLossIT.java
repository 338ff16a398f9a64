package dev.trunkline.proxy.oneshard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import dev.trunkline.proxy.fixture.WithProxy;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A client vanishes, at whatever moment: its transaction is rolled back, its connection serves the next client, nothing
 * of it is left. What it had sent whole may still be carried out, as on a direct connection.
 */
@Shards(1)
@WithProxy(general = {"rollback_timeout", "300"})
class ClientLossIT {

    private final PgShards shards;
    private final TestProxy proxy;

    ClientLossIT(PgShards shards, TestProxy proxy) {
        this.shards = shards;
        this.proxy = proxy;
    }

    @BeforeEach
    void table() {
        shards.execute(0, "CREATE TABLE IF NOT EXISTS t (a int); TRUNCATE t; GRANT ALL ON t TO PUBLIC");
    }

    /** What a client has done when it vanishes. */
    private record Moment(String name, Consumer<WireClient> upToIt) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Moment moment(String name, Consumer<WireClient> upToIt) {
        return new Moment(name, upToIt);
    }

    static Stream<Moment> moments() {
        return Stream.of(
                moment("at rest", client -> {}),
                moment("in a block", client -> client.query("BEGIN").expect("C BEGIN", "Z T")),
                moment("in a block that wrote", client -> {
                    client.query("BEGIN").expect("C BEGIN", "Z T");
                    client.query("INSERT INTO t VALUES (1)").expect("C INSERT 0 1", "Z T");
                }),
                moment("in a failed block", client -> {
                    client.query("BEGIN").expect("C BEGIN", "Z T");
                    client.query("SELECT 1/0").expect("E 22012", "Z E");
                }),
                moment("before its COMMIT", client -> {
                    client.query("BEGIN").expect("C BEGIN", "Z T");
                    client.query("INSERT INTO t VALUES (1)").push();
                }),
                moment(
                        "in a long statement",
                        client -> client.query("SELECT pg_sleep(20)").push()),
                moment("in a long statement of a block", client -> {
                    client.query("BEGIN").expect("C BEGIN", "Z T");
                    client.query("INSERT INTO t SELECT 1 FROM pg_sleep(20)").push();
                }),
                moment("in a pipeline", client -> {
                    for (int i = 0; i < 100; i++) {
                        client.parse("", "SELECT generate_series(1, 100)")
                                .bind("", "")
                                .execute("");
                    }
                    client.push();
                }),
                moment("behind a Flush", client -> {
                    client.parse("", "INSERT INTO t VALUES (1)")
                            .bind("", "")
                            .execute("")
                            .flush();
                    client.expect("1", "2", "C INSERT 0 1");
                }),
                moment("behind an error in a batch", client -> {
                    client.parse("", "SELECT 1/0")
                            .bind("", "")
                            .execute("")
                            .flush()
                            .expect("1", "E 22012");
                }),
                moment("with a portal half read", client -> {
                    client.query("BEGIN").expect("C BEGIN", "Z T");
                    client.parse("", "SELECT generate_series(1, 1000)")
                            .bind("c", "")
                            .execute("c", 1)
                            .flush();
                    client.expect("1", "2", "D 1", "s");
                }),
                moment(
                        "with a large result not read",
                        client -> client.query("SELECT repeat('x', 10000) FROM generate_series(1, 5000)")
                                .push()),
                moment(
                        "at the beginning of a COPY",
                        client -> client.query("COPY t FROM STDIN").expect("G")),
                moment(
                        "right behind the beginning of a COPY",
                        client -> client.query("COPY t FROM STDIN").push()),
                moment("in a COPY", client -> {
                    client.query("COPY t FROM STDIN").expect("G");
                    client.send(Frontend.copyData("1\n2\n")).push();
                }),
                moment("in a COPY of a block", client -> {
                    client.query("BEGIN").expect("C BEGIN", "Z T");
                    client.query("COPY t FROM STDIN").expect("G");
                    client.send(Frontend.copyData("1\n2\n")).push();
                }),
                moment("in an extended COPY", client -> {
                    client.parse("", "COPY t FROM STDIN")
                            .bind("", "")
                            .execute("")
                            .flush()
                            .expect("1", "2", "G");
                    client.send(Frontend.copyData("1\n")).push();
                }),
                moment(
                        "right behind the beginning of an extended COPY",
                        client -> client.parse("", "COPY t FROM STDIN")
                                .bind("", "")
                                .execute("")
                                .sync()
                                .push()),
                moment("within a CopyData", client -> {
                    client.query("COPY t FROM STDIN").expect("G");
                    byte[] data = Frontend.copyData("1\n".repeat(50_000)).bytes();
                    client.sendRaw(Arrays.copyOf(data, data.length / 2)).push();
                }),
                moment(
                        "in a COPY out",
                        client -> client.query(
                                        "COPY (SELECT repeat('x', 10000) FROM generate_series(1, 5000)) TO STDOUT")
                                .push()),
                moment("within a message", client -> {
                    Frame query = Frontend.query("INSERT INTO t VALUES (1)");
                    client.sendRaw(Arrays.copyOf(query.bytes(), query.bytes().length - 5))
                            .push();
                }),
                moment("within a message of a block", client -> {
                    client.query("BEGIN").expect("C BEGIN", "Z T");
                    client.sendRaw(new byte[] {'Q', 0, 0}).push();
                }));
    }

    @ParameterizedTest
    @MethodSource("moments")
    void leavesNothingBehindByAReset(Moment moment) {
        WireClient client = proxy.login();
        moment.upToIt.accept(client);
        client.reset();
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @MethodSource("moments")
    void leavesNothingBehindByAnEndOfItsStream(Moment moment) {
        try (WireClient client = proxy.login()) {
            moment.upToIt.accept(client);
            client.shutdownOutput();
            var unused = client.readToEnd();
        }
        assertNothingIsLeft();
    }

    private void assertNothingIsLeft() {
        TestProxy.await(
                "nothing is left: " + proxy.leftovers(), () -> proxy.leftovers().isEmpty());
        assertThat(shards.queryOne(0, "SELECT count(*) FROM t")).isEqualTo("0");
        try (WireClient next = proxy.login()) {
            next.query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z I");
            next.parse("", "SELECT $1::int").bind("", "", 7).execute("").sync();
            next.expect("1", "2", "D 7", "C SELECT 1", "Z I");
        }
    }

    /** The server has given the COPY up before the client has sent all of one message: the rest must still arrive. */
    @Test
    void aCopyThatFailsWithinAMessageSpoilsNothing() {
        byte[] data = Frontend.copyData("1\n".repeat(100_000)).bytes();
        try (WireClient client = proxy.login();
                WireClient next = proxy.login()) {
            client.query("COPY t FROM STDIN").expect("G");
            client.send(Frontend.copyData("no number\n"))
                    .sendRaw(Arrays.copyOf(data, data.length / 2))
                    .expect("E 22P02", "Z I");
            next.query("SELECT 1").push();
            client.sendRaw(Arrays.copyOfRange(data, data.length / 2, data.length));
            client.send(Frontend.copyData("2\n"), Frontend.copyDone()).push();
            next.expect("T", "D 1", "C SELECT 1", "Z I");
            client.query("SELECT 2").expect("T", "D 2", "C SELECT 1", "Z I");
            client.terminate();
            next.terminate();
        }
        assertNothingIsLeft();
    }

    @Test
    void aClientThatVanishesWithinAMessageOfAFailedCopySpoilsNothing() {
        byte[] data = Frontend.copyData("1\n".repeat(100_000)).bytes();
        try (WireClient client = proxy.login()) {
            client.query("COPY t FROM STDIN").expect("G");
            client.send(Frontend.copyData("no number\n"))
                    .sendRaw(Arrays.copyOf(data, data.length / 2))
                    .expect("E 22P02", "Z I");
            client.reset();
        }
        assertNothingIsLeft();
    }

    @Test
    void anOrderlyGoodbyeInABlockRollsBack() {
        try (WireClient client = proxy.login()) {
            client.query("BEGIN").expect("C BEGIN", "Z T");
            client.query("INSERT INTO t VALUES (1)").expect("C INSERT 0 1", "Z T");
            client.terminate();
        }
        assertNothingIsLeft();
    }

    @Test
    void whatItSentBeforeItsGoodbyeIsCarriedOut() {
        try (WireClient client = proxy.login()) {
            client.query("INSERT INTO t SELECT 1 FROM pg_sleep(0.1)")
                    .send(Frontend.terminate())
                    .push();
            var unused = client.readToEnd();
        }
        TestProxy.await("the row is there", () -> "1".equals(shards.queryOne(0, "SELECT count(*) FROM t")));
        TestProxy.await("nothing is left", () -> proxy.leftovers().isEmpty());
    }

    @Test
    void leavesNothingBehindBeforeItsLogin() {
        for (int bytes = 0; bytes < 40; bytes += 3) {
            WireClient client = proxy.connect();
            byte[] startup = Frontend.startup(
                            Frontend.PROTOCOL_3_0, Map.of("user", PgShards.APP, "database", TestProxy.DATABASE))
                    .bytes();
            client.sendRaw(Arrays.copyOf(startup, Math.min(bytes, startup.length)))
                    .push();
            client.reset();
        }
        assertNothingIsLeft();
    }
}
