package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.proxy.scenario.Tenants.Family;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A transaction that holds a lock on the lookup table, another that waits for it to change the table, and the loader
 * behind both: a cycle that no server sees once the transaction waits for the loader.
 */
class LockedLookupIT extends Scenario {

    private static final int WAIT_MILLIS = 2_000;

    @Override
    Map<String, Object> settings(LookupMiss miss) {
        Map<String, Object> settings = new HashMap<>(super.settings(miss));
        settings.put("lookup_wait_timeout", WAIT_MILLIS);
        return settings;
    }

    @EveryWay
    void aTransactionReadsBehindItsOwnLockByItself(Way way) {
        Client client = client(way);
        Family locked = tenants().family(1);
        Family late = tenants().family(2);
        client.run("SELECT count(*) FROM orders WHERE tenant_id = $1", locked.child())
                .ok();
        client.run("BEGIN").ok();
        client.run("SELECT id FROM tenants WHERE id = $1 FOR SHARE", locked.child())
                .ok();
        CompletableFuture<Void> change = CompletableFuture.runAsync(() -> {
            try (Hold ended = Hold.on(shards(), 0, "ALTER TABLE tenants ALTER COLUMN name SET DEFAULT NULL")) {
                ended.release();
            }
        });
        awaitBlockedChange();
        long begun = System.nanoTime();
        client.run("INSERT INTO orders VALUES ($1, 1, 'x')", late.child()).ok();
        assertThat((System.nanoTime() - begun) / 1_000_000).isLessThan(WAIT_MILLIS);
        assertThat(client.run("SELECT count(*) FROM orders WHERE tenant_id = $1", late.child())
                        .ok()
                        .value())
                .isEqualTo("1");
        client.run("COMMIT").ok();
        change.join();
        assertThat(counts("orders", "tenant_id = '" + late.child() + "'")).isEqualTo(onlyOn(2, 1));
    }

    private void awaitBlockedChange() {
        await(
                "the change waits",
                () -> backdoor()
                                .number(
                                        0,
                                        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                                                + " AND wait_event_type = 'Lock' AND query LIKE 'ALTER TABLE tenants%'")
                        > 0);
    }
}
