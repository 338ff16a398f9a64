package dev.trunkline.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.pg.Ports;
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
        assertThat(demo.shards().queryLongs("SELECT count(*) FROM tenants")).containsOnly(6L);
        assertThat(demo.shards().queryLongs("SELECT count(*) FROM orders"))
                .doesNotContain(0L)
                .satisfies(counts -> assertThat(
                                counts.stream().mapToLong(Long::longValue).sum())
                        .isEqualTo(18));
    }

    @Test
    void letsEverybodyIn() {
        try (WireClient client = login()) {
            client.terminate();
        }
    }

    private static WireClient login() {
        return WireClient.login("127.0.0.1", PORT, "app", "demo");
    }
}
