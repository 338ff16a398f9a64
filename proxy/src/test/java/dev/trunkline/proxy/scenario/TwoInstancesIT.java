package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.LookupMiss;
import java.util.List;
import java.util.Map;

/**
 * Two proxies that know nothing of each other. What one inserts the other finds at first use; a mapping that one changes
 * the other may go on translating by the old row, which is why mappings must not be changed through several proxies.
 */
class TwoInstancesIT extends Scenario {

    private static final int RELOAD_INTERVAL_MILLIS = 400;

    /** Both as they are by default. */
    @Override
    Map<String, Object> settings(LookupMiss miss) {
        return Map.of(
                "lookup_miss",
                miss.name().toLowerCase(java.util.Locale.ROOT),
                "lookup_reload_interval",
                RELOAD_INTERVAL_MILLIS);
    }

    private static LookupMiss other(LookupMiss miss) {
        return miss == LookupMiss.PROBE ? LookupMiss.RELOAD : LookupMiss.PROBE;
    }

    /** lk-other-proxy-instance: also when this proxy's map has just been read. */
    @EveryWay
    void lkOtherProxyInstance(Way way) {
        Client here = client(way);
        Client there = client(new Way(way.protocol(), other(way.miss())));
        String parent = tenants().root(1);
        here.run("SELECT 1 FROM orders WHERE tenant_id = $1", parent).ok();
        for (int round = 0; round < 2; round++) {
            String child = tenants().hashingElsewhere(1);
            there.run("INSERT INTO tenants (id, parent_tenant_id) VALUES ($1, $2)", child, parent)
                    .ok();
            long begun = System.nanoTime();
            here.run("INSERT INTO orders VALUES ($1, 1, 'x')", child).ok();
            assertThat((System.nanoTime() - begun) / 1_000_000).isLessThan(2 * RELOAD_INTERVAL_MILLIS + 1000);
            assertThat(counts("orders", "tenant_id = '" + child + "'")).isEqualTo(onlyOn(1, 1));
        }
    }

    @EveryWay
    void anInsertBehindEveryProxyIsFoundAtFirstUse(Way way) {
        List<Client> clients = List.of(client(way), client(new Way(way.protocol(), other(way.miss()))));
        String parent = tenants().root(2);
        String child = tenants().hashingElsewhere(2);
        tenants().add(child, parent);
        for (int i = 0; i < clients.size(); i++) {
            clients.get(i)
                    .run("INSERT INTO orders VALUES ($1, $2, 'x')", child, (long) i)
                    .ok();
        }
        assertThat(counts("orders", "tenant_id = '" + child + "'")).isEqualTo(onlyOn(2, 2));
    }
}
