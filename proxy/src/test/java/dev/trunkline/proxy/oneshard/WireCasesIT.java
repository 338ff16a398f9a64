package dev.trunkline.proxy.oneshard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.fault.FakeServer;
import dev.trunkline.harness.fault.FakeSession;
import dev.trunkline.harness.fault.Scripted;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.Backend;
import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import dev.trunkline.proxy.fixture.WithProxy;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Exchanges that have broken poolers before, each under the name of its case; {@code docs/cases.md} lists them. */
@Shards(1)
@WithProxy
class WireCasesIT {

    private final PgShards shards;
    private final TestProxy proxy;

    WireCasesIT(PgShards shards, TestProxy proxy) {
        this.shards = shards;
        this.proxy = proxy;
    }

    @BeforeEach
    void table() {
        shards.execute(
                0, "DROP TABLE IF EXISTS w; CREATE TABLE w (a int PRIMARY KEY, b text); GRANT ALL ON w TO PUBLIC");
    }

    private static WireClient run(WireClient client, String sql, Object... values) {
        return client.parse("", sql).bind("", "", values).describe("").execute("");
    }

    private String rows() {
        return String.valueOf(shards.queryOne(0, "SELECT coalesce(string_agg(a::text, ',' ORDER BY a), '') FROM w"));
    }

    @ParameterizedTest(name = "wp-deferred-begin-describe: {0}")
    @ValueSource(strings = {"BEGIN", "COMMIT", "ROLLBACK"})
    @Tag("wp-deferred-begin-describe")
    void transactionControlAnswersItsDescribe(String control) {
        try (WireClient client = proxy.login()) {
            if (!control.equals("BEGIN")) {
                client.query("BEGIN").expect("C BEGIN", "Z T");
            }
            client.parse("", control)
                    .describeStatement("")
                    .bind("", "")
                    .describe("")
                    .execute("")
                    .sync();
            client.expect("1", "t", "n", "2", "n", "C " + control, control.equals("BEGIN") ? "Z T" : "Z I");
            client.simple("ROLLBACK").ok();
        }
    }

    @Test
    @DisplayName("wp-full-duplex-deadlock")
    void everythingIsSentBeforeAnythingIsRead() throws IOException {
        int statements = 3_000;
        try (Socket socket = new Socket()) {
            socket.setReceiveBufferSize(1 << 14);
            socket.setSendBufferSize(1 << 14);
            socket.connect(new InetSocketAddress(proxy.host(), proxy.port()), 5_000);
            socket.setSoTimeout(20_000);
            OutputStream out = socket.getOutputStream();
            out.write(Frontend.startup(
                            Frontend.PROTOCOL_3_0, Map.of("user", PgShards.APP, "database", TestProxy.DATABASE))
                    .bytes());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            readReady(in, 1);
            // The client writes on from a thread of its own while nothing is read: both directions fill up.
            byte[] query = Frontend.query("SELECT repeat('x', 10000) -- " + "y".repeat(1000))
                    .bytes();
            Thread writer = new Thread(() -> writeAll(out, query, statements));
            writer.start();
            TestProxy.await(
                    "the server waits for its answers to be taken",
                    () -> "1"
                            .equals(shards.queryOne(
                                    0, "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'ClientWrite'")));
            assertThat(readReady(in, statements)).isEqualTo(statements);
            join(writer);
        }
    }

    private static void writeAll(OutputStream out, byte[] message, int times) {
        try {
            for (int i = 0; i < times; i++) {
                out.write(message);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join(10_000);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(thread.isAlive()).isFalse();
    }

    /** Reads up to this many ReadyForQuery; the number of rows on the way. */
    private static int readReady(DataInputStream in, int count) throws IOException {
        int rows = 0;
        for (int ready = 0; ready < count; ) {
            byte type = in.readByte();
            in.skipNBytes(in.readInt() - 4L);
            ready += type == 'Z' ? 1 : 0;
            rows += type == 'D' ? 1 : 0;
        }
        return rows;
    }

    @Test
    @DisplayName("wp-missing-rfq-after-mid-pipeline-error")
    void anErrorInTheMiddleOfAPipelineEndsWithOneReadyForQuery() {
        try (WireClient client = proxy.login()) {
            run(client, "SELECT 1");
            run(client, "SELECT 1/0");
            run(client, "SELECT 2").sync();
            client.expect("1", "2", "T", "D 1", "C SELECT 1", "1", "E 22012", "Z I");
            client.query("SELECT 3").expect("T", "D 3", "C SELECT 1", "Z I");
        }
    }

    @Test
    @DisplayName("wp-multi-statement-simple-query-atomic")
    void aStringOfStatementsIsOneTransaction() {
        try (WireClient client = proxy.login()) {
            assertThat(client.simple("INSERT INTO w VALUES (1); INSERT INTO w VALUES (2); SELECT 1/0")
                            .sqlState())
                    .isEqualTo("22012");
            assertThat(rows()).isEmpty();
        }
    }

    @Test
    @DisplayName("wp-partial-request-then-disconnect")
    void whatAVanishedClientLeftHalfSaidHarmsNobody() {
        List<byte[]> halves = List.of(
                bytes(Frontend.parse("s", "INSERT INTO w VALUES (1)"), Frontend.bind("", "s", new Object[0])),
                Arrays.copyOf(Frontend.query("INSERT INTO w VALUES (1)").bytes(), 12),
                bytes(Frontend.parse("", "SELECT 'theirs'")),
                bytes(
                        Frontend.parse("", "INSERT INTO w VALUES (1)"),
                        Frontend.bind("", "", new Object[0]),
                        Frontend.execute("", 0)));
        for (byte[] half : halves) {
            WireClient client = proxy.login();
            client.sendRaw(half).push();
            client.reset();
            try (WireClient next = proxy.login()) {
                next.query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z I");
                next.parse("s", "SELECT 'mine'").bind("", "s").execute("").sync();
                next.expect("1", "2", "D mine", "C SELECT 1", "Z I");
            }
        }
        assertThat(rows()).isEmpty();
    }

    private static byte[] bytes(Frame... frames) {
        java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
        for (Frame frame : frames) {
            all.writeBytes(frame.bytes());
        }
        return all.toByteArray();
    }

    @Test
    @DisplayName("wp-simple-query-behind-ext-error")
    void aQueryBehindAFailedExecuteIsNotAnswered() {
        try (WireClient client = proxy.login();
                WireClient other = proxy.login()) {
            client.query("BEGIN").expect("C BEGIN", "Z T");
            client.query("SAVEPOINT s").expect("C SAVEPOINT", "Z T");
            client.parse("d", "SELECT 1/$1::int").sync().expect("1", "Z T");
            client.bind("", "d", 0).execute("").query("RELEASE SAVEPOINT s").expect("E 22012");
            client.sync().expect("Z E");
            client.query("ROLLBACK TO s").expect("C ROLLBACK", "Z T");
            client.query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z T");
            client.query("ROLLBACK").expect("C ROLLBACK", "Z I");
            other.query("SELECT 2").expect("T", "D 2", "C SELECT 1", "Z I");
        }
    }

    @Test
    @DisplayName("wp-skip-until-sync-autocommit")
    void whatFollowsAnErrorUpToTheSyncIsNotCarriedOut() {
        try (WireClient client = proxy.login()) {
            shards.execute(0, "INSERT INTO w VALUES (7)");
            run(client, "INSERT INTO w VALUES (1)");
            run(client, "INSERT INTO w VALUES (7)");
            run(client, "INSERT INTO w VALUES (2)").sync();
            client.expect("1", "2", "n", "C INSERT 0 1", "1", "2", "n", "E 23505", "Z I");
            assertThat(rows()).isEqualTo("7");
        }
    }

    @Test
    @DisplayName("wp-stored-message-buffer-reuse")
    void aStatementKeptForLaterKeepsItsBytes() {
        Random random = new Random(20);
        String long3k = "SELECT $1::int + " + "1 + ".repeat(750) + "0";
        try (WireClient client = proxy.login();
                WireClient other = proxy.login()) {
            client.parse("s1", long3k).sync().expect("1", "Z I");
            for (int i = 0; i < 1_000; i++) {
                String noise = "n".repeat(random.nextInt(4_000));
                WireClient who = i % 2 == 0 ? client : other;
                assertThat(who.extended("SELECT $1::text", noise).value()).isEqualTo(noise);
            }
            // The connection it was prepared on is gone: it must be prepared from what was kept.
            shards.execute(
                    0, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '" + PgShards.APP + "'");
            TestProxy.await("a new connection serves", () -> {
                client.bind("", "s1", 5).execute("").sync();
                return "755".equals(value(client));
            });
        }
    }

    private static String value(WireClient client) {
        var answer = client.answer();
        return answer.sqlState() == null ? String.valueOf(answer.value()) : "";
    }

    @Test
    @DisplayName("wp-trailing-describe-after-executes")
    void aDescribeAtTheEndOfABatchIsAnswered() {
        try (WireClient client = proxy.login();
                WireClient other = proxy.login()) {
            client.parse("", "SELECT 1").bind("", "").execute("");
            client.parse("", "SELECT 2").bind("", "").execute("");
            client.bind("p", "").describe("p").sync();
            client.expect("1", "2", "D 1", "C SELECT 1", "1", "2", "D 2", "C SELECT 1", "2", "T ?column?:23", "Z I");
            other.query("SELECT 3").expect("T", "D 3", "C SELECT 1", "Z I");
        }
        for (int messages = 1; messages <= 8; messages++) {
            WireClient client = proxy.login();
            List<Frame> batch = new ArrayList<>(List.of(
                    Frontend.parse("", "SELECT 1"),
                    Frontend.bind("", "", new Object[0]),
                    Frontend.execute("", 0),
                    Frontend.parse("", "SELECT 2"),
                    Frontend.bind("", "", new Object[0]),
                    Frontend.execute("", 0),
                    Frontend.bind("p", "", new Object[0]),
                    Frontend.describePortal("p")));
            client.send(batch.subList(0, messages).toArray(new Frame[0])).push();
            client.reset();
            TestProxy.await("the connection is free", () -> proxy.leased() == 0);
        }
    }

    @Test
    @DisplayName("wp-empty-and-comment-only-statement")
    void nothingToDoIsAnsweredAsSuch() {
        try (WireClient client = proxy.login()) {
            for (String nothing : new String[] {"", ";", "-- x"}) {
                client.query(nothing).expect("I", "Z I");
            }
            String comment = "/* only */";
            client.parse("", comment).bind("", "").describe("").execute("").sync();
            client.expect("1", "2", "n", "I", "Z I");
            client.parse("", comment).bind("", "", 1).describe("").execute("").sync();
            client.expect("1", "E 08P01", "Z I");
            client.query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z I");
        }
    }

    @Test
    @DisplayName("wp-error-without-sqlstate")
    void anErrorWithoutCodeOrWithUnknownFieldsIsRelayedAsItIs() {
        Frame bare = Frame.of('E')
                .int8('S')
                .string("ERROR")
                .int8('M')
                .string("no code")
                .int8(0)
                .build();
        Frame odd = Frame.of('E')
                .int8('S')
                .string("ERROR")
                .int8('~')
                .string("unknown field")
                .int8('M')
                .string("odd")
                .int8(0)
                .build();
        Frame empty = Frame.of('E').int8(0).build();
        Scripted script = new Scripted()
                .on("bare", session -> session.send(bare))
                .on("odd", session -> session.send(odd))
                .on("empty", session -> session.send(empty));
        try (FakeServer server = FakeServer.start(script);
                TestProxy fake = TestProxy.over(server.port(), "fake").start();
                WireClient client = fake.login()) {
            for (Frame expected : List.of(bare, odd, empty)) {
                String what = expected == bare ? "bare" : expected == odd ? "odd" : "empty";
                client.query(what);
                Frame got = client.read();
                assertThat(got.type()).isEqualTo('E');
                assertThat(got.body()).isEqualTo(expected.body());
                client.expect("Z I");
                client.query("fine").expect("C FINE", "Z I");
            }
        }
    }

    @Test
    @DisplayName("wp-error-without-sqlstate: a notice during the login")
    @Tag("wp-error-without-sqlstate")
    void aNoticeDuringTheServersLoginIsNoAnswer() {
        try (FakeServer server = FakeServer.start(WireCasesIT::noticeThenAnswer);
                TestProxy fake = TestProxy.over(server.port(), "fake").start();
                WireClient client = fake.login()) {
            client.query("SELECT 1").expect("C DONE", "Z I");
        }
    }

    /** Says something with a field that nobody knows before AuthenticationOk, then answers every message alike. */
    private static void noticeThenAnswer(FakeSession session) {
        var unused = session.startup();
        session.send(
                Frame.of('N')
                        .int8('M')
                        .string("hello")
                        .int8('~')
                        .string("x")
                        .int8(0)
                        .build(),
                Backend.authenticationOk(),
                Backend.parameterStatus("server_version", "18.6"),
                Backend.parameterStatus("client_encoding", "UTF8"),
                Backend.backendKeyData(4711, 815),
                Backend.readyForQuery('I'));
        for (Frame frame = session.read(); frame.type() == 'Q'; frame = session.read()) {
            session.send(Backend.commandComplete("DONE"), Backend.readyForQuery('I'));
        }
    }

    @Test
    @DisplayName("wp-many-parameterstatus-in-pipeline")
    void severalParametersChangeInOnePipeline() {
        try (WireClient client = proxy.login();
                WireClient direct = WireClient.login("127.0.0.1", shards.port(0), PgShards.APP, shards.database())) {
            List<List<String>> said = new ArrayList<>();
            for (WireClient each : List.of(direct, client)) {
                run(
                        each,
                        "SELECT set_config('application_name', 'n', false), set_config('DateStyle', 'German', false)");
                run(each, "SELECT 1").sync();
                List<String> types = new ArrayList<>();
                for (Frame frame = each.readAny(); frame.type() != 'Z'; frame = each.readAny()) {
                    types.add(frame.toString());
                }
                said.add(types);
            }
            assertThat(said.get(1)).containsExactlyInAnyOrderElementsOf(said.get(0));
            assertThat(said.get(1)).contains("S application_name=n", "S DateStyle=German, DMY");
        }
    }

    @Test
    @DisplayName("wp-rows-then-error")
    void anErrorBehindRowsEndsTheResult() {
        shards.execute(0, "INSERT INTO w SELECT generate_series(1, 1000)");
        try (WireClient client = proxy.login()) {
            client.query("SELECT 100 / (a - 500) FROM w ORDER BY a");
            var answer = client.answer();
            assertThat(answer.rows()).hasSize(499);
            assertThat(answer.sqlState()).isEqualTo("22012");
            assertThat(answer.tags()).isEmpty();
            client.query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z I");
        }
    }

    @Test
    @DisplayName("wp-simple-query-before-sync")
    void aQueryMayFollowAFlush() {
        try (WireClient client = proxy.login();
                WireClient direct = WireClient.login("127.0.0.1", shards.port(0), PgShards.APP, shards.database())) {
            List<List<String>> said = new ArrayList<>();
            for (WireClient each : List.of(direct, client)) {
                each.parse("", "SELECT generate_series(1, 30)")
                        .bind("", "")
                        .execute("", 10)
                        .flush();
                each.expect("1", "2");
                for (int i = 1; i <= 10; i++) {
                    each.expect("D " + i);
                }
                each.expect("s").query("SELECT 1");
                List<String> answers = new ArrayList<>(notations(each));
                each.sync();
                answers.addAll(notations(each));
                // What a server makes of the next Query differs between its versions.
                each.query("SELECT 2");
                answers.addAll(notations(each));
                said.add(answers);
            }
            assertThat(said.get(1)).isEqualTo(said.get(0)).contains("D 1", "C SELECT 1");
        }
    }

    private static List<String> notations(WireClient client) {
        return client.answer().frames().stream().map(Object::toString).toList();
    }
}
