package dev.trunkline.proxy.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.tls.Authority;
import dev.trunkline.harness.tls.Issued;
import dev.trunkline.harness.tls.TlsSockets;
import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients are served over TLS, asked for or direct; nothing that came before the handshake counts. */
@Shards(1)
class ClientTlsIT {

    private static final SSLSocketFactory ANONYMOUS = TlsSockets.anonymous();

    private final PgShards shards;
    private final Authority authority = Authority.named("authority of the test");

    @TempDir
    Path folder;

    ClientTlsIT(PgShards shards) {
        this.shards = shards;
    }

    @BeforeEach
    void makeCertificates() throws IOException {
        authority.issue("proxy", "localhost", "127.0.0.1").write(folder, "proxy");
        Files.writeString(folder.resolve("ca.crt"), authority.own().certificatePem());
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private TestProxy.Setup encrypted() {
        return TestProxy.over(shards)
                .general("tls_certificate", file("proxy.crt"))
                .general("tls_private_key", file("proxy.key"));
    }

    private TestProxy.Setup scram() {
        return encrypted().general("auth_type", "scram").user("password", "right");
    }

    private static void assertWorks(WireClient client) {
        client.query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z I");
    }

    private static String one(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgres", "direct"})
    void servesADriverThatVerifiesAllAndInsistsOnChannelBinding(String negotiation) throws SQLException {
        try (TestProxy proxy = scram().general("tls_client_required", true).start();
                Connection connection = DriverManager.getConnection(proxy.url(
                        "password=right",
                        "sslmode=verify-full",
                        "sslrootcert=" + file("ca.crt"),
                        "channelBinding=require",
                        "sslNegotiation=" + negotiation))) {
            assertThat(one(connection, "SELECT 'encrypted'")).isEqualTo("encrypted");
        }
    }

    @Test
    void cannotBeTakenForAnotherHostOrAuthority() throws IOException {
        Files.writeString(
                folder.resolve("other.crt"), Authority.named("other").own().certificatePem());
        try (TestProxy proxy = scram().start()) {
            assertThatThrownBy(() -> DriverManager.getConnection(
                            proxy.url("password=right", "sslmode=verify-ca", "sslrootcert=" + file("other.crt"))))
                    .isInstanceOf(SQLException.class);
        }
    }

    @Test
    void goesOnInClearWhereTlsIsNotDemanded() {
        try (TestProxy proxy = encrypted().start();
                WireClient client = proxy.login()) {
            assertWorks(client);
        }
    }

    @Test
    void demandsTlsBeforeItAsksForAPassword() {
        try (TestProxy proxy = scram().general("tls_client_required", true).start()) {
            try (WireClient client = proxy.connect()) {
                client.send(Frontend.startup(
                        Frontend.PROTOCOL_3_0, Map.of("user", PgShards.APP, "database", TestProxy.DATABASE)));
                client.expect("E 08004").expectClosed();
            }
            try (WireClient client = proxy.connect().secure(ANONYMOUS)) {
                assertWorks(client.startup(PgShards.APP, TestProxy.DATABASE, "right"));
            }
        }
    }

    /** Words in clear after the answer are no TLS records: the handshake fails, nothing is carried out. */
    @Test
    void endsAHandshakeThatIsNone() {
        try (TestProxy proxy = encrypted().start();
                WireClient client = proxy.connect()) {
            assertThat(client.sslRequest()).isEqualTo('S');
            client.send(Frontend.startup(
                    Frontend.PROTOCOL_3_0, Map.of("user", PgShards.APP, "database", TestProxy.DATABASE)));
            assertOnlyAlerts(client);
        }
    }

    /** What the proxy says until it closes are alerts of TLS, if anything. */
    private static void assertOnlyAlerts(WireClient client) {
        byte[] said = client.readToEnd().bytes();
        assertThat(said.length == 0 || said[0] == 0x15)
                .as(HexFormat.of().formatHex(said))
                .isTrue();
    }

    @Test
    void wantsDirectTlsToSayThatItMeansPostgresql() {
        try (TestProxy proxy = encrypted().start()) {
            try (WireClient client = proxy.connect().tls(ANONYMOUS)) {
                client.expect("E 08P01").expectClosed();
            }
            try (WireClient client = proxy.connect()) {
                assertThatThrownBy(() -> client.tls(ANONYMOUS, "http/1.1"))
                        .hasMessageContaining("application_protocol");
            }
        }
    }

    @Test
    void takesNoRequestForEncryptionUnderEncryption() {
        try (TestProxy proxy = encrypted().start()) {
            for (Frame request : List.of(Frontend.sslRequest(), Frontend.gssEncRequest())) {
                try (WireClient client = proxy.connect().secure(ANONYMOUS)) {
                    client.send(request).expect("E 0A000").expectClosed();
                }
            }
        }
    }

    @Test
    void cancelsOverTls() {
        try (TestProxy proxy = encrypted().start();
                WireClient client = proxy.connect().secure(ANONYMOUS)) {
            client.startup(PgShards.APP, TestProxy.DATABASE, "");
            client.query("SELECT pg_sleep(20)").push();
            TestProxy.await("the statement runs", () -> proxy.leased() == 1);
            client.cancel(ANONYMOUS);
            client.expect("T", "E 57014", "Z I");
            assertWorks(client);
        }
    }

    @Test
    void endsAHandshakeThatTakesTooLong() {
        try (TestProxy proxy = encrypted().general("client_login_timeout", 300).start();
                WireClient client = proxy.connect()) {
            assertThat(client.sslRequest()).isEqualTo('S');
            assertOnlyAlerts(client);
        }
    }

    @Test
    void endsALoginThatTakesTooLongUnderTls() {
        try (TestProxy proxy = scram().general("client_login_timeout", 400).start();
                WireClient client = proxy.connect().secure(ANONYMOUS)) {
            client.send(Frontend.startup(
                    Frontend.PROTOCOL_3_0, Map.of("user", PgShards.APP, "database", TestProxy.DATABASE)));
            client.expect("R 10", "E 57014").expectClosed();
        }
    }

    @Test
    void letsNobodyHoldAConnectionWithoutAWord() {
        try (TestProxy proxy = encrypted().general("client_login_timeout", 300).start();
                WireClient client = proxy.connect()) {
            client.expect("E 57014").expectClosed();
        }
    }

    /** Else a restart would tell who has a stored verifier, whose salt never changes. */
    @Test
    void asksWithTheSameSaltsAfterARestart() {
        String known = salt(PgShards.APP);
        String unknown = salt("nobody");
        assertThat(known).isNotEqualTo(unknown);
        assertThat(salt(PgShards.APP)).isEqualTo(known);
        assertThat(salt("nobody")).isEqualTo(unknown);
    }

    private String salt(String user) {
        try (TestProxy proxy = scram().start();
                WireClient client = proxy.connect()) {
            RawScram login = new RawScram(client, "right");
            assertThat(login.mechanisms(user, TestProxy.DATABASE)).isNotEmpty();
            String first = new String(
                    login.first("SCRAM-SHA-256", "n,,").body(), java.nio.charset.StandardCharsets.ISO_8859_1);
            return first.replaceAll("(?s).*,s=([^,]+),.*", "$1");
        }
    }

    // ---- certificates of clients

    private Issued client(String name) {
        return authority.issue(name);
    }

    private TestProxy.Setup mutual() {
        return encrypted().general("tls_client_ca_certificate", file("ca.crt"));
    }

    private static WireClient asking(TestProxy proxy, SSLSocketFactory factory) {
        return proxy.connect()
                .secure(factory)
                .send(Frontend.startup(
                        Frontend.PROTOCOL_3_0, Map.of("user", PgShards.APP, "database", TestProxy.DATABASE)));
    }

    @Test
    void asksForACertificateOfAKnownAuthority() {
        try (TestProxy proxy =
                mutual().general("tls_client_verify", "verify_ca").start()) {
            try (WireClient client = asking(proxy, TlsSockets.showing(client("whoever")))) {
                client.expect("R 0");
                assertWorks(client.ready());
            }
            try (WireClient client = asking(proxy, ANONYMOUS)) {
                client.expect("E 28000").expectClosed();
            }
            try (WireClient client = proxy.connect()) {
                client.send(Frontend.startup(
                        Frontend.PROTOCOL_3_0, Map.of("user", PgShards.APP, "database", TestProxy.DATABASE)));
                client.expect("E 28000").expectClosed();
            }
        }
    }

    @Test
    void asksForTheUsersOwnCertificateBesideThePassword() {
        try (TestProxy proxy = mutual().general("tls_client_verify", "verify_full")
                .general("auth_type", "scram")
                .user("password", "right")
                .start()) {
            try (WireClient client = proxy.connect().secure(TlsSockets.showing(client(PgShards.APP)))) {
                assertWorks(client.startup(PgShards.APP, TestProxy.DATABASE, "right"));
            }
            try (WireClient client = asking(proxy, TlsSockets.showing(client("postgres")))) {
                client.expect("E 28000").expectClosed();
            }
        }
    }

    @Test
    void takesACertificateForThePassword() {
        try (TestProxy proxy = mutual().general("auth_type", "cert").start()) {
            try (WireClient client = asking(proxy, TlsSockets.showing(client(PgShards.APP)))) {
                client.expect("R 0");
                assertWorks(client.ready());
            }
            try (WireClient client = asking(proxy, TlsSockets.showing(client("other")))) {
                client.expect("E 28000").expectClosed();
            }
            try (WireClient client = asking(proxy, ANONYMOUS)) {
                client.expect("E 28000").expectClosed();
            }
        }
    }

    @Test
    void takesNoCertificateOfAnUnknownAuthority() {
        Issued forged = Authority.named("authority of the test").issue(PgShards.APP);
        try (TestProxy proxy = mutual().general("auth_type", "cert").start();
                WireClient client = proxy.connect()) {
            assertThatThrownBy(() -> {
                        client.secure(TlsSockets.showing(forged));
                        client.send(Frontend.startup(
                                Frontend.PROTOCOL_3_0, Map.of("user", PgShards.APP, "database", TestProxy.DATABASE)));
                        client.expect("R 0");
                    })
                    .isInstanceOf(AssertionError.class);
        }
    }

    /** Rows of every size pass, whole and unharmed, however they lie in the records. */
    @Test
    void passesLargeAnswersOverTls() {
        try (TestProxy proxy = encrypted().start();
                WireClient client = proxy.connect().secure(ANONYMOUS)) {
            client.startup(PgShards.APP, TestProxy.DATABASE, "");
            String sql =
                    "SELECT sum(length(x))::text FROM (SELECT repeat('x', n) AS x FROM generate_series(1, 40000, 997) n) t";
            assertThat(client.simple(sql).value()).isNotNull();
            client.query("SELECT repeat(chr(65 + n % 26), n * 13) FROM generate_series(1, 3000) n");
            client.expect("T");
            for (int n = 1; n <= 3000; n++) {
                byte[] body = client.read().body();
                assertThat(body).hasSize(6 + n * 13).endsWith((byte) (65 + n % 26));
            }
            client.expect("C SELECT 3000", "Z I").expectSilence(Duration.ofMillis(1));
        }
    }
}
