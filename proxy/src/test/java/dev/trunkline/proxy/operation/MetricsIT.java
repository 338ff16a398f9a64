package dev.trunkline.proxy.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.pg.Ports;
import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.Metrics;
import dev.trunkline.proxy.fixture.TestProxy;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Each number that Prometheus reads is moved by what it counts. */
@Shards(1)
@TestInstance(Lifecycle.PER_CLASS)
class MetricsIT {

    private PgShards shards;
    private final int port = Ports.free();
    private final int healthPort = Ports.free();
    private TestProxy proxy;
    private Metrics before;

    @BeforeAll
    void start(PgShards server) {
        shards = server;
        proxy = TestProxy.over(shards)
                .general("openmetrics_port", port)
                .general("openmetrics_namespace", "trunkline_")
                .general("healthcheck_port", healthPort)
                .general("prepared_statements_limit", 2)
                .start();
    }

    @AfterAll
    void stop() {
        proxy.close();
    }

    @BeforeEach
    void table() {
        shards.execute(0, "DROP TABLE IF EXISTS m; CREATE TABLE m (a int PRIMARY KEY); GRANT ALL ON m TO PUBLIC");
        before = Metrics.of(port);
    }

    /** Waits until a number has grown by this since the test began: a session ends a moment after its client. */
    private void grows(String name, double by, String... labels) {
        double old = before.sum("trunkline_" + name, labels);
        TestProxy.await(
                name + " grows by " + by + ", it is " + Metrics.of(port).sum("trunkline_" + name, labels) + " and was "
                        + old,
                () -> Metrics.of(port).sum("trunkline_" + name, labels) == old + by);
    }

    private double now(String name) {
        return Metrics.of(port).sum("trunkline_" + name);
    }

    @Test
    void namesAllThatTheContractNames() {
        Metrics metrics = Metrics.of(port);
        List<String> names = List.of(
                "clients",
                "clients_locked",
                "max_connections",
                "cl_waiting",
                "sv_active",
                "sv_idle",
                "sv_idle_xact",
                "maxwait",
                "pools",
                "prepared_statements",
                "prepared_statements_memory_used",
                "prepared_statements_limit",
                "query_cache_size",
                "query_cache_hits",
                "query_cache_misses",
                "errors",
                "out_of_sync",
                "total_xact_count",
                "total_xact_2pc_count",
                "total_query_count",
                "total_received",
                "total_sent",
                "total_xact_time",
                "total_idle_xact_time",
                "total_query_time",
                "total_prepared_evictions",
                "total_server_errors",
                "total_cleaned",
                "total_rollbacks",
                "total_connect_time",
                "total_connect_count",
                "total_reads",
                "total_writes",
                "total_auth_attempts",
                "total_rows_inserted",
                "total_rows_updated",
                "total_rows_deleted",
                "avg_query_count",
                "avg_query_time",
                "wait_time_seconds_bucket",
                "query_time_seconds_sum",
                "transaction_time_seconds_count");
        assertThat(names)
                .allSatisfy(name ->
                        assertThat(metrics.has("trunkline_" + name)).as(name).isTrue());
        assertThat(metrics.has("jvm_memory_used_bytes")).isTrue();
    }

    @Test
    @Tag("ma-prepared-not-counted")
    @DisplayName("ma-prepared-not-counted")
    void countsStatementsOfEachProtocolAndErrors() {
        try (WireClient client = proxy.login()) {
            for (int i = 0; i < 100; i++) {
                client.simple(i < 5 ? "SELECT 1/0" : "SELECT 1");
                client.extended(i < 5 ? "SELECT 1/0" : "SELECT 1");
            }
            for (int i = 0; i < 100; i++) {
                client.parse("", "SELECT 1").bind("", "").execute("");
            }
            client.sync().answer().ok();
            grows("total_query_count", 300);
            grows("errors", 10);
        }
    }

    @Test
    void countsTransactionsAndTheirTimes() {
        try (WireClient client = proxy.login()) {
            client.simple("SELECT pg_sleep(0.02)").ok();
            client.simple("BEGIN").ok();
            client.simple("SELECT 1").ok();
            client.simple("COMMIT").ok();
            grows("total_xact_count", 2);
            grows("transaction_time_seconds_count", 2, "database=\"db\"");
            grows("query_time_seconds_count", 4);
            assertThat(now("total_query_time") - before.sum("trunkline_total_query_time"))
                    .isGreaterThan(20_000);
            assertThat(now("total_xact_time") - before.sum("trunkline_total_xact_time"))
                    .isGreaterThan(20_000);
        }
    }

    @Test
    void countsRowsReadsAndWrites() {
        try (WireClient client = proxy.login()) {
            client.simple("INSERT INTO m SELECT generate_series(1, 12)").ok();
            client.extended("UPDATE m SET a = a + 100 WHERE a < 4").ok();
            client.simple("DELETE FROM m WHERE a > 10").ok();
            client.simple("SELECT * FROM m").ok();
            grows("total_rows_inserted", 12);
            grows("total_rows_updated", 3);
            grows("total_rows_deleted", 5);
            grows("total_writes", 3);
            grows("total_reads", 1);
        }
    }

    @Test
    void countsBytes() {
        try (WireClient client = proxy.login()) {
            client.simple("SELECT repeat('x', 100000)").ok();
            double received = now("total_received") - before.sum("trunkline_total_received");
            assertThat(received).isBetween(100_000.0, 110_000.0);
            client.simple("SELECT length('" + "x".repeat(50_000) + "')").ok();
            assertThat(now("total_sent") - before.sum("trunkline_total_sent")).isBetween(50_000.0, 60_000.0);
        }
    }

    @Test
    void countsWaitsForAConnection() {
        try (WireClient holder = proxy.login();
                WireClient waiter = proxy.login()) {
            holder.simple("BEGIN").ok();
            waiter.query("SELECT 1").push();
            TestProxy.await("somebody waits", () -> now("cl_waiting") == 1);
            assertThat(now("sv_idle_xact")).isEqualTo(1);
            assertThat(now("maxwait")).isGreaterThan(0);
            holder.simple("COMMIT").ok();
            waiter.answer().ok();
            grows("cl_waiting", 0);
            assertThat(now("total_wait_time")).isGreaterThan(before.sum("trunkline_total_wait_time"));
        }
    }

    @Test
    void countsCleanups() {
        try (WireClient client = proxy.login()) {
            client.simple("BEGIN").ok();
            client.simple("INSERT INTO m VALUES (1)").ok();
        }
        grows("total_rollbacks", 1);
        try (WireClient client = proxy.login()) {
            client.simple("CREATE TEMPORARY TABLE t (a int)").ok();
            grows("clients_locked", 1);
        }
        grows("total_cleaned", 1);
    }

    @Test
    void countsPreparedStatementsThatAreGivenUp() {
        try (WireClient client = proxy.login()) {
            for (int i = 0; i < 3; i++) {
                client.parse("s" + i, "SELECT " + i + " AS evicted")
                        .bind("", "s" + i)
                        .execute("")
                        .sync();
                client.answer().ok();
            }
            assertThat(now("total_prepared_evictions")).isGreaterThan(before.sum("trunkline_total_prepared_evictions"));
            assertThat(now("prepared_statements")).isGreaterThanOrEqualTo(3);
        }
    }

    @Test
    void countsConnectionsThatAreLost() {
        try (WireClient client = proxy.login()) {
            client.simple("SELECT pg_terminate_backend(pg_backend_pid())");
            client.simple("SELECT 1").ok();
            grows("total_connect_count", 1);
            grows("total_auth_attempts", 1);
            grows("force_closed", 1);
        }
    }

    @Test
    void countsKnownShapes() {
        try (WireClient client = proxy.login()) {
            client.simple("SELECT 1 AS this_shape_is_new").ok();
            client.simple("SELECT 2 AS this_shape_is_new").ok();
            grows("query_cache_misses", 1);
            grows("query_cache_hits", 1);
        }
    }

    @Test
    @Tag("ma-healthcheck-empty-pool")
    @DisplayName("ma-healthcheck-empty-pool")
    void isHealthyWithoutTraffic() {
        int fresh = Ports.free();
        try (TestProxy idle =
                TestProxy.over(shards).general("healthcheck_port", fresh).start()) {
            assertThat(Metrics.page(fresh, "/").statusCode()).isEqualTo(200);
            assertThat(Metrics.page(fresh, "/live").statusCode()).isEqualTo(200);
            assertThat(Metrics.page(fresh, "/detail").body()).contains("\"healthy\" : true");
        }
    }

    @Test
    void isDownWhenNoServerCanBeReached() {
        assertThat(now("pool_reachable")).isEqualTo(1);
        int fresh = Ports.free();
        int metrics = Ports.free();
        try (TestProxy lonely = TestProxy.over(Ports.free(), "nothing")
                .general("healthcheck_port", fresh)
                .general("openmetrics_port", metrics)
                .general("connect_timeout", 200)
                .start()) {
            try (WireClient client = lonely.connect()) {
                client.send(Frontend.startup(0x30000, Map.of("user", PgShards.APP, "database", TestProxy.DATABASE)))
                        .push();
                TestProxy.await(
                        "it is down", () -> Metrics.page(fresh, "/ready").statusCode() == 502);
            }
            assertThat(Metrics.page(fresh, "/live").statusCode()).isEqualTo(200);
            assertThat(Metrics.page(fresh, "/detail").statusCode()).isEqualTo(502);
            assertThat(Metrics.of(metrics).has("pool_reachable")).isTrue();
            assertThat(Metrics.of(metrics).sum("pool_reachable")).isZero();
        }
    }

    @Test
    void tellsThatItDrains() {
        int fresh = Ports.free();
        try (TestProxy leaving = TestProxy.over(shards)
                        .general("openmetrics_port", fresh)
                        .general("shutdown_timeout", 20_000)
                        .start();
                WireClient client = leaving.login()) {
            assertThat(Metrics.of(fresh).sum("draining")).isZero();
            client.simple("BEGIN").ok();
            Future<Void> drained = leaving.drain();
            TestProxy.await("it drains", () -> Metrics.of(fresh).sum("draining") == 1);
            client.simple("COMMIT").ok();
            TestProxy.await("nobody is left", drained::succeeded);
        }
    }

    @Test
    void showsAPageForPeople() {
        try (WireClient client = proxy.login()) {
            client.simple("SELECT 1").ok();
            String page = Metrics.page(healthPort, "/status").body();
            assertThat(page)
                    .contains("<td class=\"n\">db</td><td class=\"n\">app</td>", "serving", " clients")
                    .doesNotContain("http://", "https://");
        }
    }

    @Test
    void anotherPathOfTheMetricsPortIsUnknown() {
        assertThat(Metrics.page(port, "/").statusCode()).isEqualTo(404);
    }
}
