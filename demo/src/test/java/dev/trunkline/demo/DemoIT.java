package dev.trunkline.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.pg.Ports;
import dev.trunkline.harness.wire.Answer;
import dev.trunkline.harness.wire.WireClient;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The demo keeps what it promises on its first screen. */
class DemoIT {

    private static final int PORT = Ports.free();
    private static final List<String> STEPS = new ArrayList<>();

    private static Demo demo;

    @BeforeAll
    static void start() {
        demo = Demo.start(PORT, STEPS::add);
    }

    @AfterAll
    static void stop() {
        demo.close();
    }

    @Test
    void tellsWhatItDoesAndHowToConnect() {
        assertThat(STEPS).contains("starting shard 2", "starting the proxy");
        assertThat(demo.welcome())
                .contains("psql \"host=127.0.0.1 port=" + PORT + " user=app dbname=demo\"")
                .contains(Welcome.FAMILY_ORDERS, Welcome.UNKNOWN_TENANT, Welcome.NEW_TENANT, Welcome.ITS_ORDER);
    }

    @Test
    void spreadsTheSampleRowsOverAllShards() {
        assertThat(demo.shards().queryLongs("SELECT count(*) FROM tenants WHERE id <> 'acme-paris'"))
                .containsOnly(6L);
        assertThat(demo.shards().queryLongs("SELECT count(*) FROM orders WHERE tenant_id <> 'acme-paris'"))
                .doesNotContain(0L)
                .satisfies(counts -> assertThat(
                                counts.stream().mapToLong(Long::longValue).sum())
                        .isEqualTo(18));
    }

    @Test
    void readsAChildsAndItsParentsOrdersTogether() {
        try (WireClient client = login()) {
            Answer answer = client.simple(Welcome.FAMILY_ORDERS).ok();
            assertThat(answer.rows())
                    .extracting(row -> row.get(0) + " " + row.get(1))
                    .containsExactly("acme 1", "acme 2", "acme 3", "acme-berlin 1", "acme-berlin 2", "acme-berlin 3");
        }
    }

    @Test
    void namesATenantThatNobodyKnows() {
        try (WireClient client = login()) {
            Answer answer = client.simple(Welcome.UNKNOWN_TENANT);
            assertThat(answer.sqlState()).isEqualTo("40001");
            assertThat(answer.message() + answer.field('D')).contains("umbrella");
        }
    }

    @Test
    void takesAnOrderForATenantThatAnotherClientHasJustInserted() {
        try (WireClient one = login();
                WireClient two = login()) {
            one.simple(Welcome.NEW_TENANT).ok();
            assertThat(two.simple(Welcome.ITS_ORDER).ok().tags()).containsExactly("INSERT 0 1");
        }
        int shard = new Tenant("acme-paris", "acme", "").shard(3);
        assertThat(demo.shards().queryOne(shard, "SELECT count(*) FROM orders WHERE tenant_id = 'acme-paris'"))
                .isEqualTo("1");
    }

    private static WireClient login() {
        return WireClient.login("127.0.0.1", PORT, "app", "demo");
    }
}
