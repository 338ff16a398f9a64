package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.harness.pg.Ports;
import dev.trunkline.proxy.fixture.Metrics;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What Prometheus is told of lookup maps and routes. */
class LookupMetricsIT extends Scenario {

    private static final String TENANTS = "table=\"tenants\"";

    private final Map<LookupMiss, Integer> ports = new HashMap<>();
    private Metrics before;

    @Override
    Map<String, Object> settings(LookupMiss miss) {
        Map<String, Object> settings = new HashMap<>(super.settings(miss));
        settings.put("openmetrics_port", ports.computeIfAbsent(miss, each -> Ports.free()));
        return settings;
    }

    @BeforeEach
    void look() {
        before = now();
    }

    private Metrics now() {
        return Metrics.of(ports.get(LookupMiss.PROBE));
    }

    private double grown(String name, String... labels) {
        return now().sum(name, labels) - before.sum(name, labels);
    }

    @Test
    @Tag("ma-dangling-lookup-telemetry")
    @DisplayName("ma-dangling-lookup-telemetry")
    void countsHitsMissesAndUnknownKeys() {
        Client client = client(Protocol.SIMPLE);
        String tenant = tenants().root(0);
        String select = "SELECT count(*) FROM orders WHERE tenant_id = '%s'";
        client.run(select.formatted(tenant)).ok();
        assertThat(grown("sharding_lookup_cache_misses", TENANTS)).isEqualTo(1);
        client.run(select.formatted(tenant)).ok();
        client.run(select.formatted(tenant)).ok();
        assertThat(grown("sharding_lookup_cache_hits", TENANTS)).isGreaterThanOrEqualTo(2);
        assertThat(client.run(select.formatted("nobody")).sqlState()).isEqualTo("40001");
        assertThat(grown("sharding_lookup_unmapped", TENANTS)).isEqualTo(1);
        assertThat(now().sum("sharding_lookup_cache_entries", TENANTS)).isGreaterThan(0);
        assertThat(now().sum("sharding_lookup_cache_bytes", TENANTS)).isGreaterThan(0);
        assertThat(now().sum("sharding_lookup_age_seconds", TENANTS)).isGreaterThanOrEqualTo(0);
        client.run("UPDATE tenants SET parent_tenant_id = NULL WHERE id = '" + tenant + "'")
                .ok();
        assertThat(grown("sharding_lookup_invalidations", TENANTS)).isEqualTo(1);
        assertThat(grown("sharding_lookup_generation", TENANTS)).isGreaterThan(0);
        client.run(select.formatted(tenant)).ok();
        assertThat(now().sum("sharding_lookup_loads", TENANTS)).isGreaterThan(0);
    }

    @Test
    void countsWhatTransactionsReadThemselves() {
        Client client = client(Protocol.SIMPLE);
        String parent = tenants().root(1);
        String child = tenants().hashingElsewhere(1);
        String select = "SELECT count(*) FROM orders WHERE tenant_id = '%s'";
        client.run("BEGIN").ok();
        client.run("INSERT INTO tenants (id, parent_tenant_id) VALUES ('" + child + "', '" + parent + "')")
                .ok();
        client.run(select.formatted(child)).ok();
        client.run(select.formatted(parent)).ok();
        assertThat(grown("sharding_lookup_own_reads", TENANTS)).isEqualTo(2);
        assertThat(grown("sharding_lookup_own_hits", TENANTS)).isEqualTo(2);
        assertThat(grown("sharding_lookup_own_misses", TENANTS)).isZero();
        assertThat(client.run(select.formatted("nobody")).sqlState()).isEqualTo("40001");
        client.run("ROLLBACK").ok();
        assertThat(grown("sharding_lookup_own_misses", TENANTS)).isEqualTo(1);
        assertThat(grown("sharding_lookup_unmapped", TENANTS)).isEqualTo(1);
        assertThat(grown("sharding_lookup_cache_hits", TENANTS)).isZero();
        assertThat(grown("sharding_lookup_cache_misses", TENANTS)).isZero();
    }

    @Test
    void countsRoutesByKind() {
        Client client = client(Protocol.SIMPLE);
        client.run("INSERT INTO events VALUES (1, 'x')").ok();
        assertThat(grown("query_cache_direct", "database=\"prod\"")).isEqualTo(1);
        client.run("SELECT id FROM events").ok();
        assertThat(grown("query_cache_cross", "database=\"prod\"")).isEqualTo(1);
        String refused = client.run("CREATE TEMPORARY TABLE t (a int)").sqlState();
        client.run("INSERT INTO events (note) VALUES ('no key')");
        assertThat(refused).isEqualTo("0A000");
        assertThat(grown("statements_refused", "database=\"prod\"")).isGreaterThanOrEqualTo(1);
    }
}
