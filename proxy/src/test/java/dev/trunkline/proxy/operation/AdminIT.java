package dev.trunkline.proxy.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.Answer;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The admin database as psql and as drivers use it. */
@Shards(1)
@TestInstance(Lifecycle.PER_CLASS)
class AdminIT {

    private static final String PASSWORD = "of the admin";

    private TestProxy.Setup setup;
    private TestProxy proxy;

    @BeforeAll
    void start(PgShards shards) {
        setup = TestProxy.over(shards).admin(PASSWORD);
        proxy = setup.start();
    }

    @AfterAll
    void stop() {
        proxy.close();
    }

    private WireClient admin() {
        return proxy.admin(PASSWORD);
    }

    private Connection jdbc(String mode) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", "admin");
        properties.setProperty("password", PASSWORD);
        properties.setProperty("preferQueryMode", mode);
        properties.setProperty("prepareThreshold", "1");
        properties.setProperty("socketTimeout", "20");
        return DriverManager.getConnection(
                "jdbc:postgresql://" + proxy.host() + ":" + proxy.port() + "/admin", properties);
    }

    // ---- who gets in

    @Test
    void asksForThePasswordWhereNobodyElseNeedsOne() {
        assertThatThrownBy(() -> proxy.admin("wrong")).hasMessageContaining("28P01");
        assertThatThrownBy(() -> WireClient.login(proxy.host(), proxy.port(), PgShards.APP, "admin", PASSWORD))
                .hasMessageContaining("28P01");
    }

    @Test
    void doesNotExistWithoutAPassword(PgShards shards) {
        try (TestProxy closed = TestProxy.over(shards).start()) {
            assertThatThrownBy(() -> closed.admin(PASSWORD)).hasMessageContaining("28P01");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"scram", "md5", "plain"})
    void asksInEachWay(String way, PgShards shards) throws SQLException {
        TestProxy.Setup other =
                TestProxy.over(shards).admin(PASSWORD).general("auth_type", way).user("password", "x");
        try (TestProxy asking = other.start();
                Connection connection = DriverManager.getConnection(
                        "jdbc:postgresql://" + asking.host() + ":" + asking.port() + "/admin", "admin", PASSWORD);
                Statement statement = connection.createStatement()) {
            assertThat(statement.execute("SHOW VERSION")).isTrue();
            assertThatThrownBy(() -> DriverManager.getConnection(
                            "jdbc:postgresql://" + asking.host() + ":" + asking.port() + "/admin", "admin", "wrong"))
                    .isInstanceOf(SQLException.class);
        }
    }

    // ---- SHOW

    @ParameterizedTest(name = "SHOW {0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "CLIENTS | id, user, database, addr, port, state, replication, connect_time, last_request, queries,"
                        + " transactions, transactions_2pc, wait_time, query_time, transaction_time, bytes_received,"
                        + " bytes_sent, errors, application_name, locked, prepared_statements",
                "SERVERS | pool_id, database, user, addr, port, state, connect_time, request_time, remote_pid,"
                        + " client_id, transactions, queries, rollbacks, prepared_statements, healthchecks, errors,"
                        + " bytes_received, bytes_sent, last_sent, last_received, age, application_name",
                "POOLS | id, database, user, addr, port, shard, role, cl_waiting, sv_idle, sv_active, sv_idle_xact,"
                        + " sv_total, maxwait, maxwait_us, pool_mode, paused, banned, healthy, errors, re_synced,"
                        + " out_of_sync, force_closed, online, schema_admin",
                "STATS | database, user, addr, port, shard, role, total_xact_count, avg_xact_count,"
                        + " total_query_count, avg_query_time, total_received, total_sent, total_wait_time,"
                        + " total_server_assignment_count, total_server_parse_count, total_bind_count,"
                        + " total_close_count, total_errors, total_cleaned, total_rollbacks, total_connect_time,"
                        + " total_connect_count, total_reads, total_writes, total_auth_attempts,"
                        + " total_rows_inserted, total_rows_updated, avg_rows_deleted, total_xact_2pc_count,"
                        + " total_idle_xact_time, wait_time_p50, query_time_p95, transaction_time_p99",
                "CONFIG | name, value",
                "LISTS | databases, users, pools, used_clients, free_servers, used_servers",
                "LISTENERS | database, user, shard, channel, listeners, received, dropped",
                "PREPARED | name, statement, rewrite, used_by, memory_used",
                "QUERY_CACHE | query, hits, direct, multi",
                "TRANSACTIONS | database, user, transaction_name, transaction_state",
                "BANS | id, database, user, addr, port, shard, role, ban_reason, ban_time_left",
                "LOOKUPS | database, table, column, lookup, state, generation, entries, bytes, loaded_at, age_ms,"
                        + " loads, load_errors, hits, misses, reloads, waits, wait_timeouts, invalidations,"
                        + " writes_paused",
                "DATABASES | name, host, port, database, pool_size, pool_mode",
                "USERS | name, pool_mode",
                "VERSION | version",
                "MEM | name, used",
                "HELP | command, meaning",
                "query_timeout | query_timeout"
            })
    void showsTheColumnsThatScriptsLookFor(String name, String columns) throws SQLException {
        List<String> wanted = List.of(columns.strip().split(",\\s*"));
        for (String mode : List.of("simple", "extended")) {
            try (Connection connection = jdbc(mode);
                    PreparedStatement show = connection.prepareStatement("show " + name.strip() + ";");
                    ResultSet result = show.executeQuery()) {
                assertThat(names(result)).as(mode).containsAll(wanted);
                while (result.next()) {
                    for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                        String unused = result.getString(i);
                    }
                }
            }
        }
    }

    private static List<String> names(ResultSet result) throws SQLException {
        ResultSetMetaData data = result.getMetaData();
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= data.getColumnCount(); i++) {
            names.add(data.getColumnName(i));
        }
        return names;
    }

    @Test
    void showsChosenColumnsAndRows() {
        try (WireClient admin = admin();
                WireClient client = proxy.login()) {
            client.simple("SELECT 1").ok();
            assertThat(admin.simple("SHOW POOLS database, shard WHERE user = 'app' AND shard < 1")
                            .rows())
                    .containsExactly(List.of("db", "0"));
            assertThat(admin.simple("show pools database where shard = 7").rows())
                    .isEmpty();
            assertThat(admin.simple("SHOW CONFIG value WHERE name LIKE 'auth_t%'")
                            .value())
                    .isEqualTo("trust");
            assertThat(admin.simple("SHOW POOLS nonsense").sqlState()).isEqualTo("42703");
            assertThat(admin.simple("SHOW POOLS WHERE nonsense = 1").sqlState()).isEqualTo("42703");
            assertThat(admin.simple("SHOW POOLS WHERE shard").sqlState()).isEqualTo("42601");
        }
    }

    @Test
    void showsAClientAsItIs() {
        try (WireClient admin = admin();
                WireClient client = proxy.login()) {
            client.simple("BEGIN").ok();
            client.simple("SELECT 1/0");
            client.simple("ROLLBACK").ok();
            client.parse("named", "SELECT 1").sync().answer().ok();
            client.simple("BEGIN").ok();
            String where = " WHERE id = " + client.processId();
            Answer shown = admin.simple(
                    "SHOW CLIENTS user, database, state, queries, errors, prepared_statements, locked" + where);
            assertThat(shown.rows())
                    .containsExactly(List.of("app", "db", "idle in transaction", "4", "1", "1", "false"));
            assertThat(admin.simple("SHOW SERVERS state WHERE database = 'db'").rows())
                    .contains(List.of("idle in transaction"));
            assertThat(admin.simple("SHOW POOLS sv_idle_xact WHERE database = 'db'")
                            .value())
                    .isEqualTo("1");
            client.simple("COMMIT").ok();
        }
    }

    @Test
    void hidesSecrets() {
        try (WireClient admin = admin()) {
            for (String show : List.of("CONFIG", "USERS", "DATABASES")) {
                assertThat(admin.simple("SHOW " + show).rows().toString()).doesNotContain(PASSWORD);
            }
        }
    }

    // ---- what drivers say

    @ParameterizedTest
    @ValueSource(strings = {"simple", "extended"})
    void carriesOutTheCommandsOfADriver(String mode) throws SQLException {
        List<String> commands = List.of(
                "RELOAD",
                "RECONNECT",
                "RECONNECT db",
                "PAUSE",
                "RESUME",
                "PAUSE db",
                "RESUME db",
                "MAINTENANCE ON",
                "MAINTENANCE OFF",
                "BAN %s",
                "UNBAN %s",
                "UNBAN",
                "FLUSH LOOKUPS",
                "PAUSE LOOKUP WRITES",
                "RESUME LOOKUP WRITES",
                "SET checkout_timeout TO 5000");
        try (WireClient victim = proxy.login();
                Connection connection = jdbc(mode);
                Statement statement = connection.createStatement()) {
            victim.simple("SELECT 1").ok();
            String pool;
            try (ResultSet pools = statement.executeQuery("SHOW POOLS id")) {
                assertThat(pools.next()).isTrue();
                pool = pools.getString(1);
            }
            for (String command : commands) {
                assertThat(statement.execute(command.formatted(pool)))
                        .as(command)
                        .isFalse();
            }
            statement.execute("KILL " + victim.processId());
            victim.expect("E 57P01").expectClosed();
        }
    }

    @Test
    void bearsWhatDriversSay() throws SQLException {
        for (String mode : List.of("simple", "extended", "extendedCacheEverything")) {
            try (Connection connection = jdbc(mode);
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.execute("SET extra_float_digits = 3");
                statement.execute("SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE");
                try (ResultSet one = statement.executeQuery("SELECT 1")) {
                    assertThat(one.next()).isTrue();
                    assertThat(one.getInt(1)).isEqualTo(1);
                }
                connection.commit();
                connection.setAutoCommit(true);
                assertThat(connection.isValid(5)).isTrue();
                statement.setFetchSize(2);
                try (ResultSet config = statement.executeQuery("SHOW CONFIG")) {
                    int rows = 0;
                    while (config.next()) {
                        rows++;
                    }
                    assertThat(rows).isGreaterThan(20);
                }
            }
        }
    }

    @Test
    void handsOutRowsInParts() {
        try (WireClient admin = admin()) {
            admin.parse("", "SHOW CONFIG name")
                    .bind("p", "")
                    .describe("p")
                    .execute("p", 1)
                    .execute("p", 1);
            admin.sync().expect("1", "2", "T", "D", "s", "D", "s", "Z I");
        }
    }

    @Test
    void runsSeveralCommandsOfOneQuery() {
        try (WireClient admin = admin()) {
            Answer answer = admin.simple("SHOW VERSION; SELECT 1;; SET application_name = 'x'");
            assertThat(answer.tags()).containsExactly("SHOW", "SELECT 1", "SET");
            admin.query("").expect("I", "Z I");
            admin.query("-- nothing\n;").expect("I", "Z I");
        }
    }

    // ---- actions

    @Test
    void pausesAndResumes() {
        try (WireClient admin = admin();
                WireClient within = proxy.login();
                WireClient client = proxy.login()) {
            within.simple("BEGIN").ok();
            admin.simple("PAUSE").ok();
            within.simple("SELECT 1").ok();
            within.simple("COMMIT").ok();
            client.query("SELECT 2").push();
            TestProxy.await(
                    "it waits",
                    () -> "1".equals(admin.simple("SHOW POOLS cl_waiting").value()));
            assertThat(admin.simple("SHOW POOLS paused").value()).isEqualTo("t");
            assertThat(admin.simple("SHOW CLIENTS state WHERE id = " + client.processId())
                            .value())
                    .isEqualTo("waiting");
            admin.simple("RESUME db").ok();
            assertThat(client.answer().value()).isEqualTo("2");
            assertThat(admin.simple("MAINTENANCE ON db").ok().tags()).containsExactly("MAINTENANCE");
            client.query("SELECT 3").push();
            TestProxy.await(
                    "it waits",
                    () -> "1".equals(admin.simple("SHOW POOLS cl_waiting").value()));
            admin.simple("MAINTENANCE OFF").ok();
            assertThat(client.answer().value()).isEqualTo("3");
            assertThat(admin.simple("PAUSE nowhere").sqlState()).isEqualTo("42704");
        }
    }

    @Test
    void takesAPoolOutOfUse() {
        try (WireClient admin = admin();
                WireClient within = proxy.login();
                WireClient client = proxy.login()) {
            String pool = admin.simple("SHOW POOLS id WHERE user = 'app' AND database = 'db'")
                    .value();
            within.simple("BEGIN").ok();
            client.query("SELECT 1").push();
            TestProxy.await(
                    "it waits",
                    () -> "1".equals(admin.simple("SHOW POOLS cl_waiting").value()));
            assertThat(admin.simple("BAN " + pool).ok().tags()).containsExactly("BAN");
            assertThat(client.answer().sqlState()).as("who waits").isEqualTo("57P03");
            assertThat(client.simple("SELECT 2").sqlState()).isEqualTo("57P03");
            within.simple("SELECT 3").ok();
            within.simple("COMMIT").ok();
            assertThat(within.simple("SELECT 4").sqlState()).isEqualTo("57P03");
            assertThat(admin.simple("SHOW BANS id, database, shard").ok().sortedRows())
                    .containsExactly(pool + "|db|0");
            assertThat(admin.simple("SHOW POOLS banned WHERE id = " + pool).value())
                    .isEqualTo("t");
            assertThat(admin.simple("UNBAN").ok().tags()).containsExactly("UNBAN");
            assertThat(client.simple("SELECT 5").ok().value()).isEqualTo("5");
            assertThat(admin.simple("SHOW BANS").ok().rows()).isEmpty();
            assertThat(admin.simple("BAN 999").sqlState()).isEqualTo("42704");
            assertThat(admin.simple("BAN").sqlState()).isEqualTo("42601");
        }
    }

    @Test
    void showsWhoListens() {
        try (WireClient admin = admin();
                WireClient one = proxy.login();
                WireClient other = proxy.login()) {
            one.simple("LISTEN news").ok();
            other.simple("LISTEN news").ok();
            other.simple("LISTEN weather").ok();
            other.simple("NOTIFY weather, 'rain'").ok();
            TestProxy.await(
                    "it came",
                    () -> "1"
                            .equals(admin.simple("SHOW LISTENERS received WHERE channel = 'weather'")
                                    .value()));
            assertThat(admin.simple("SHOW LISTENERS database, user, shard, channel, listeners, dropped")
                            .ok()
                            .sortedRows())
                    .containsExactly("db|app|0|news|2|0", "db|app|0|weather|1|0");
        }
        try (WireClient admin = admin()) {
            TestProxy.await(
                    "nobody listens",
                    () -> admin.simple("SHOW LISTENERS").ok().rows().isEmpty());
        }
    }

    @Test
    void replacesConnections() {
        try (WireClient admin = admin();
                WireClient client = proxy.login()) {
            String before = client.simple("SELECT pg_backend_pid()").value();
            admin.simple("RECONNECT").ok();
            String after = client.simple("SELECT pg_backend_pid()").value();
            assertThat(after).isNotEqualTo(before);
            client.simple("BEGIN").ok();
            admin.simple("RECONNECT db").ok();
            assertThat(client.simple("SELECT pg_backend_pid()").value()).isEqualTo(after);
            client.simple("COMMIT").ok();
            assertThat(client.simple("SELECT pg_backend_pid()").value()).isNotEqualTo(after);
        }
    }

    @Test
    void endsAClient() {
        try (WireClient admin = admin();
                WireClient client = proxy.login()) {
            admin.simple("KILL " + client.processId()).ok();
            client.expect("E 57P01");
            client.expectClosed();
            assertThat(admin.simple("KILL 1").sqlState()).isEqualTo("42704");
        }
    }

    @Test
    void asksTheProcessToEnd() {
        try (WireClient admin = admin()) {
            admin.simple("SHUTDOWN").ok();
            assertThat(setup.isEnded()).isTrue();
        }
    }

    @Test
    void reloads() {
        try (WireClient admin = admin()) {
            setup.general("auth_type", "nonsense");
            Answer refused = admin.simple("RELOAD");
            assertThat(refused.sqlState()).isEqualTo("22023");
            assertThat(refused.field('D')).contains("general.auth_type");
            setup.general("auth_type", "trust");
            admin.simple("reload;").ok();
            assertThat(admin.simple("SHOW VERSION").rows()).hasSize(1);
        }
    }

    @Test
    void reportsNoCancelKeyThatWouldDoAnything() {
        try (WireClient admin = admin()) {
            assertThat(Map.of("pid", admin.processId())).containsEntry("pid", 0);
        }
    }
}
