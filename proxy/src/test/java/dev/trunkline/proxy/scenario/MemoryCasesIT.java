package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.Memory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What has made other proxies over several shards grow, under the name of its case. */
class MemoryCasesIT extends Scenario {

    private static final int STATEMENT = 200_000;
    /** What route plans may take in all, and as much again for whatever else has come to be. */
    private static final long BOUND = 128L << 20;

    @Test
    @DisplayName("me-ast-cache-by-count")
    void whatIsKnownOfStatementsIsBoundedByItsSize() {
        WireClient wire = client(Protocol.SIMPLE).wire();
        long before = Memory.heap();
        int statements = "full".equals(System.getProperty("scale")) ? 4_000 : 1_000;
        String filling = "x".repeat(STATEMENT);
        for (int i = 0; i < statements; i++) {
            wire.query("SELECT id AS \"" + i + filling + "\" FROM events WHERE id = 1");
            // The server says that it cuts the name off.
            wire.expect("N 42622", "T", "C SELECT 0", "Z I");
        }
        assertThat(Memory.heap() - before)
                .as("after " + ((long) statements * STATEMENT >> 20) + " MB of statements")
                .isLessThan(BOUND);
        for (int i = 0; i < 1_000; i++) {
            wire.query("SELECT id FROM events WHERE id = 1").expect("T", "C SELECT 0", "Z I");
        }
        assertThat(Memory.heap() - before).isLessThan(BOUND);
    }
}
