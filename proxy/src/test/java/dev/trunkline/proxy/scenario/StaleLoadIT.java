package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.harness.pg.Ports;
import dev.trunkline.proxy.fixture.Metrics;
import dev.trunkline.proxy.scenario.Tenants.Family;
import io.vertx.core.json.JsonArray;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;

/**
 * Loads that began before a write and end after it. The lookup query waits at a gate, an advisory lock, after its
 * snapshot has been taken, so what it returns is what was true then.
 */
class StaleLoadIT extends Scenario {

    private static final int GATE = 77;

    private static final String VIEW =
            "CREATE OR REPLACE VIEW gated AS SELECT id, COALESCE(parent_tenant_id, id) AS root FROM tenants";

    private final Map<LookupMiss, Integer> ports = new EnumMap<>(LookupMiss.class);

    @Override
    Map<String, Object> settings(LookupMiss miss) {
        Map<String, Object> settings = new HashMap<>(super.settings(miss));
        settings.put("openmetrics_port", ports.computeIfAbsent(miss, each -> Ports.free()));
        return settings;
    }

    @Override
    void prepare(Deployment deployment) {
        deployment.shards().executeAll(VIEW + "; GRANT SELECT ON gated TO PUBLIC");
        deployment.rules(
                new JsonArray()
                        .add(Deployment.translated("tenant_id", "varchar", "tenants", "SELECT id, root FROM gated")),
                Deployment.omnisharded("tenants"));
    }

    /** Whoever reads the map waits while somebody holds the gate. A proxy would not start with such a view. */
    @BeforeAll
    void buildGate() {
        shards().executeAll(VIEW + " WHERE (SELECT pg_advisory_xact_lock_shared(" + GATE + ")) IS NOT NULL");
    }

    private Hold gate() {
        return Hold.on(shards(), 0, "SELECT pg_advisory_xact_lock(" + GATE + ")");
    }

    private void awaitRead() {
        await(
                "a read of the map waits at the gate",
                () -> sessions(0, "application_name LIKE 'trunkline lookup%'" + " AND wait_event = 'advisory'") > 0);
    }

    /** lk-invalidate-load-race: the result of a load that began before the write is not used after it. */
    @EveryWay
    void lkInvalidateLoadRace(Way way) {
        Client writer = client(way);
        Client before = client(way);
        Client after = client(way);
        Family family = tenants().family(0);
        String to = tenants().root(1);
        double rejected = metric(way, "load_rejected");
        // The map is cold: the first statement loads it.
        writer.run("UPDATE tenants SET parent_tenant_id = $1 WHERE id = $2", family.parent(), family.child())
                .ok();
        try (Hold gate = gate()) {
            before.send("INSERT INTO orders VALUES ($1, 1, 'x')", family.child())
                    .push();
            awaitRead();
            writer.run("UPDATE tenants SET parent_tenant_id = $1 WHERE id = $2", to, family.child())
                    .ok();
            after.send("INSERT INTO orders VALUES ($1, 2, 'x')", family.child()).push();
            gate.release();
        }
        after.answer().ok();
        // Concurrent with the write: by the old mapping the guard rejects the row, by the new one it is stored.
        String state = before.answer().sqlState();
        assertThat(state == null || state.equals("23514")).as("%s", state).isTrue();
        assertThat(counts("orders", "tenant_id = '" + family.child() + "' AND id = 2"))
                .isEqualTo(onlyOn(1, 1));
        after.run("INSERT INTO orders VALUES ($1, 3, 'x')", family.child()).ok();
        assertThat(metric(way, "load_rejected")).isGreaterThan(rejected);
        assertThat(metric(way, "last_load_seconds")).isPositive();
    }

    private double metric(Way way, String name) {
        return Metrics.of(ports.get(way.miss())).sum("sharding_lookup_" + name);
    }

    /** A verification of one key that began before the key was deleted does not bring it back. */
    @EveryWay
    void aReadOfADeletedMappingIsNotPublished(Way way) {
        Client writer = client(way);
        Client before = client(way);
        Client after = client(way);
        before.run("SELECT 1 FROM orders WHERE tenant_id = $1", tenants().root(0))
                .ok();
        Family family = tenants().family(2);
        try (Hold gate = gate()) {
            before.send("SELECT 1 FROM orders WHERE tenant_id = $1", family.child())
                    .push();
            awaitRead();
            writer.run("DELETE FROM tenants WHERE id = $1", family.child()).ok();
            gate.release();
        }
        String state = before.answer().sqlState();
        assertThat(state == null || state.equals("40001")).as("%s", state).isTrue();
        assertThat(after.run("SELECT 1 FROM orders WHERE tenant_id = $1", family.child())
                        .sqlState())
                .isEqualTo("40001");
    }

    /** A verification that began before the row was inserted is not the last word about it. */
    @EveryWay
    void aVerdictFromBeforeTheInsertIsNotGivenAfterIt(Way way) {
        Client writer = client(way);
        Client before = client(way);
        Client after = client(way);
        String parent = tenants().root(1);
        before.run("SELECT 1 FROM orders WHERE tenant_id = $1", parent).ok();
        String child = tenants().hashingElsewhere(1);
        try (Hold gate = gate()) {
            before.send("SELECT 1 FROM orders WHERE tenant_id = $1", child).push();
            awaitRead();
            writer.run("INSERT INTO tenants (id, parent_tenant_id) VALUES ($1, $2)", child, parent)
                    .ok();
            after.send("INSERT INTO orders VALUES ($1, 1, 'x')", child).push();
            gate.release();
        }
        after.answer().ok();
        String state = before.answer().sqlState();
        assertThat(state == null || state.equals("40001")).as("%s", state).isTrue();
        assertThat(counts("orders", "tenant_id = '" + child + "'")).isEqualTo(onlyOn(1, 1));
    }

    /**
     * lk-omni-half-committed-load: while the shards differ, the map never goes back. Shard 0, where it is read, commits
     * last.
     */
    @EveryWay
    void lkOmniHalfCommittedLoad(Way way) {
        Client writer = client(way);
        List<Client> readers = List.of(client(way), client(way));
        Family family = tenants().family(0);
        String to = tenants().root(1);
        // A row lock on shard 2 holds the statement, a lock on the parent's table the commit: here the statement.
        try (Hold row = Hold.on(shards(), 2, "SELECT 1 FROM tenants WHERE id = '" + family.child() + "' FOR UPDATE")) {
            writer.send("UPDATE tenants SET parent_tenant_id = $1 WHERE id = $2", to, family.child())
                    .push();
            awaitLockWait(2, "UPDATE tenants");
            for (Client reader : readers) {
                reader.run("INSERT INTO users VALUES ($1, 1, 'old')", family.child())
                        .ok();
            }
            row.release();
        }
        writer.answer().ok();
        for (Client reader : readers) {
            reader.run("INSERT INTO users VALUES ($1, 2, 'new')", family.child())
                    .ok();
        }
        assertThat(counts("users", "tenant_id = '" + family.child() + "' AND email = 'old'"))
                .isEqualTo(onlyOn(0, 2));
        assertThat(counts("users", "tenant_id = '" + family.child() + "' AND email = 'new'"))
                .isEqualTo(onlyOn(1, 2));
    }
}
