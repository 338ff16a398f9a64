package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.scenario.Tenants.Family;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where {@code lookup_keep_on_insert} is on, new mappings leave what is known of others in place. */
class InsertOnlyIT extends Scenario {

    private static final String PASSWORD = "secret";

    @Override
    void prepare(Deployment deployment) {
        deployment.admin(PASSWORD);
    }

    @Override
    Map<String, Object> settings(LookupMiss miss) {
        return Map.of(
                "lookup_miss",
                miss.name().toLowerCase(java.util.Locale.ROOT),
                "lookup_keep_on_insert",
                true,
                "lookup_reload_interval",
                5);
    }

    private long shown(WireClient admin, String column) {
        return Long.parseLong(String.valueOf(admin.simple("SHOW LOOKUPS " + column + " WHERE lookup = 'tenants'")
                .ok()
                .value()));
    }

    @EveryWay
    void aNewMappingIsUsedAtOnceAndForgetsNoOther(Way way) {
        Client client = client(way);
        Client other = client(way);
        Family known = tenants().family(1);
        client.run("INSERT INTO orders VALUES ($1, 1, 'x')", known.child()).ok();
        try (WireClient admin = WireClient.login(
                instance(way.miss()).host(), instance(way.miss()).port(), "admin", "admin", PASSWORD)) {
            long generation = shown(admin, "generation");
            for (int round = 0; round < rounds(5); round++) {
                String fresh = tenants().hashingElsewhere(1);
                if (round % 2 == 0) {
                    client.run("INSERT INTO tenants (id, parent_tenant_id) VALUES ($1, $2)", fresh, known.parent())
                            .ok();
                } else {
                    client.run("BEGIN").ok();
                    client.run("INSERT INTO tenants (id, parent_tenant_id) VALUES ($1, $2)", fresh, known.parent())
                            .ok();
                    client.run("INSERT INTO orders VALUES ($1, 7, 'x')", fresh).ok();
                    client.run("COMMIT").ok();
                }
                other.run("INSERT INTO orders VALUES ($1, 1, 'x')", fresh).ok();
                other.run("INSERT INTO orders VALUES ($1, $2, 'x')", known.child(), 10L + round)
                        .ok();
            }
            assertThat(shown(admin, "generation")).isEqualTo(generation);
            client.run(
                            "UPDATE tenants SET parent_tenant_id = $1 WHERE id = $2",
                            tenants().root(2),
                            known.child())
                    .ok();
            assertThat(shown(admin, "generation")).isGreaterThan(generation);
            other.run("INSERT INTO orders VALUES ($1, 2, 'x')", known.child()).ok();
        }
        assertThat(counts("orders", "tenant_id = '" + known.child() + "'").get(2))
                .isEqualTo(1L);
    }

    /** A row that replaces another in one transaction is a change, whatever its last statement. */
    @EveryWay
    void aRowThatIsDeletedAndInsertedAnewIsAChange(Way way) {
        Client client = client(way);
        Client other = client(way);
        Family family = tenants().family(0);
        other.run("INSERT INTO orders VALUES ($1, 1, 'x')", family.child()).ok();
        String elsewhere = tenants().root(2);
        client.run("BEGIN").ok();
        client.run("DELETE FROM tenants WHERE id = $1", family.child()).ok();
        client.run("INSERT INTO tenants (id, parent_tenant_id) VALUES ($1, $2)", family.child(), elsewhere)
                .ok();
        client.run("COMMIT").ok();
        other.run("INSERT INTO orders VALUES ($1, 2, 'x')", family.child()).ok();
        assertThat(counts("orders", "tenant_id = '" + family.child() + "'")).containsExactly(1L, 0L, 1L);
    }

    /** Without its index the table may hold a key twice: DDL through the proxy takes the proof away. */
    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void withoutAnIndexAnInsertIsAChange(LookupMiss miss) {
        Client client = instance(miss).client(Protocol.SIMPLE);
        Family family = tenants().family(0);
        client.run("INSERT INTO orders VALUES ($1, 1, 'x')", family.child()).ok();
        backdoor().execute("ALTER TABLE tenants OWNER TO app");
        client.run("ALTER TABLE tenants DROP CONSTRAINT tenants_pkey").ok();
        try (WireClient admin =
                WireClient.login(instance(miss).host(), instance(miss).port(), "admin", "admin", PASSWORD)) {
            client.run("SELECT 1 FROM orders WHERE tenant_id = $1", family.child())
                    .ok();
            long generation = shown(admin, "generation");
            client.run(
                            "INSERT INTO tenants (id, parent_tenant_id) VALUES ($1, $2)",
                            family.child(),
                            tenants().root(1))
                    .ok();
            assertThat(shown(admin, "generation")).isGreaterThan(generation);
            assertThat(client.run("SELECT 1 FROM orders WHERE tenant_id = $1", family.child())
                            .sqlState())
                    .isEqualTo("40001");
        } finally {
            backdoor().execute("DELETE FROM tenants WHERE id = '" + family.child() + "'");
            client.run("ALTER TABLE tenants ADD PRIMARY KEY (id)").ok();
        }
    }
}
