package dev.trunkline.proxy.oneshard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.fault.CloseMidRow;
import dev.trunkline.harness.fault.FakeServer;
import dev.trunkline.harness.fault.FakeSession;
import dev.trunkline.harness.fault.Reaction;
import dev.trunkline.harness.fault.Scripted;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.tls.Authority;
import dev.trunkline.harness.wire.Backend;
import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import dev.trunkline.proxy.fixture.WithProxy;
import io.netty.util.internal.PlatformDependent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What has brought others down with bad input, each under the name of its case; {@code docs/cases.md} lists them. */
@Shards(1)
@WithProxy
class HostileCasesIT {

    private static final Map<String, String> WHO = Map.of("user", PgShards.APP, "database", TestProxy.DATABASE);

    private final PgShards shards;
    private final TestProxy proxy;

    HostileCasesIT(PgShards shards, TestProxy proxy) {
        this.shards = shards;
        this.proxy = proxy;
    }

    private static void assertServed(WireClient client) {
        client.query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z I");
    }

    private static long memory() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory() + PlatformDependent.usedDirectMemory();
    }

    // ---- lengths

    @ParameterizedTest(name = "hi-startup-length: {0}")
    @ValueSource(
            strings = {
                "00 00 00 00",
                "00 00 00 03",
                "00 00 00 07 00 00 00",
                "ff ff ff ff",
                "7f ff ff ff",
                "00 00 27 15",
                "80 00 00 00"
            })
    void aStartupPacketOfNoPossibleLengthEndsTheConnectionAtOnce(String hex) {
        try (WireClient other = proxy.login()) {
            long before = memory();
            for (int i = 0; i < 20; i++) {
                try (WireClient client = proxy.connect()) {
                    client.sendHex(hex).expect("E 08P01").expectClosed();
                }
            }
            assertThat(memory() - before).isLessThan(64L << 20);
            assertServed(other);
        }
    }

    @ParameterizedTest(name = "hi-message-length: {0}")
    @ValueSource(
            strings = {
                "51 00 00 00 00",
                "51 00 00 00 01",
                "51 00 00 00 03",
                "51 ff ff ff ff",
                "51 80 00 00 00",
                "51 40 00 00 00 53 45 4c 45 43 54 20 31 00 00"
            })
    void aMessageOfNoPossibleLengthEndsTheConnectionAtOnce(String hex) {
        try (WireClient other = proxy.login();
                WireClient client = proxy.login()) {
            client.sendHex(hex).expect("E 08P01").expectClosed();
            assertServed(other);
        }
    }

    @Test
    @DisplayName("hi-message-length: as long as a server would take it, and ten bytes of it")
    void whatIsAnnouncedIsNotSetAside() {
        List<WireClient> clients = new ArrayList<>();
        try (TestProxy large = TestProxy.over(shards)
                        .general("max_message_size", 1_073_741_823)
                        .start();
                WireClient other = large.login()) {
            long before = memory();
            for (int i = 0; i < 50; i++) {
                clients.add(large.login()
                        .sendHex("51 3f ff f0 00 53 45 4c 45 43 54 20 31 20 20")
                        .push());
            }
            assertServed(other);
            assertThat(memory() - before).isLessThan(200L << 20);
            clients.forEach(WireClient::reset);
        }
    }

    @Test
    @DisplayName("hi-outgoing-length-overflow")
    void theLongestBindGoesThroughUnderALongerName() {
        int limit = 65_536;
        try (TestProxy capped = TestProxy.over(shards)
                        .general("max_message_size", limit)
                        .start();
                WireClient client = capped.login()) {
            int most = limit - Frontend.bind("", "s", new Object[] {""}).body().length;
            client.parse("s", "SELECT length($1::text)").sync().expect("1", "Z I");
            client.bind("", "s", "x".repeat(most)).execute("").sync();
            client.expect("2", "D " + most, "C SELECT 1", "Z I");
            client.bind("", "s", "x".repeat(most + 1)).execute("").sync().expect("E 54000", "Z I");
            assertServed(client);
        }
    }

    @ParameterizedTest(name = "a statement of 64 MB by the {0} protocol")
    @ValueSource(strings = {"simple", "extended"})
    void aStatementOf64MegabytesGoesThrough(String protocol) {
        String value = "z".repeat(64 << 20);
        try (WireClient client = proxy.login()) {
            String length = protocol.equals("simple")
                    ? client.simple("SELECT length('" + value + "')").ok().value()
                    : client.extended("SELECT length('" + value + "')").ok().value();
            assertThat(length).isEqualTo(String.valueOf(64 << 20));
        }
    }

    // ---- start-up

    @Test
    @DisplayName("hi-fragmented-startup")
    void aStartupMayComeByteByByte() {
        Map<String, String> parameters = new LinkedHashMap<>(WHO);
        parameters.put("application_name", "x".repeat(9_000));
        try (WireClient client = proxy.connect()) {
            client.sendHex("00 00 00 08").push();
            client.sendHex("04 d2 16 2f").push();
            assertThat(client.readByte()).isEqualTo('N');
            for (byte each : Frontend.startup(Frontend.PROTOCOL_3_0, parameters).bytes()) {
                client.sendRaw(new byte[] {each}).push();
            }
            client.expect("R 0").ready();
            assertServed(client);
        }
    }

    private static byte[] startup(boolean terminated, String... strings) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (String string : strings) {
            body.writeBytes(string.getBytes(StandardCharsets.UTF_8));
            body.write(0);
        }
        if (terminated) {
            body.write(0);
        }
        return Frame.of(Frame.UNTYPED)
                .int32(Frontend.PROTOCOL_3_0)
                .bytes(body.toByteArray())
                .build()
                .bytes();
    }

    static Stream<Arguments> unterminated() {
        byte[] cut = startup(false, "user", "app", "database", "db");
        return Stream.of(
                Arguments.of("no final zero", cut),
                Arguments.of("odd number of strings", startup(true, "user", "app", "database")),
                Arguments.of("a value without end", withoutLastByte(cut)),
                Arguments.of("a name without end", withoutLastByte(startup(false, "user", "app", "database"))));
    }

    /** The declared length is one less too: what follows belongs to nobody. */
    private static byte[] withoutLastByte(byte[] packet) {
        byte[] shorter = Arrays.copyOf(packet, packet.length - 1);
        shorter[3]--;
        return shorter;
    }

    @ParameterizedTest(name = "hi-startup-params-unterminated: {0}")
    @MethodSource("unterminated")
    void parametersWithoutAnEndAreABreachOfProtocol(String what, byte[] packet) {
        try (WireClient client = proxy.connect()) {
            // Whoever read on would find a whole parameter, and a Query, in what follows.
            client.sendRaw(packet).sendRaw(Frontend.query("SELECT 'options'").bytes());
            client.expect("E 08P01").expectClosed();
        }
        TestProxy.await(what + ": nothing is left", () -> proxy.leftovers().isEmpty());
    }

    @Test
    @DisplayName("hi-startup-params-unterminated: a user named twice")
    void theLastOfTwoUsersCounts() {
        try (WireClient client = proxy.connect()) {
            client.sendRaw(startup(true, "user", "nobody", "user", PgShards.APP, "database", TestProxy.DATABASE));
            client.expect("R 0").ready();
            assertThat(client.simple("SELECT current_user").value()).isEqualTo(PgShards.APP);
        }
    }

    @Test
    @DisplayName("hi-slowloris-login")
    void whoNeverFinishesItsLoginIsSentAway(@TempDir Path folder) throws IOException {
        Authority.named("authority of the test").issue("proxy", "127.0.0.1").write(folder, "proxy");
        Frame startup = Frontend.startup(Frontend.PROTOCOL_3_0, WHO);
        List<Function<WireClient, WireClient>> beginnings = List.of(
                client -> client,
                client -> client.sendHex("00 00"),
                client -> client.send(startup).push().expect("R 10"),
                client -> client.send(startup, Frontend.saslInitialResponse("SCRAM-SHA-256", "n,,n=,r=abc"))
                        .push()
                        .expect("R 10", "R 11"),
                client -> client.sendHex("16 03 01 02 00 01 00 01 fc 03 03").push());
        try (TestProxy slow = TestProxy.over(shards)
                .general("client_login_timeout", 1_500)
                .general("auth_type", "scram")
                .general("tls_certificate", folder.resolve("proxy.crt").toString())
                .general("tls_private_key", folder.resolve("proxy.key").toString())
                .user("password", "secret")
                .start()) {
            List<WireClient> clients = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                for (Function<WireClient, WireClient> beginning : beginnings) {
                    clients.add(beginning.apply(slow.connect()).push());
                }
            }
            try (WireClient sound =
                    WireClient.login(slow.host(), slow.port(), PgShards.APP, TestProxy.DATABASE, "secret")) {
                assertServed(sound);
                TestProxy.await("only the sound one is left", () -> slow.clientCount() == 1);
                assertServed(sound);
            }
            clients.forEach(WireClient::close);
        }
    }

    // ---- too many

    @Test
    @DisplayName("hi-connection-flood: max_client_connections")
    void moreClientsThanAreAllowedAreToldSo() {
        List<WireClient> flood = new ArrayList<>();
        try (TestProxy limited = TestProxy.over(shards)
                        .general("max_client_connections", 20)
                        .general("client_login_timeout", 2_000)
                        .user("pool_size", 2)
                        .start();
                WireClient existing = limited.login()) {
            assertServed(existing);
            int refused = 0;
            for (int i = 0; i < 200; i++) {
                WireClient client = limited.connect();
                flood.add(client);
                if (i % 2 == 0) {
                    refused += isLetIn(client) ? 0 : 1;
                }
            }
            assertThat(refused).isGreaterThan(80);
            // A connection to the server can still be opened, and a statement cancelled.
            existing.query("BEGIN").expect("C BEGIN", "Z T");
            existing.query("SELECT pg_sleep(30)").push();
            TestProxy.await(
                    "it runs",
                    () -> "1"
                            .equals(shards.queryOne(
                                    0, "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")));
            existing.cancel();
            existing.expect("T", "E 57014", "Z E");
            existing.query("ROLLBACK").expect("C ROLLBACK", "Z I");
            flood.forEach(WireClient::close);
            TestProxy.await("the flood is over", () -> limited.clientCount() == 1);
            try (WireClient next = limited.login()) {
                assertServed(next);
            }
        }
    }

    @Test
    @DisplayName("hi-connection-flood")
    void moreClientsThanFilesDoNotBringTheProxyDown(@TempDir Path folder) throws Exception {
        try (OwnProcess process = OwnProcess.start(folder, 320, shards)) {
            long before = process.openFiles();
            List<WireClient> flood = new ArrayList<>();
            List<WireClient> letIn = new ArrayList<>();
            try (WireClient existing = process.login()) {
                assertServed(existing);
                for (int i = 0; i < 600; i++) {
                    WireClient client = WireClient.connect("127.0.0.1", process.port());
                    flood.add(client);
                    if (i % 2 == 0 && isLetIn(client)) {
                        letIn.add(client);
                    }
                    if (i % 50 == 0) {
                        assertServed(existing);
                    }
                }
                assertThat(process.openFiles()).as("some are left").isLessThan(320);
                existing.query("BEGIN").expect("C BEGIN", "Z T");
                // One more connection to the server has to be opened for it.
                assertServed(letIn.get(0));
                existing.query("COMMIT").expect("C COMMIT", "Z I");
                flood.forEach(WireClient::close);
                TestProxy.await("the files are free again", () -> process.openFiles() < before + 20);
                assertServed(existing);
                try (WireClient next = process.login()) {
                    assertServed(next);
                }
            }
        }
    }

    private static boolean isLetIn(WireClient client) {
        client.send(Frontend.startup(Frontend.PROTOCOL_3_0, WHO)).push();
        Frame answer = client.read();
        if (answer.type() == 'R') {
            client.ready();
            return true;
        }
        assertThat(answer.toString()).startsWith("E 53300");
        return false;
    }

    // ---- servers

    private static Frame description() {
        return Backend.rowDescription(List.of("c"));
    }

    private static Frame row() {
        return Backend.dataRow(List.of("v"));
    }

    private static Reaction raw(Frame... frames) {
        return new Reaction() {
            @Override
            public void execute(FakeSession session) {
                session.send(frames);
                session.staySilent();
            }
        };
    }

    static Stream<Arguments> garbage() {
        Frame ready = Backend.readyForQuery('I');
        Frame done = Backend.commandComplete("SELECT 1");
        return Stream.of(
                Arguments.of("a row before its description", raw(row(), done, ready)),
                Arguments.of("ReadyForQuery before the end", raw(description(), row(), ready, row(), done, ready)),
                Arguments.of("ReadyForQuery twice", raw(description(), row(), done, ready, ready)),
                Arguments.of("ReadyForQuery of no status", raw(done, Backend.readyForQuery('x'))),
                Arguments.of(
                        "ReadyForQuery with more",
                        raw(done, Frame.of('Z').int16(0x4900).build())),
                Arguments.of("BindComplete", raw(Backend.empty('2'), done, ready)),
                Arguments.of("an authentication request", raw(Backend.authenticationOk())),
                Arguments.of(
                        "a type that no server sends",
                        raw(Frame.of('Q').string("SELECT 1").build())),
                Arguments.of(
                        "a parameter without end",
                        raw(Frame.of('S').bytes(new byte[] {'a', 'b'}).build())),
                Arguments.of("an error without fields", raw(Frame.of('E').build(), ready)),
                Arguments.of(
                        "an error cut short",
                        raw(Frame.of('E').int8('S').bytes(new byte[] {'E'}).build(), ready)));
    }

    @ParameterizedTest(name = "hi-fake-backend-garbage: {0}")
    @MethodSource("garbage")
    void aServerOutOfStepLosesItsConnectionAndNobodyElseNotices(String what, Reaction reaction) {
        try (FakeServer server = FakeServer.start(new Scripted().on("garbage", reaction));
                TestProxy fake = TestProxy.over(server.port(), "fake").start();
                WireClient other = fake.login();
                WireClient client = fake.login()) {
            other.query("fine").expect("C FINE", "Z I");
            client.query("garbage").push();
            Frame frame = client.read();
            while (frame.type() != 'E' && frame.type() != 'Z') {
                frame = client.read();
            }
            if (frame.type() == 'E') {
                assertThat(frame.toString()).as(what).matches("(?s)E (08006|08P01|XX000|).*");
            }
            for (int i = 0; i < 3; i++) {
                other.query("fine").expect("C FINE", "Z I");
            }
        }
    }

    /** Rows are passed on as they come, so nothing can be said behind a half one. */
    @Test
    @DisplayName("hi-fake-backend-garbage: half a row")
    void aServerThatIsGoneWithinARowEndsItsClientAlone() {
        try (FakeServer server = FakeServer.start(new Scripted().on("garbage", new CloseMidRow()));
                TestProxy fake = TestProxy.over(server.port(), "fake").start();
                WireClient other = fake.login();
                WireClient client = fake.login()) {
            var unused = client.query("garbage").readToEnd();
            other.query("fine").expect("C FINE", "Z I");
        }
    }

    @Test
    @DisplayName("hi-fake-backend-garbage: the end within a COPY")
    void aServerThatIsGoneWithinACopyLosesItsConnection() {
        Frame begin = Frame.of('H').int8(0).int16(1).int16(0).build();
        Frame data = Frame.of('d').bytes(new byte[] {'x', '\n'}).build();
        try (FakeServer server = FakeServer.start(new Scripted().on("garbage", session -> {
                    session.send(begin, data, data);
                    session.close();
                }));
                TestProxy fake = TestProxy.over(server.port(), "fake").start();
                WireClient client = fake.login()) {
            client.query("garbage").expect("H", "d", "d", "E 08006", "Z I");
            client.query("fine").expect("C FINE", "Z I");
        }
    }
}
