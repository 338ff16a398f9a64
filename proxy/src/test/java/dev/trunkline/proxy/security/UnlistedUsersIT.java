package dev.trunkline.proxy.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.pg.PgCluster;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.tls.TlsSockets;
import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Users whom only the servers know: their entries are read by {@code auth_query}, or servers judge their passwords. */
class UnlistedUsersIT {

    private static final String QUERY = "SELECT usename, passwd FROM pg_shadow WHERE usename = $1";

    private static PgCluster cluster;
    private static PgShards shards;

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
    void askForPasswords() {
        cluster.servers()
                .forEach(server -> server.hba(List.of(
                        "host all postgres 127.0.0.1/32 trust",
                        "host all app 127.0.0.1/32 trust",
                        "host all app_md5 127.0.0.1/32 md5",
                        "host all all 127.0.0.1/32 scram-sha-256")));
        // The same verifier on both, as a cluster with one place for its roles would have it.
        shards.execute(0, "DROP ROLE IF EXISTS unlisted; CREATE ROLE unlisted LOGIN PASSWORD 'secret'");
        String verifier = shards.queryOne(0, "SELECT rolpassword FROM pg_authid WHERE rolname = 'unlisted'");
        shards.execute(1, "DROP ROLE IF EXISTS unlisted; CREATE ROLE unlisted LOGIN PASSWORD '" + verifier + "'");
    }

    private static TestProxy.Setup querying(String type) {
        return TestProxy.over(shards)
                .general("auth_type", type)
                .user("password", "of app")
                .general("auth_query", QUERY)
                .general("auth_user", "postgres");
    }

    private static Frame login(TestProxy proxy, String user, String password) {
        try (WireClient client = proxy.connect()) {
            Frame answer = client.authenticate(Map.of("user", user, "database", TestProxy.DATABASE), password);
            if (answer.type() == 'R') {
                assertThat(client.ready().simple("SELECT current_user").value()).isEqualTo(user);
            } else {
                client.expectClosed();
            }
            return answer;
        }
    }

    @ParameterizedTest
    @CsvSource({"scram,unlisted", "md5,unlisted", "md5,app_md5", "plain,unlisted", "plain,app_md5"})
    void letsInWhomTheServerKnows(String type, String user) {
        try (TestProxy proxy = querying(type).start()) {
            assertThat(login(proxy, user, "secret")).hasToString("R 0");
            assertThat(login(proxy, user, "wrong")).asString().startsWith("E 28P01");
            assertThat(login(proxy, "app", "of app").type()).isEqualTo('R');
        }
    }

    /** A user without a password, one who does not exist and one whose entry does not fit are refused like a wrong password. */
    @Test
    void tellsNobodyWhomTheServerKnows() {
        shards.execute(0, "DROP ROLE IF EXISTS nopassword; CREATE ROLE nopassword LOGIN");
        try (TestProxy proxy = querying("scram").start()) {
            String wrong = login(proxy, "unlisted", "wrong").toString().replace("unlisted", "?");
            for (String user : List.of("nobody", "nopassword", "app_md5", "'; DROP TABLE x; --")) {
                assertThat(login(proxy, user, "secret").toString().replace(user, "?"))
                        .isEqualTo(wrong);
            }
        }
    }

    @Test
    void opensConnectionsOnEveryShardInTheUsersName() {
        try (TestProxy proxy = querying("scram").start();
                WireClient client = proxy.connect().startup("unlisted", TestProxy.DATABASE, "secret")) {
            for (int round = 0; round < 3; round++) {
                shards.executeAll("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'unlisted'");
                TestProxy.await("the pools have noticed", () -> proxy.idle() == 0);
                assertThat(client.simple("SELECT current_user").value()).isEqualTo("unlisted");
            }
        }
    }

    @Test
    void readsTheEntryAnewAtEachLogin() {
        try (TestProxy proxy = querying("scram").start()) {
            assertThat(login(proxy, "unlisted", "secret")).hasToString("R 0");
            shards.execute(0, "ALTER ROLE unlisted PASSWORD 'changed'");
            assertThat(login(proxy, "unlisted", "changed")).hasToString("R 0");
            assertThat(login(proxy, "unlisted", "secret")).asString().startsWith("E 28P01");
        }
    }

    @Test
    void remembersAnEntryWhereItMay() {
        try (TestProxy proxy =
                querying("scram").general("auth_query_max_age", 60_000).start()) {
            assertThat(login(proxy, "unlisted", "secret")).hasToString("R 0");
            shards.execute(0, "ALTER ROLE unlisted PASSWORD 'changed'");
            assertThat(login(proxy, "unlisted", "changed")).asString().startsWith("E 28P01");
        }
    }

    @Test
    void saysWhenNobodyCanBeAsked() {
        try (TestProxy proxy =
                querying("scram").general("auth_query", "SELECT nonsense($1)").start()) {
            assertThat(login(proxy, "unlisted", "secret")).asString().startsWith("E 57P03");
            assertThat(login(proxy, "nobody", "secret")).asString().startsWith("E 57P03");
        }
    }

    @Test
    void believesNoEntryOfAnotherUser() {
        try (TestProxy proxy = querying("scram")
                .general("auth_query", "SELECT usename, passwd FROM pg_shadow WHERE usename = 'unlisted' AND $1 <> ''")
                .start()) {
            assertThat(login(proxy, "unlisted", "secret")).hasToString("R 0");
            assertThat(login(proxy, "nobody", "secret")).asString().startsWith("E 57P03");
        }
    }

    /** Logins of one user that come while a read is under way share the next one. */
    @Test
    void sharesReadsInALoginStorm() throws SQLException {
        shards.execute(0, "DROP SEQUENCE IF EXISTS asked; CREATE SEQUENCE asked");
        String slow =
                "SELECT usename, passwd FROM pg_shadow, (SELECT nextval('asked'), pg_advisory_xact_lock_shared(7)) x"
                        + " WHERE usename = $1";
        List<WireClient> clients = new ArrayList<>();
        try (TestProxy proxy = querying("scram").general("auth_query", slow).start()) {
            try (Connection holder = shards.connect(0);
                    Statement statement = holder.createStatement()) {
                statement.execute("SELECT pg_advisory_lock(7)");
                for (int i = 0; i < 50; i++) {
                    WireClient client = proxy.connect();
                    client.send(Frontend.startup(
                                    Frontend.PROTOCOL_3_0, Map.of("user", "unlisted", "database", TestProxy.DATABASE)))
                            .push();
                    clients.add(client);
                }
                TestProxy.await("all have come", () -> proxy.leftovers().contains("clients: 50"));
                statement.execute("SELECT pg_advisory_unlock(7)");
            }
            clients.forEach(client -> client.expect("R 10*"));
            assertThat(Integer.parseInt(shards.queryOne(0, "SELECT last_value FROM asked")))
                    .isBetween(2, 5);
            clients.forEach(WireClient::close);
        }
    }

    @Test
    void forgetsPoolsThatNobodyNeeds() {
        try (TestProxy proxy = querying("scram").general("idle_timeout", 100).start()) {
            int before = proxy.poolCount();
            assertThat(login(proxy, "unlisted", "secret")).hasToString("R 0");
            assertThat(proxy.poolCount()).isGreaterThan(before);
            TestProxy.await("the pools are gone", () -> proxy.poolCount() == before);
            assertThat(login(proxy, "unlisted", "secret")).hasToString("R 0");
        }
    }

    // ---- pass-through

    private static TestProxy.Setup passing(String how) {
        return TestProxy.over(shards)
                .general("auth_type", "scram")
                .user("password", "of app")
                .general("passthrough_auth", how);
    }

    @Test
    void letsAServerJudgeThePassword() {
        try (TestProxy proxy = passing("enabled_plain").start()) {
            assertThat(login(proxy, "unlisted", "secret")).hasToString("R 0");
            String wrong = login(proxy, "unlisted", "wrong").toString().replace("unlisted", "?");
            assertThat(wrong).startsWith("E 28P01");
            assertThat(login(proxy, "nobody", "secret").toString().replace("nobody", "?"))
                    .isEqualTo(wrong);
            assertThat(login(proxy, "unlisted", "").toString().replace("unlisted", "?"))
                    .isEqualTo(wrong);
            assertThat(login(proxy, "unlisted", "secret")).hasToString("R 0");
            assertThat(login(proxy, "app", "of app").type()).isEqualTo('R');
            assertThat(login(proxy, "app", "secret")).asString().startsWith("E 28P01");
        }
    }

    /** A server that trusts has judged nothing: whoever named a password would be let in with any. */
    @Test
    void believesNoServerThatDoesNotAsk() {
        try (TestProxy proxy = passing("enabled_plain").start()) {
            assertThat(login(proxy, "postgres", "anything")).asString().startsWith("E 28P01");
        }
    }

    @Test
    void asksForPasswordsInClearOnlyUnderEncryption() {
        Certificates certificates = new Certificates(folder);
        try (TestProxy proxy = certificates.forClients(passing("enabled")).start()) {
            assertThat(login(proxy, "unlisted", "secret")).asString().startsWith("E 28P01");
            try (WireClient client = proxy.connect().secure(TlsSockets.anonymous())) {
                client.startup("unlisted", TestProxy.DATABASE, "secret");
                assertThat(client.simple("SELECT current_user").value()).isEqualTo("unlisted");
            }
        }
    }

    /** Each judgement costs a server a process: what comes beyond the bound is sent away. */
    @Test
    void letsServersJudgeABoundedNumberAtATime() {
        List<WireClient> clients = new ArrayList<>();
        try (TestProxy proxy = passing("enabled_plain").start()) {
            TestProxy.await(
                    "the database is ready", () -> login(proxy, "app", "of app").type() == 'R');
            cluster.server(0).freeze();
            try {
                for (int i = 0; i < 40; i++) {
                    WireClient client = proxy.connect();
                    client.send(Frontend.startup(
                                    Frontend.PROTOCOL_3_0, Map.of("user", "unlisted", "database", TestProxy.DATABASE)))
                            .expect("R")
                            .send(Frontend.password("wrong " + i))
                            .push();
                    clients.add(client);
                }
                TestProxy.await("eight are gone", () -> proxy.leftovers().contains("clients: 32"));
            } finally {
                cluster.server(0).thaw();
            }
            long refused = clients.stream()
                    .map(client -> client.readAny().toString())
                    .filter(answer -> answer.startsWith("E 53300"))
                    .count();
            assertThat(refused).isEqualTo(8);
            clients.forEach(WireClient::close);
            assertThat(login(proxy, "unlisted", "secret")).hasToString("R 0");
        }
    }

    @Test
    void followsAPasswordThatChanges() {
        try (TestProxy proxy = passing("enabled_plain").start()) {
            assertThat(login(proxy, "unlisted", "secret")).hasToString("R 0");
            shards.executeAll("ALTER ROLE unlisted PASSWORD 'changed'");
            assertThat(login(proxy, "unlisted", "changed")).hasToString("R 0");
            shards.executeAll("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'unlisted'");
            TestProxy.await("the pools have noticed", () -> proxy.idle() == 0);
            assertThat(login(proxy, "unlisted", "changed")).hasToString("R 0");
            assertThat(login(proxy, "unlisted", "secret")).asString().startsWith("E 28P01");
        }
    }
}
