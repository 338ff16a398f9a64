package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.harness.wire.WireClient;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Lookup maps as the admin database shows and steers them. */
class AdminLookupsIT extends Scenario {

    private static final String PASSWORD = "secret";

    @Override
    void prepare(Deployment deployment) {
        deployment.admin(PASSWORD);
    }

    @Override
    Map<String, Object> settings(LookupMiss miss) {
        return new HashMap<>(super.settings(miss));
    }

    private WireClient admin() {
        return WireClient.login(proxy().host(), proxy().port(), "admin", "admin", PASSWORD);
    }

    private static String show(WireClient admin, String column) {
        return String.valueOf(admin.simple("SHOW LOOKUPS " + column + " WHERE lookup = 'tenants'")
                .value());
    }

    @Test
    void showsAndForgetsMaps() {
        Client client = client(Protocol.SIMPLE);
        String tenant = tenants().root(0);
        String select = "SELECT count(*) FROM orders WHERE tenant_id = '" + tenant + "'";
        client.run(select).ok();
        client.run(select).ok();
        try (WireClient admin = admin()) {
            assertThat(admin.simple("SHOW LOOKUPS database, column, lookup, state")
                            .rows())
                    .contains(List.of("prod", "tenant_id", "tenants", "loaded"));
            assertThat(Long.parseLong(show(admin, "hits"))).isPositive();
            assertThat(Long.parseLong(show(admin, "entries"))).isPositive();
            assertThat(List.of(show(admin, "own_reads"), show(admin, "own_hits"), show(admin, "own_misses")))
                    .containsOnly("0");
            long generation = Long.parseLong(show(admin, "generation"));
            admin.simple("FLUSH LOOKUPS prod").ok();
            assertThat(Long.parseLong(show(admin, "generation"))).isGreaterThan(generation);
            assertThat(show(admin, "state")).isNotEqualTo("loaded");
            assertThat(admin.simple("FLUSH LOOKUPS nowhere").sqlState()).isEqualTo("42704");
        }
        client.run(select).ok();
    }

    @Test
    void pausesWritesOfALookupTable() {
        Client client = client(Protocol.SIMPLE);
        String tenant = tenants().root(0);
        String write = "UPDATE tenants SET parent_tenant_id = NULL WHERE id = '" + tenant + "'";
        try (WireClient admin = admin()) {
            admin.simple("PAUSE LOOKUP WRITES tenants").ok();
            assertThat(show(admin, "writes_paused")).isEqualTo("t");
            assertThat(client.run(write).sqlState()).isEqualTo("55P03");
            client.run("SELECT count(*) FROM orders WHERE tenant_id = '" + tenant + "'")
                    .ok();
            admin.simple("RESUME LOOKUP WRITES").ok();
            assertThat(show(admin, "writes_paused")).isEqualTo("f");
            client.run(write).ok();
            assertThat(admin.simple("PAUSE LOOKUP WRITES nothing").sqlState()).isEqualTo("42704");
        }
    }
}
