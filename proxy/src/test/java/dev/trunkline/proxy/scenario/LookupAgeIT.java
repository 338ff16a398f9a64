package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.proxy.scenario.Tenants.Family;
import java.util.HashMap;
import java.util.Map;

/** With {@code lookup_max_age} a mapping that was changed past this proxy is used for that long at most. */
class LookupAgeIT extends Scenario {

    private static final int AGE_MILLIS = 400;

    @Override
    Map<String, Object> settings(LookupMiss miss) {
        Map<String, Object> settings = new HashMap<>(super.settings(miss));
        settings.put("lookup_max_age", AGE_MILLIS);
        return settings;
    }

    @EveryWay
    void aChangeBehindEveryProxyIsSeenInTime(Way way) {
        Client client = client(way);
        Family family = tenants().family(0);
        String elsewhere = tenants().root(1);
        client.run("INSERT INTO orders VALUES ($1, 1, 'x')", family.child()).ok();
        backdoor()
                .execute("UPDATE tenants SET parent_tenant_id = '%s' WHERE id = '%s'"
                        .formatted(elsewhere, family.child()));
        long changed = System.nanoTime();
        // The guard refuses the row where it does not belong any more: that is how the old mapping shows.
        long[] id = {2};
        await(
                "the new mapping is used",
                () -> client.run("INSERT INTO orders VALUES ($1, $2, 'x')", family.child(), id[0]++)
                                .sqlState()
                        == null);
        assertThat((System.nanoTime() - changed) / 1_000_000).isLessThan(AGE_MILLIS + 1_000);
        assertThat(counts("orders", "tenant_id = '" + family.child() + "'")).containsExactly(1L, 1L, 0L);
        client.run("INSERT INTO orders VALUES ($1, $2, 'x')", family.child(), id[0])
                .ok();
    }
}
