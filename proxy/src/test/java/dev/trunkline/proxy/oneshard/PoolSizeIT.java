package dev.trunkline.proxy.oneshard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How many connections a pool keeps, and for how long. */
@Shards(1)
class PoolSizeIT {

    private final PgShards shards;

    PoolSizeIT(PgShards shards) {
        this.shards = shards;
    }

    private int connections() {
        return Integer.parseInt(String.valueOf(shards.queryOne(
                0, "SELECT count(*) FROM pg_stat_activity WHERE usename = 'app' AND datname = current_database()")));
    }

    private static String pid(WireClient client) {
        return String.valueOf(client.simple("SELECT pg_backend_pid()").ok().value());
    }

    @Test
    void opensItsMinimumAtStartAndClosesWhatIsIdleBeyondIt() {
        try (TestProxy proxy = TestProxy.over(shards)
                .user("pool_size", 4)
                .general("min_pool_size", 2)
                .general("idle_timeout", 100)
                .start()) {
            TestProxy.await("the minimum is open", () -> connections() == 2);
            List<WireClient> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                WireClient client = proxy.login();
                client.query("BEGIN; SELECT 1").expect("C BEGIN", "T", "D 1", "C SELECT 1", "Z T");
                clients.add(client);
            }
            assertThat(connections()).isEqualTo(4);
            clients.forEach(client -> client.query("COMMIT").expect("C COMMIT", "Z I"));
            clients.forEach(WireClient::terminate);
            TestProxy.await("what is idle has been closed", () -> connections() == 2);
        }
        TestProxy.await("all are closed", () -> connections() == 0);
    }

    @Test
    void replacesWhatHasLivedLongEnough() {
        try (TestProxy proxy =
                        TestProxy.over(shards).general("server_lifetime", 200).start();
                WireClient client = proxy.login()) {
            String first = pid(client);
            TestProxy.await("another connection serves", () -> !pid(client).equals(first));
            client.query("BEGIN").expect("C BEGIN", "Z T");
            String inBlock = pid(client);
            assertThat(client.simple("SELECT pg_sleep(0.3)").sqlState()).isNull();
            assertThat(pid(client)).as("not within a transaction").isEqualTo(inBlock);
            client.query("COMMIT").expect("C COMMIT", "Z I");
            assertThat(pid(client)).isNotEqualTo(inBlock);
        }
    }
}
