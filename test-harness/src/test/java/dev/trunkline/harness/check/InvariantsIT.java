package dev.trunkline.harness.check;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trunkline.harness.pg.PgCluster;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.WireClient;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InvariantsIT {

    private PgShards shards;
    private Invariants invariants;
    private WireClient client;

    @BeforeEach
    void start() {
        shards = PgCluster.shared().shards(2);
        invariants = new Invariants(shards);
        client = WireClient.login(shards.host(), shards.port(1), "app", shards.database());
    }

    @AfterEach
    void close() {
        client.close();
        shards.close();
    }

    @Test
    void holdWhenSessionsAreIdle() {
        client.simple("SELECT 1").ok();
        invariants.assertHold();
    }

    @Test
    void nameAnOpenTransactionAndAPreparedOneAndALock() {
        client.simple("BEGIN; CREATE TABLE t (n int); PREPARE TRANSACTION 'left over'")
                .ok();
        client.simple("SELECT pg_advisory_lock(7); BEGIN").ok();
        invariants.add(() -> List.of("lease out"));

        assertThatThrownBy(invariants::assertHold)
                .hasMessageContaining("shard 1: session in a transaction: app idle in transaction")
                .hasMessageContaining("shard 1: prepared transaction: left over of app")
                .hasMessageContaining("shard 1: advisory lock: 0 7")
                .hasMessageContaining("lease out");
        new Invariants(shards).assertHold();
    }
}
