package dev.trunkline.proxy.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.fault.FakeServer;
import dev.trunkline.harness.fault.Scripted;
import dev.trunkline.harness.pg.PgCluster;
import dev.trunkline.harness.pg.PgServer;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.tls.Authority;
import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.Notation;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers are reached over TLS as {@code tls_verify} says, or not at all. */
class ServerTlsIT {

    private static final String IS_ENCRYPTED = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";

    private static PgCluster cluster;
    private static PgShards shards;

    private Certificates certificates;

    @TempDir
    Path folder;

    @BeforeAll
    static void startServers() {
        cluster = PgCluster.start(2);
        shards = cluster.shards(2);
    }

    @AfterAll
    static void stopServers() {
        cluster.close();
    }

    @BeforeEach
    void secure() {
        certificates = new Certificates(folder);
        cluster.servers().forEach(server -> {
            certificates.secure(server, "localhost", "127.0.0.1");
            server.hba(PgServer.DEFAULT_HBA);
        });
    }

    private TestProxy.Setup verified(String verify) {
        return TestProxy.over(shards.port(0), shards.database())
                .general("tls_verify", verify)
                .general("tls_server_ca_certificate", certificates.file("ca.crt"));
    }

    private TestProxy.Setup unverified(String verify) {
        return TestProxy.over(shards.port(0), shards.database()).general("tls_verify", verify);
    }

    private static String isEncrypted(TestProxy.Setup setup) {
        try (TestProxy proxy = setup.start();
                WireClient client = proxy.login()) {
            return client.simple(IS_ENCRYPTED).value();
        }
    }

    /** Why there is no connection to the server: the detail of the client's error. */
    private static String refusal(TestProxy.Setup setup) {
        try (TestProxy proxy = setup.start();
                WireClient client = proxy.connect()) {
            Frame ok = client.authenticate(Map.of("user", PgShards.APP, "database", TestProxy.DATABASE), "");
            assertThat(ok).hasToString("R 0");
            Frame error = client.readAny();
            assertThat(Notation.fields(error).get('C')).isEqualTo("08001");
            return Notation.fields(error).get('D');
        }
    }

    @ParameterizedTest
    @CsvSource({"disabled,f", "prefer,t", "require,t"})
    void encryptsAsFarAsItIsTold(String verify, String encrypted) {
        assertThat(isEncrypted(unverified(verify))).isEqualTo(encrypted);
    }

    @ParameterizedTest
    @ValueSource(strings = {"verify_ca", "verify_full"})
    void encryptsAndVerifies(String verify) {
        assertThat(isEncrypted(verified(verify))).isEqualTo("t");
    }

    @Test
    void wantsTheCertificateToNameTheHost() {
        certificates.secure(cluster.server(0), "elsewhere.example");
        assertThat(isEncrypted(verified("verify_ca"))).isEqualTo("t");
        assertThat(refusal(verified("verify_full"))).contains("127.0.0.1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"verify_ca", "verify_full"})
    void wantsTheCertificateOfAKnownAuthority(String verify) {
        certificates.write(
                "ca.crt", Authority.named("authority of the test").own().certificatePem());
        assertThat(refusal(verified(verify))).contains("PKIX");
        // Nor does the Java runtime know it.
        assertThat(refusal(unverified(verify))).contains("PKIX");
    }

    @Test
    void wantsACertificateThatIsStillValid() {
        var expired = Authority.named("ca");
        var issued = expired.issueFor(Duration.ofHours(1), "server", "127.0.0.1");
        certificates.write("ca.crt", expired.own().certificatePem());
        cluster.server(0).tls(issued.certificatePem(), issued.keyPem());
        assertThat(refusal(verified("verify_ca"))).containsIgnoringCase("path");
        assertThat(isEncrypted(unverified("require"))).isEqualTo("t");
    }

    @Test
    void goesWithoutEncryptionOnlyWhereItMay() {
        try (FakeServer plain = FakeServer.start(new Scripted())) {
            try (TestProxy proxy = TestProxy.over(plain.port(), "db")
                            .general("tls_verify", "prefer")
                            .start();
                    WireClient client = proxy.login()) {
                client.simple("SELECT 1").ok();
            }
            assertThat(refusal(TestProxy.over(plain.port(), "db").general("tls_verify", "require")))
                    .contains("does not offer TLS");
            assertThat(refusal(TestProxy.over(plain.port(), "db")
                            .general("tls_verify", "verify_full")
                            .general("tls_server_ca_certificate", certificates.file("ca.crt"))))
                    .contains("does not offer TLS");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"S", "N"})
    void believesNothingThatStandsBehindTheAnswer(String answer) {
        try (FakeServer injecting = FakeServer.start(session -> {
            session.sendRaw((answer + "R\0\0\0\10\0\0\0\0").getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            session.readToEnd();
        })) {
            assertThat(refusal(TestProxy.over(injecting.port(), "db").general("tls_verify", "prefer")))
                    .contains("unencrypted data");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"E", "x", "G"})
    void refusesAnAnswerThatIsNone(String answer) {
        try (FakeServer strange = FakeServer.start(session -> {
            session.sendRaw(answer.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            session.readToEnd();
        })) {
            assertThat(refusal(TestProxy.over(strange.port(), "db").general("tls_verify", "prefer")))
                    .contains("does not understand");
        }
    }

    @Test
    void givesUpOnAServerThatDoesNotAnswer() {
        try (FakeServer silent = FakeServer.start(session -> session.readToEnd())) {
            assertThat(refusal(TestProxy.over(silent.port(), "db")
                            .general("tls_verify", "require")
                            .general("connect_timeout", 300)))
                    .contains("in time");
        }
    }

    /** What the server demands of connections of its own choice holds for the proxy's, too. */
    @ParameterizedTest
    @CsvSource({"scram-sha-256,app_scram", "md5,app_md5", "md5,app_scram", "password,app_scram", "password,app_md5"})
    void provesItselfUnderEncryptionByEveryMethod(String method, String user) {
        cluster.server(0)
                .hba(List.of("hostssl all " + user + " 127.0.0.1/32 " + method, "host all all 127.0.0.1/32 trust"));
        try (TestProxy proxy = verified("verify_full")
                        .user("server_user", user)
                        .user("server_password", "secret")
                        .start();
                WireClient client = proxy.login()) {
            assertThat(client.simple("SELECT current_user").value()).isEqualTo(user);
            assertThat(client.simple(IS_ENCRYPTED).value()).isEqualTo("t");
        }
        assertThat(refusal(verified("verify_full").user("server_user", user).user("server_password", "wrong")))
                .contains("28P01");
    }

    @Test
    void opensConnectionsByMd5WithTheHashAlone() {
        String hash = shards.queryOne(0, "SELECT rolpassword FROM pg_authid WHERE rolname = 'app_md5'");
        cluster.server(0).hba(List.of("host all app_md5 127.0.0.1/32 md5", "host all all 127.0.0.1/32 trust"));
        try (TestProxy proxy = unverified("require")
                        .user("server_user", "app_md5")
                        .user("server_password", hash)
                        .start();
                WireClient client = proxy.login()) {
            assertThat(client.simple("SELECT current_user").value()).isEqualTo("app_md5");
        }
    }

    @Test
    void cancelsOverTls() {
        // Cancels that came in clear would be refused here as well, but silently: the statement must end.
        cluster.server(0)
                .hba(List.of("hostssl all all 127.0.0.1/32 trust", "host postgres postgres 127.0.0.1/32 trust"));
        try (TestProxy proxy = verified("verify_full").start();
                WireClient client = proxy.login()) {
            client.query("SELECT pg_sleep(30)").push();
            TestProxy.await("the statement runs", () -> proxy.leased() == 1);
            client.cancel();
            client.expect("T", "E 57014", "Z I");
            client.simple("SELECT 1").ok();
        }
    }

    /** The connections outside of every pool: the catalog's here. */
    @Test
    void readsTheCatalogOverTlsAsWell() {
        cluster.servers()
                .forEach(server -> server.hba(List.of(
                        "hostssl all all 127.0.0.1/32 trust",
                        "hostnossl " + shards.database() + " app 127.0.0.1/32 reject",
                        "host all all 127.0.0.1/32 trust")));
        for (String verify : List.of("require", "verify_ca", "verify_full")) {
            TestProxy.Setup setup = TestProxy.over(shards).general("tls_verify", verify);
            if (verify.startsWith("verify")) {
                setup.general("tls_server_ca_certificate", certificates.file("ca.crt"));
            }
            try (TestProxy proxy = setup.start();
                    WireClient client = proxy.login()) {
                assertThat(client.simple("SELECT 1").value()).isEqualTo("1");
            }
        }
    }

    @Test
    void takesANewAuthorityAtAReload() {
        TestProxy.Setup setup = verified("verify_full").user("pool_size", 2).general("checkout_timeout", 600);
        try (TestProxy proxy = setup.start();
                WireClient first = proxy.login();
                WireClient second = proxy.login()) {
            first.simple("BEGIN").ok();
            first.simple("SELECT 1").ok();
            Authority next = Authority.named("next");
            var issued = next.issue("server", "127.0.0.1");
            cluster.server(0).tls(issued.certificatePem(), issued.keyPem());
            assertThat(second.simple("SELECT 1").sqlState()).isEqualTo("53300");
            certificates.write("ca.crt", "no certificate");
            assertThat(reloads(proxy, setup)).isFalse();
            certificates.write("ca.crt", next.own().certificatePem());
            assertThat(reloads(proxy, setup)).isTrue();
            second.simple("SELECT 1").ok();
            first.simple("COMMIT").ok();
        }
    }

    private static boolean reloads(TestProxy proxy, TestProxy.Setup setup) {
        try {
            return proxy.reload(setup);
        } catch (dev.trunkline.conf.load.ConfigException e) {
            return false;
        }
    }
}
