package dev.trunkline.proxy.oneshard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.harness.wire.Notation;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import dev.trunkline.proxy.fixture.WithProxy;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The first packets of a connection are answered as PostgreSQL answers them; what is no start-up ends in FATAL. */
@Shards(1)
@WithProxy
class StartupIT {

    private static final int PROTOCOL_3_2 = 3 << 16 | 2;

    private final PgShards shards;
    private final TestProxy proxy;

    StartupIT(PgShards shards, TestProxy proxy) {
        this.shards = shards;
        this.proxy = proxy;
    }

    private static Map<String, String> login(String... more) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("user", PgShards.APP);
        parameters.put("database", TestProxy.DATABASE);
        for (int i = 0; i < more.length; i += 2) {
            parameters.put(more[i], more[i + 1]);
        }
        return parameters;
    }

    private WireClient connectAs(int protocol, Map<String, String> parameters) {
        return proxy.connect().send(Frontend.startup(protocol, parameters));
    }

    private static void assertWorks(WireClient client) {
        client.query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z I");
    }

    @Test
    void declinesEncryptionInAnyOrderAndGoesOn() {
        try (WireClient client = proxy.connect()) {
            assertThat(client.gssEncRequest()).isEqualTo('N');
            assertThat(client.sslRequest()).isEqualTo('N');
            assertWorks(client.startup(PgShards.APP, TestProxy.DATABASE, ""));
        }
        try (WireClient client = proxy.connect()) {
            assertThat(client.sslRequest()).isEqualTo('N');
            assertThat(client.gssEncRequest()).isEqualTo('N');
            assertWorks(client.startup(PgShards.APP, TestProxy.DATABASE, ""));
        }
    }

    @Test
    void refusesEndlessRequestsForEncryption() {
        try (WireClient client = proxy.connect()) {
            assertThat(client.sslRequest()).isEqualTo('N');
            assertThat(client.sslRequest()).isEqualTo('N');
            client.send(Frontend.sslRequest()).expect("E 08P01").expectClosed();
        }
    }

    @Test
    void tellsWhatTheServerReports() {
        try (WireClient direct = WireClient.login("127.0.0.1", shards.port(0), PgShards.APP, shards.database());
                WireClient client = proxy.login()) {
            for (String name : new String[] {
                "server_version",
                "server_encoding",
                "client_encoding",
                "DateStyle",
                "TimeZone",
                "integer_datetimes",
                "IntervalStyle",
                "standard_conforming_strings",
                "is_superuser",
                "session_authorization",
                "application_name",
                "in_hot_standby",
                "default_transaction_read_only"
            }) {
                String expected = name.equals("client_encoding") ? "UTF8" : direct.parameter(name);
                assertThat(client.parameter(name)).as(name).isEqualTo(expected);
            }
            assertThat(client.processId()).isNotZero();
        }
    }

    @Test
    void speaksTheMinorVersionsItKnows() {
        try (WireClient client = connectAs(PROTOCOL_3_2, login())) {
            client.expect("R 0");
            Frame key = client.readAny();
            while (key.type() != 'K') {
                key = client.readAny();
            }
            assertThat(key.body()).as("process ID and a long key").hasSize(4 + 32);
            assertWorks(client.ready());
        }
    }

    @Test
    void cancelsByALongKeyToo() {
        try (WireClient client = connectAs(PROTOCOL_3_2, login())) {
            client.expect("R 0").ready().query("SELECT pg_sleep(20)").push();
            TestProxy.await("the statement runs", () -> proxy.leased() == 1);
            client.cancel();
            client.expect("T", "E 57014", "Z I");
        }
    }

    @ParameterizedTest
    @CsvSource({"3,9,196610", "3,99,196610", "3,3,196610"})
    void negotiatesTheMinorVersion(int major, int minor, int offered) {
        try (WireClient client = connectAs(major << 16 | minor, login())) {
            Frame negotiation = client.readAny();
            assertThat(negotiation.type()).isEqualTo('v');
            assertThat(negotiation.reader().int32()).isEqualTo(offered);
            client.expect("R 0");
            assertWorks(client.ready());
        }
    }

    @Test
    void namesTheProtocolOptionsItDoesNotKnow() {
        try (WireClient client =
                connectAs(Frontend.PROTOCOL_3_0, login("_pq_.one", "1", "_pq_.two", "x", "application_name", "a"))) {
            Frame negotiation = client.readAny();
            assertThat(negotiation.type()).isEqualTo('v');
            var body = negotiation.reader();
            assertThat(body.int32()).isEqualTo(Frontend.PROTOCOL_3_0);
            assertThat(body.int32()).isEqualTo(2);
            assertThat(body.string()).isEqualTo("_pq_.one");
            assertThat(body.string()).isEqualTo("_pq_.two");
            assertThat(body.hasMore()).isFalse();
            client.expect("R 0");
            assertWorks(client.ready());
            assertThat(client.parameter("application_name")).isEqualTo("a");
        }
    }

    @ParameterizedTest
    @CsvSource({"2,0", "4,0", "1234,0", "0,3"})
    void refusesOtherProtocols(int major, int minor) {
        try (WireClient client = connectAs(major << 16 | minor, login())) {
            client.expect("E 0A000").expectClosed();
        }
    }

    @Test
    void refusesAClientWithoutName() {
        try (WireClient client = connectAs(Frontend.PROTOCOL_3_0, Map.of("database", TestProxy.DATABASE))) {
            client.expect("E 28000").expectClosed();
        }
        try (WireClient client = connectAs(Frontend.PROTOCOL_3_0, Map.of("user", "", "database", TestProxy.DATABASE))) {
            client.expect("E 28000").expectClosed();
        }
    }

    @Test
    void takesTheUserForTheDatabaseWhenNoneIsNamed() {
        try (WireClient client = connectAs(Frontend.PROTOCOL_3_0, Map.of("user", PgShards.APP))) {
            Frame answer = client.readAny();
            assertThat(answer.type()).isEqualTo('E');
            assertThat(Notation.fields(answer).get('M')).contains("database \"" + PgShards.APP + "\"");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "on", "1", "database", "yes"})
    void refusesReplication(String value) {
        try (WireClient client = connectAs(Frontend.PROTOCOL_3_0, login("replication", value))) {
            client.expect("E 0A000").expectClosed();
        }
    }

    @Test
    void letsAServerJudgeStartupSettings() {
        try (WireClient client = connectAs(Frontend.PROTOCOL_3_0, login("no_such_setting", "1"))) {
            client.expect("R 0", "E 42704").expectClosed();
        }
        try (WireClient client = connectAs(Frontend.PROTOCOL_3_0, login("DateStyle", "nonsense"))) {
            client.expect("R 0", "E 22023").expectClosed();
        }
        try (WireClient client = proxy.login()) {
            assertWorks(client);
        }
    }

    @Test
    void refusesACommandLineItDoesNotKnow() {
        try (WireClient client = connectAs(Frontend.PROTOCOL_3_0, login("options", "-E"))) {
            client.expect("E 42601").expectClosed();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00 00 00 04", // no room for a version
                "00 00 00 07 00 03 00",
                "00 00 00 00 00 03 00 00",
                "ff ff ff ff 00 03 00 00",
                "7f ff ff ff 00 03 00 00",
                "00 00 27 15 00 03 00 00", // one byte more than PostgreSQL takes
                "00 00 00 0d 00 03 00 00 75 73 65 72 00", // "user" without a value
                "00 00 00 0f 00 03 00 00 75 73 65 72 00 61 62", // a value without end
                "00 00 00 0c 04 d2 16 2e 00 00 00 01", // CancelRequest without a key
                "47 45 54 20 2f 20 48 54 54 50 2f 31 2e 31 0d 0a 0d 0a" // GET / HTTP/1.1
            })
    void endsInGarbage(String hex) {
        try (WireClient client = proxy.connect().sendHex(hex)) {
            client.expect("E 08P01").expectClosed();
        }
        try (WireClient client = proxy.login()) {
            assertWorks(client);
        }
    }

    @Test
    void takesAStartupThatComesByteByByte() {
        byte[] packet = Frontend.startup(Frontend.PROTOCOL_3_0, login()).bytes();
        try (WireClient client = proxy.connect()) {
            for (byte each : packet) {
                client.sendRaw(new byte[] {each}).push();
            }
            client.expect("R 0");
            assertWorks(client.ready());
        }
    }

    @Test
    void takesStatementsSentAlongWithTheStartup() {
        try (WireClient client = proxy.connect()) {
            client.send(Frontend.startup(Frontend.PROTOCOL_3_0, login("application_name", "early bird é")))
                    .query("SELECT 1")
                    .parse("", "SELECT $1::int")
                    .bind("", "", 7)
                    .execute("")
                    .sync()
                    .push();
            client.expect("R 0");
            client.ready().expect("T", "D 1", "C SELECT 1", "Z I", "1", "2", "D 7", "C SELECT 1", "Z I");
        }
    }

    @Test
    void takesALongStartupPacket() {
        String name = "x".repeat(9_000);
        try (WireClient client = connectAs(Frontend.PROTOCOL_3_0, login("application_name", name))) {
            client.expect("R 0");
            client.ready();
            assertThat(client.parameter("application_name")).isEqualTo("x".repeat(63));
            assertThat(client.simple("SHOW application_name").value()).isEqualTo("x".repeat(63));
        }
    }

    @Test
    void answersNothingToACancelWithAWrongKey() {
        try (WireClient client = proxy.login();
                WireClient other = proxy.connect()) {
            other.send(Frontend.cancelRequest(client.processId(), new byte[] {1, 2, 3, 4}))
                    .expectClosed();
            assertWorks(client);
        }
        try (WireClient other = proxy.connect()) {
            other.send(Frontend.cancelRequest(
                            12345, "a key as long as those of protocol 3.2".getBytes(StandardCharsets.UTF_8)))
                    .expectClosed();
        }
    }
}
