package dev.trunkline.proxy.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.pg.PgCluster;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import dev.trunkline.proxy.twophase.DecisionTable;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A database is not served by two phases before its shards and its instance can do so, and then at once. */
class TwoPhaseStartIT {

    private static TestProxy.Setup setup(PgShards shards, String instance) {
        return TestProxy.over(shards)
                .general("two_phase_commit", true)
                .general("instance_id", instance)
                .general("checkout_timeout", 300);
    }

    /** What a login is answered: R for success. */
    private static String login(TestProxy proxy) {
        try (WireClient client = proxy.connect()) {
            Frame answer = client.authenticate(Map.of("user", PgShards.APP, "database", TestProxy.DATABASE), "");
            if (answer.type() == 'R') {
                do {
                    answer = client.readAny();
                } while (answer.type() != 'Z' && answer.type() != 'E');
            }
            return answer.type() == 'Z' ? "ready" : answer.toString();
        }
    }

    private static void awaitServed(TestProxy proxy) {
        TestProxy.await("it is served", () -> login(proxy).equals("ready"));
    }

    @Test
    void waitsForTheTableOfDecisions() {
        try (PgShards shards = PgCluster.shared().shards(2)) {
            shards.execute(0, DecisionTable.CREATE);
            try (TestProxy proxy = setup(shards, "one").start()) {
                assertThat(login(proxy)).startsWith("E 57P03");
                shards.execute(1, DecisionTable.CREATE);
                awaitServed(proxy);
            }
        }
    }

    @Test
    void isNotServedWithoutPreparedTransactions() {
        try (PgCluster cluster = PgCluster.start(2, Map.of("max_prepared_transactions", "0"), progress -> {})) {
            PgShards shards = cluster.shards(2);
            shards.executeAll(DecisionTable.CREATE);
            try (TestProxy proxy = setup(shards, "one").start()) {
                assertThat(login(proxy)).startsWith("E 57P03");
            }
        }
    }

    @Test
    void anInstanceOfTheSameNameWaitsForTheOtherToEnd() {
        try (PgShards shards = PgCluster.shared().shards(2)) {
            shards.executeAll(DecisionTable.CREATE);
            try (TestProxy first = setup(shards, "one").start()) {
                awaitServed(first);
                try (TestProxy second = setup(shards, "one").start();
                        TestProxy third = setup(shards, "two").start()) {
                    assertThat(login(second)).startsWith("E 57P03");
                    awaitServed(third);
                    first.close();
                    awaitServed(second);
                }
            }
        }
    }
}
