package dev.trunkline.harness.pg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PgClusterIT {

    private static PgCluster cluster;
    private static PgShards shards;

    @BeforeAll
    static void start() {
        cluster = PgCluster.start(2);
        shards = cluster.shards(2);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void shardsAreServersOfTheirOwn() {
        shards.executeAll("CREATE TABLE own (n int)");
        shards.execute(1, "INSERT INTO own VALUES (1), (2)");

        assertThat(shards.queryLongs("SELECT count(*) FROM own")).containsExactly(0L, 2L);
        assertThat(shards.port(0)).isNotEqualTo(shards.port(1));
    }

    @Test
    void serversAreSetForTests() {
        assertThat(shards.queryOne(0, "SHOW log_timezone")).isEqualTo("UTC");
        assertThat(shards.queryOne(0, "SHOW server_encoding")).isEqualTo("UTF8");
        assertThat(shards.queryOne(0, "SHOW max_prepared_transactions")).isEqualTo("100");
        assertThat(shards.queryOne(0, "SELECT datcollate FROM pg_database WHERE datname = current_database()"))
                .isEqualTo("C");
    }

    @Test
    void appUsesWhatTheSuperuserMakes() throws SQLException {
        shards.execute(0, "CREATE TABLE made (id serial PRIMARY KEY)");

        assertThat(logsIn(PgShards.APP, "", "INSERT INTO made DEFAULT VALUES")).isTrue();
        assertThat(logsIn("app_scram", "secret", "INSERT INTO made DEFAULT VALUES"))
                .isTrue();
        assertThat(logsIn("app_md5", "secret", "INSERT INTO made DEFAULT VALUES"))
                .isTrue();
        assertThat(logsIn("app", "", "CREATE TABLE by_app (n int)")).isTrue();
    }

    @Test
    void scramAndMd5RolesNeedTheirPassword() {
        assertThatThrownBy(() -> logsIn("app_scram", "wrong", "SELECT 1")).hasMessageContaining("password");
        assertThatThrownBy(() -> logsIn("app_md5", "wrong", "SELECT 1")).hasMessageContaining("password");
        assertThat(shards.queryOne(0, "SELECT string_agg(left(rolpassword, 5), ' ' ORDER BY rolname) FROM pg_authid"))
                .isEqualTo("SCRAM md5e2 SCRAM".replace("md5e2", md5Prefix()));
    }

    @Test
    void keepsPortAndDataOverRestartAndKill() {
        try (PgCluster own = PgCluster.start(1);
                PgShards ownShards = own.shards(1)) {
            int port = ownShards.port(0);
            ownShards.execute(0, "CREATE TABLE kept (n int)");
            own.server(0).restart();
            own.server(0).kill9();
            assertThat(own.server(0).isRunning()).isFalse();
            own.server(0).start();

            assertThat(ownShards.port(0)).isEqualTo(port);
            assertThat(ownShards.queryOne(0, "SELECT count(*) FROM kept")).isEqualTo("0");
        }
    }

    @Test
    void obeysAnotherHba() {
        PgServer server = cluster.server(0);
        server.hba(List.of("host all postgres all trust", "host all app all reject"));
        try {
            assertThatThrownBy(() -> logsIn("app", "", "SELECT 1")).hasMessageContaining("rejects");
        } finally {
            server.hba(PgServer.DEFAULT_HBA);
        }
    }

    private static String md5Prefix() {
        return String.valueOf(shards.queryOne(0, "SELECT left('md5' || md5('secretapp_md5'), 5)"));
    }

    private static boolean logsIn(String user, String password, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(shards.url(0, user) + "&password=" + password)) {
            connection.createStatement().execute(sql);
            return true;
        }
    }
}
