package dev.trunkline.proxy.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.fault.Direction;
import dev.trunkline.harness.fault.FakeServer;
import dev.trunkline.harness.fault.TcpRelay;
import dev.trunkline.harness.pg.PgCluster;
import dev.trunkline.harness.pg.PgServer;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.tls.Algorithm;
import dev.trunkline.harness.tls.TlsSockets;
import dev.trunkline.harness.wire.Answer;
import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.harness.wire.Notation;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What users of such systems have reported about logins, encryption and cancels; each test has the name of its case. */
@Shards(2)
class AuthTlsCancelCasesIT {

    private static final SSLSocketFactory ANONYMOUS = TlsSockets.anonymous();
    private static final String PASSWORD = "right";
    private static final byte[] NO_BINDING = "n,,".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] COULD_BIND = "y,,".getBytes(StandardCharsets.US_ASCII);
    private static final String BOUND = "p=tls-server-end-point,,";
    private static final String PLUS = "SCRAM-SHA-256-PLUS";
    private static final String PLAIN = "SCRAM-SHA-256";

    /** A server of its own: it speaks TLS, and its roles and passwords change. */
    private static PgCluster cluster;

    private static PgShards secure;

    private final PgShards shards;
    private Certificates certificates;

    @TempDir
    Path folder;

    AuthTlsCancelCasesIT(PgShards shards) {
        this.shards = shards;
    }

    @BeforeAll
    static void startServer() {
        cluster = PgCluster.start(1);
        secure = cluster.shards(1);
    }

    @AfterAll
    static void stopServer() {
        cluster.close();
    }

    @BeforeEach
    void makeCertificates() {
        certificates = new Certificates(folder);
        certificates.secure(server(), "localhost", "127.0.0.1");
        server().hba(PgServer.DEFAULT_HBA);
    }

    private static PgServer server() {
        return cluster.server(0);
    }

    private static int rounds(int few) {
        return "full".equals(System.getProperty("scale")) ? 1000 : few;
    }

    private TestProxy.Setup first() {
        return TestProxy.over(shards.port(0), shards.database());
    }

    private TestProxy.Setup scram() {
        return certificates.forClients(first()).general("auth_type", "scram").user("password", PASSWORD);
    }

    private static Frame startup(String user, String database) {
        return Frontend.startup(Frontend.PROTOCOL_3_0, Map.of("user", user, "database", database));
    }

    private static void assertWorks(WireClient client) {
        client.query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z I");
    }

    private static String state(Frame error) {
        return error.type() == 'E' ? Notation.fields(error).get('C') : error.toString();
    }

    private static byte[] hash(String algorithm, WireClient client)
            throws NoSuchAlgorithmException, CertificateEncodingException {
        return MessageDigest.getInstance(algorithm)
                .digest(client.peerCertificate().getEncoded());
    }

    private static byte[] join(String header, byte[] binding) {
        byte[] input = Arrays.copyOf(header.getBytes(StandardCharsets.US_ASCII), header.length() + binding.length);
        System.arraycopy(binding, 0, input, header.length(), binding.length);
        return input;
    }

    // ---- who may log in

    @Test
    void atAdminAuthBypass() {
        try (TestProxy proxy = first().general("auth_type", "scram")
                .general("passthrough_auth", "enabled_plain")
                .user("password", PASSWORD)
                .start()) {
            for (String database : List.of("admin", "nowhere")) {
                for (String user : List.of("admin", "app_scram", PgShards.APP)) {
                    try (WireClient client = proxy.connect()) {
                        Frame answer = client.authenticate(Map.of("user", user, "database", database), "secret");
                        assertThat(state(answer)).isEqualTo("28P01");
                        client.expectClosed();
                    }
                }
            }
            try (WireClient client = proxy.connect().startup("app_scram", TestProxy.DATABASE, "secret")) {
                for (String command : List.of("KILL 1", "SHUTDOWN", "PAUSE", "RELOAD")) {
                    assertThat(client.simple(command).sqlState()).isEqualTo("42601");
                }
                assertWorks(client);
            }
        }
    }

    @Test
    void atScramGs2YFlag() {
        certificates.issueProxy(Algorithm.ED25519);
        try (TestProxy proxy = scram().start()) {
            try (WireClient client = proxy.connect().secure(ANONYMOUS)) {
                RawScram login = new RawScram(client, PASSWORD);
                assertThat(login.mechanisms(PgShards.APP, TestProxy.DATABASE)).containsExactly(PLAIN);
                assertThat(login.first(PLAIN, "y,,")).asString().startsWith("R 11");
                assertThat(login.last(COULD_BIND)).asString().startsWith("R 12");
                client.expect("R 0");
                assertWorks(client.ready());
            }
            for (byte[] input : new byte[][] {NO_BINDING, COULD_BIND}) {
                try (WireClient client = proxy.connect()) {
                    RawScram login = new RawScram(client, PASSWORD);
                    assertThat(login.mechanisms(PgShards.APP, TestProxy.DATABASE))
                            .containsExactly(PLAIN);
                    assertThat(login.first(PLAIN, "n,,")).asString().startsWith("R 11");
                    Frame answer = login.last(input);
                    if (input == NO_BINDING) {
                        assertThat(answer).asString().startsWith("R 12");
                        client.expect("R 0");
                        assertWorks(client.ready());
                    } else {
                        assertThat(state(answer)).isEqualTo("08P01");
                        client.expectClosed();
                    }
                }
            }
        }
    }

    @Test
    void atScramPlusOffer() throws Exception {
        try (TestProxy proxy = scram().start()) {
            try (Connection connection = DriverManager.getConnection(proxy.url(
                    "password=" + PASSWORD,
                    "sslmode=verify-full",
                    "sslrootcert=" + certificates.file("ca.crt"),
                    "channelBinding=require"))) {
                assertThat(connection.isValid(5)).isTrue();
            }
            try (WireClient client = proxy.connect().secure(ANONYMOUS)) {
                RawScram login = new RawScram(client, PASSWORD);
                assertThat(login.mechanisms(PgShards.APP, TestProxy.DATABASE)).containsExactly(PLUS, PLAIN);
                assertThat(login.first(PLUS, BOUND)).asString().startsWith("R 11");
                assertThat(login.last(join(BOUND, hash("SHA-256", client))))
                        .asString()
                        .startsWith("R 12");
            }
            try (WireClient client = proxy.connect().secure(ANONYMOUS)) {
                RawScram login = new RawScram(client, PASSWORD);
                assertThat(login.mechanisms(PgShards.APP, TestProxy.DATABASE)).contains(PLUS);
                assertThat(state(login.first(PLAIN, "y,,"))).isEqualTo("28000");
                client.expectClosed();
            }
            try (WireClient client = proxy.connect()) {
                assertThat(new RawScram(client, PASSWORD).mechanisms(PgShards.APP, TestProxy.DATABASE))
                        .containsExactly(PLAIN);
            }
            try (WireClient client = proxy.connect().secure(ANONYMOUS)) {
                RawScram login = new RawScram(client, PASSWORD);
                assertThat(login.mechanisms(PgShards.APP, TestProxy.DATABASE)).contains(PLUS);
                assertThat(login.first(PLUS, BOUND)).asString().startsWith("R 11");
                assertThat(state(login.last(join(BOUND, new byte[32])))).isEqualTo("28000");
                client.expectClosed();
            }
            try (WireClient client = proxy.connect().secure(ANONYMOUS)) {
                RawScram login = new RawScram(client, PASSWORD);
                assertThat(login.mechanisms(PgShards.APP, TestProxy.DATABASE)).contains(PLUS);
                assertThat(state(login.first(PLUS, "p=tls-server-end-point,a=admin,")))
                        .isEqualTo("0A000");
                client.expectClosed();
            }
        }
    }

    @Test
    void atScramPlusCertWithoutHash() throws Exception {
        for (Algorithm algorithm : List.of(Algorithm.ED25519, Algorithm.RSA_PSS)) {
            certificates.issueProxy(algorithm);
            try (TestProxy proxy = scram().start();
                    WireClient client = proxy.connect().secure(ANONYMOUS)) {
                assertThat(new RawScram(client, PASSWORD).mechanisms(PgShards.APP, TestProxy.DATABASE))
                        .containsExactly(PLAIN);
            }
        }
        certificates.issueProxy(Algorithm.RSA_SHA1);
        TestProxy.Setup setup = scram();
        try (TestProxy proxy = setup.start();
                WireClient client = proxy.connect().secure(ANONYMOUS)) {
            RawScram login = new RawScram(client, PASSWORD);
            assertThat(login.mechanisms(PgShards.APP, TestProxy.DATABASE)).contains(PLUS);
            assertThat(login.first(PLUS, BOUND)).asString().startsWith("R 11");
            certificates.issueProxy(Algorithm.RSA_SHA384);
            assertThat(proxy.reload(setup)).isTrue();
            assertThat(login.last(join(BOUND, hash("SHA-256", client))))
                    .asString()
                    .startsWith("R 12");
            try (WireClient next = proxy.connect().secure(ANONYMOUS)) {
                assertThat(next.peerCertificate()).isNotEqualTo(client.peerCertificate());
                RawScram renewed = new RawScram(next, PASSWORD);
                assertThat(renewed.mechanisms(PgShards.APP, TestProxy.DATABASE)).contains(PLUS);
                assertThat(renewed.first(PLUS, BOUND)).asString().startsWith("R 11");
                assertThat(renewed.last(join(BOUND, hash("SHA-384", next))))
                        .asString()
                        .startsWith("R 12");
            }
        }
    }

    @Test
    void atScramSecondBackendLogin() {
        String verifier = shards.queryOne(0, "SELECT rolpassword FROM pg_authid WHERE rolname = 'app_scram'");
        try (TestProxy proxy = TestProxy.over(shards)
                        .general("auth_type", "scram")
                        .user("password", verifier)
                        .user("server_user", "app_scram")
                        // Reads the catalog, before any client has come.
                        .alsoUser("catalog", PgShards.APP, "no need of it")
                        .start();
                WireClient client = proxy.connect().startup(PgShards.APP, TestProxy.DATABASE, "secret")) {
            for (int round = 0; round < 5; round++) {
                // Runs on both shards: the second is connected to long after the login.
                assertThat(client.simple("CREATE TABLE reconnect_" + round + " (id int)")
                                .sqlState())
                        .isNull();
                assertThat(client.simple("SELECT current_user").value()).isEqualTo("app_scram");
                for (int shard = 0; shard < 2; shard++) {
                    shards.execute(
                            shard,
                            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app_scram'");
                }
                TestProxy.await("the pools have noticed", () -> proxy.idle() == 0);
            }
        }
    }

    @Test
    void atPasswordRotation() {
        server().hba(List.of("host all rotated 127.0.0.1/32 scram-sha-256", "host all all 127.0.0.1/32 trust"));
        secure.execute(0, "DROP ROLE IF EXISTS rotated; CREATE ROLE rotated LOGIN PASSWORD 'old'");
        TestProxy.Setup setup = TestProxy.over(secure)
                .general("auth_type", "scram")
                .general("min_pool_size", 0)
                .user("name", "rotated")
                .user("pool_size", 2)
                .user("password", "old");
        try (TestProxy proxy = setup.start();
                WireClient old = proxy.connect().startup("rotated", TestProxy.DATABASE, "old")) {
            String pid = old.simple("SELECT pg_backend_pid()").value();
            secure.execute(0, "ALTER ROLE rotated PASSWORD 'new'");
            setup.user("password", new io.vertx.core.json.JsonArray().add("old").add("new"));
            assertThat(proxy.reload(setup)).isTrue();
            // The pooled connection is kept; one that is opened now needs the new password, and gets it.
            assertThat(old.simple("SELECT pg_backend_pid()").value()).isEqualTo(pid);
            assertThat(old.simple("BEGIN").sqlState()).isNull();
            assertThat(old.simple("SELECT 1").sqlState()).isNull();
            try (WireClient fresh = proxy.connect().startup("rotated", TestProxy.DATABASE, "new")) {
                assertThat(fresh.simple("SELECT pg_backend_pid()").value()).isNotEqualTo(pid);
            }
            assertThat(old.simple("COMMIT").sqlState()).isNull();
            setup.user("password", "new");
            assertThat(proxy.reload(setup)).isTrue();
            assertThat(refusal(proxy, "rotated", "old")).isEqualTo("28P01");
            assertThat(old.simple("SELECT 1").sqlState()).isNull();
        }
        // A wrong password in the configuration: clients hear of it, the server hears of it now and then.
        try (TestProxy proxy = setup.user("server_password", "wrong").start()) {
            long logged = server().logged();
            long begun = System.nanoTime();
            int asked = 0;
            while (System.nanoTime() - begun < Duration.ofSeconds(1).toNanos()) {
                try (WireClient client = proxy.connect()) {
                    Frame ok = client.authenticate(Map.of("user", "rotated", "database", TestProxy.DATABASE), "new");
                    assertThat(ok).hasToString("R 0");
                    client.expect("E 08001").expectClosed();
                }
                asked++;
            }
            long refused = server().logSince(logged).stream()
                    .filter(line -> line.contains("password authentication failed"))
                    .count();
            // At most one in 250 ms on each of two event loops.
            assertThat(refused).isBetween(1L, 12L);
            assertThat(asked).isPositive();
        }
    }

    private static String refusal(TestProxy proxy, String user, String password) {
        try (WireClient client = proxy.connect()) {
            return state(client.authenticate(Map.of("user", user, "database", TestProxy.DATABASE), password));
        }
    }

    @Test
    void atStartupWithoutDatabase() {
        try (TestProxy proxy = first().start()) {
            try (WireClient client = proxy.connect()) {
                client.send(Frontend.startup(Frontend.PROTOCOL_3_0, Map.of("user", PgShards.APP)));
                Frame answer = client.readAny();
                assertThat(Notation.fields(answer).get('M')).contains("database \"" + PgShards.APP + "\"");
            }
            for (Map<String, String> nobody :
                    List.of(Map.of("user", ""), Map.of("database", TestProxy.DATABASE), Map.<String, String>of())) {
                try (WireClient client = proxy.connect()) {
                    client.send(Frontend.startup(Frontend.PROTOCOL_3_0, nobody));
                    client.expect("E 28000").expectClosed();
                }
            }
        }
    }

    @Test
    void atProtocolNegotiation() {
        try (TestProxy proxy = first().start()) {
            for (int version : new int[] {3 << 16 | 2, 3 << 16 | 99}) {
                try (WireClient client = proxy.connect()) {
                    client.send(
                            Frontend.startup(version, Map.of("user", PgShards.APP, "database", TestProxy.DATABASE)));
                    if (version == (3 << 16 | 99)) {
                        Frame negotiation = client.readAny();
                        assertThat(negotiation.type()).isEqualTo('v');
                        assertThat(negotiation.reader().int32()).isEqualTo(3 << 16 | 2);
                    }
                    client.expect("R 0");
                    assertWorks(client.ready());
                }
            }
            try (WireClient client = proxy.connect()) {
                client.send(Frontend.startup(
                        Frontend.PROTOCOL_3_0,
                        Map.of("user", PgShards.APP, "database", TestProxy.DATABASE, "_pq_.foo", "1")));
                var body = client.readAny().reader();
                assertThat(body.int32()).isEqualTo(Frontend.PROTOCOL_3_0);
                assertThat(body.int32()).isEqualTo(1);
                assertThat(body.string()).isEqualTo("_pq_.foo");
                client.expect("R 0");
                assertWorks(client.ready());
            }
            for (int version : new int[] {2 << 16, 4 << 16}) {
                try (WireClient client = proxy.connect()) {
                    client.send(
                            Frontend.startup(version, Map.of("user", PgShards.APP, "database", TestProxy.DATABASE)));
                    client.expect("E 0A000").expectClosed();
                }
            }
        }
    }

    // ---- encryption

    @Test
    void atPlaintextBeforeTls() {
        try (TestProxy proxy = certificates.forClients(first()).start()) {
            for (Frame request : List.of(Frontend.sslRequest(), Frontend.gssEncRequest())) {
                try (WireClient client = proxy.connect()) {
                    client.send(request, startup(PgShards.APP, TestProxy.DATABASE), Frontend.query("SELECT 1"));
                    client.expect("E 08P01").expectClosed();
                }
            }
        }
        try (FakeServer injecting = FakeServer.start(session -> {
                    session.sendRaw(new byte[] {'S', 'R', 0, 0, 0, 8, 0, 0, 0, 0});
                    session.readToEnd();
                });
                TestProxy proxy = TestProxy.over(injecting.port(), "db").start();
                WireClient client = proxy.connect()) {
            client.send(startup(PgShards.APP, TestProxy.DATABASE)).expect("R 0");
            Frame error = client.readAny();
            assertThat(state(error)).isEqualTo("08001");
            assertThat(Notation.fields(error).get('D')).contains("unencrypted data");
        }
    }

    @Test
    void atGssencThenSsl() {
        try (TestProxy proxy = certificates.forClients(first()).start()) {
            try (WireClient client = proxy.connect()) {
                assertThat(client.gssEncRequest()).isEqualTo('N');
                client.secure(ANONYMOUS);
                assertWorks(client.startup(PgShards.APP, TestProxy.DATABASE, ""));
            }
            try (WireClient client = proxy.connect().tls(ANONYMOUS, "postgresql")) {
                assertWorks(client.startup(PgShards.APP, TestProxy.DATABASE, ""));
            }
        }
        try (TestProxy proxy = first().start()) {
            try (WireClient client = proxy.connect()) {
                assertThat(client.gssEncRequest()).isEqualTo('N');
                assertThat(client.sslRequest()).isEqualTo('N');
                assertWorks(client.startup(PgShards.APP, TestProxy.DATABASE, ""));
            }
            try (WireClient client = proxy.connect()) {
                client.sendHex("16 03 01 00 05 01 00 00 01 03")
                        .expect("E 08P01")
                        .expectClosed();
            }
        }
    }

    @Test
    void atTlsRecordStall() {
        try (TestProxy proxy = certificates
                        .forClients(TestProxy.over(secure))
                        .general("tls_verify", "require")
                        .start();
                WireClient client = proxy.connect().secure(ANONYMOUS)) {
            client.startup(PgShards.APP, TestProxy.DATABASE, "");
            java.util.Random random = new java.util.Random(7);
            String name = "n".repeat(60);
            for (int round = 0; round < rounds(300); round++) {
                int bytes = 1 + random.nextInt(20_000);
                client.query("SELECT repeat('x', " + bytes + "); SET application_name = '" + name + round % 9
                        + "'; SELECT set_config('TimeZone', '" + (round % 2 == 0 ? "UTC" : "Europe/Berlin")
                        + "', false)");
                Answer answer = client.answer();
                assertThat(answer.sqlState()).isNull();
            }
            for (int round = 0; round < 3; round++) {
                client.query("SELECT repeat(chr(97 + n % 26), 1000000) FROM generate_series(1, 5) n")
                        .expect("T");
                for (int n = 1; n <= 5; n++) {
                    assertThat(client.read().body()).hasSize(6 + 1_000_000);
                }
                client.expect("C SELECT 5", "Z I");
            }
        }
    }

    // ---- cancels

    @Test
    void atCancelHitsNextQuery() throws InterruptedException {
        try (TcpRelay relay = TcpRelay.to("127.0.0.1", secure.port(0));
                TestProxy proxy = TestProxy.over(relay.port(), secure.database())
                        .general("tls_verify", "require")
                        .start();
                WireClient canceller = proxy.login();
                WireClient victim = proxy.login()) {
            canceller.simple("SELECT 1").ok();
            relay.delay(Direction.TO_SERVER, Duration.ofMillis(5));
            int cancelled = 0;
            for (int round = 0; round < rounds(40); round++) {
                canceller.query("SELECT pg_sleep(0.0" + round % 6 + ")").push();
                Thread cancel = new Thread(canceller::cancel);
                cancel.start();
                for (int i = 0; i < 3; i++) {
                    victim.query("SELECT " + i).expect("T", "D " + i, "C SELECT 1", "Z I");
                }
                String state = canceller.answer().sqlState();
                assertThat(state).isIn(null, "57014");
                cancelled += state == null ? 0 : 1;
                cancel.join();
            }
            assertThat(cancelled).isPositive();
        }
    }

    @Test
    void atCancelIdleOrBadKey() {
        try (TestProxy proxy = certificates.forClients(first()).start();
                WireClient client = proxy.login();
                WireClient other = proxy.login()) {
            client.cancel();
            client.cancel(ANONYMOUS);
            int gone = closed(proxy);
            List<byte[]> keys = new ArrayList<>(List.of(new byte[] {1, 2, 3, 4}, new byte[32], new byte[256]));
            for (int processId : new int[] {client.processId(), gone, 0, -1}) {
                for (byte[] key : keys) {
                    try (WireClient cancel = proxy.connect()) {
                        cancel.send(Frontend.cancelRequest(processId, key)).expectClosed();
                    }
                }
            }
            try (WireClient cancel = proxy.connect()) {
                cancel.sendHex("00 00 00 10 04 d2 16 2e 00 00 00 01").push();
                cancel.shutdownOutput();
                assertThat(cancel.readToEnd().bytes()).isEmpty();
            }
            assertWorks(client);
            assertWorks(other);
        }
    }

    private static int closed(TestProxy proxy) {
        try (WireClient client = proxy.login()) {
            int processId = client.processId();
            client.terminate();
            return processId;
        }
    }

    @Test
    void atCancelSurplusRfq() throws InterruptedException {
        try (TestProxy proxy = first().start();
                WireClient client = proxy.login()) {
            for (int round = 0; round < rounds(200); round++) {
                client.query("SELECT pg_sleep(0.00" + round % 4 + ")").push();
                Thread cancel = new Thread(client::cancel);
                cancel.start();
                assertThat(client.answer().sqlState()).isIn(null, "57014");
                // A cancel that arrives late may end the next statement, never shift its answer.
                Answer next = client.simple("SELECT " + (1000 + round));
                if (next.sqlState() == null) {
                    assertThat(next.value()).isEqualTo(String.valueOf(1000 + round));
                }
                cancel.join();
                assertThat(client.simple("SELECT " + (2000 + round)).value()).isEqualTo(String.valueOf(2000 + round));
            }
        }
    }

    @Test
    void atCancelWhileQueued() {
        try (TestProxy proxy = first().start();
                WireClient holder = proxy.login();
                WireClient queued = proxy.login()) {
            holder.query("BEGIN").expect("C BEGIN", "Z T");
            holder.simple("SELECT 1").ok();
            queued.query("CREATE TABLE queued_statement (id int)").push();
            TestProxy.await("it waits", () -> proxy.waiting() == 1);
            queued.cancel();
            queued.expect("E 57014", "Z I");
            assertThat(proxy.waiting()).isZero();
            holder.query("COMMIT").expect("C COMMIT", "Z I");
            assertThat(shards.queryOne(0, "SELECT count(*) FROM pg_class WHERE relname = 'queued_statement'"))
                    .isEqualTo("0");
        }
    }
}
