package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.fault.Cut;
import dev.trunkline.harness.fault.TcpRelay;
import dev.trunkline.harness.wire.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What has broken the pools of other proxies over several shards, each under the name of its case. */
class PoolCasesIT extends Scenario {

    private TcpRelay relay;
    private Instance narrow;
    private Instance timed;

    @Override
    void prepare(Deployment deployment) {
        relay = TcpRelay.to(deployment.shards().host(), deployment.shards().port(2));
        deployment.reachShard(2, relay.port());
        narrow = deployment.startNarrow(Map.of("default_pool_size", 1, "checkout_timeout", 10_000));
        timed = deployment.start(Map.of("query_timeout", 400));
    }

    @AfterAll
    void closeRelay() {
        relay.close();
    }

    @Test
    @DisplayName("pl-multi-shard-attach-failure")
    void oneShardThatCannotBeReachedKeepsNoOthersBusy() {
        Client client = client(Protocol.SIMPLE);
        client.run("SELECT note FROM orders").ok();
        long keyOnZero = keyOn(0);
        relay.refuse();
        relay.cutAll(Cut.RST);
        try {
            int statements = rounds(100);
            for (int i = 0; i < statements; i++) {
                Answer answer = client.run("SELECT note FROM orders");
                assertThat(answer.sqlState()).startsWith("08");
                assertThat(answer.status()).isEqualTo('I');
            }
            for (int shard = 0; shard < 2; shard++) {
                assertThat(sessions(shard, "state <> 'idle'"))
                        .as("shard " + shard)
                        .isZero();
            }
            client.run("SELECT id FROM events WHERE id = " + keyOnZero).ok();
        } finally {
            relay.accept();
        }
        await(
                "shard 2 is reached again",
                () -> client.run("SELECT note FROM orders").sqlState() == null);
    }

    /** A value that is stored on this shard. */
    private long keyOn(int shard) {
        if (shards().queryOne(shard, "SELECT min(id) FROM events WHERE note = 'key'") == null) {
            Client writer = client(Protocol.SIMPLE);
            for (int key = 1; key <= 30; key++) {
                writer.run("INSERT INTO events VALUES (" + key + ", 'key')").ok();
            }
        }
        return Long.parseLong(
                String.valueOf(shards().queryOne(shard, "SELECT min(id) FROM events WHERE note = 'key'")));
    }

    @Test
    @DisplayName("pl-multi-shard-checkout-deadlock")
    void statementsOverDifferentPairsOfShardsDoNotLockEachOtherOut() throws InterruptedException {
        Client writer = narrow.client(Protocol.SIMPLE);
        List<Integer> keys = new ArrayList<>();
        for (int key = 1; key <= 30; key++) {
            writer.run("INSERT INTO events VALUES (" + key + ", 'pair')").ok();
            keys.add(key);
        }
        AtomicInteger answered = new AtomicInteger();
        ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        int statements = rounds(60);
        for (int i = 0; i < 10; i++) {
            int id = i;
            Client client = narrow.client(i % 2 == 0 ? Protocol.SIMPLE : Protocol.EXTENDED);
            Thread thread = new Thread(() -> {
                for (int n = 0; n < statements; n++) {
                    int one = keys.get((id + n) % keys.size());
                    int two = keys.get((id * 7 + n * 3 + 1) % keys.size());
                    Answer answer = client.run(
                            "SELECT id FROM events WHERE note = 'pair' AND id IN (" + one + ", " + two + ")");
                    if (answer.sqlState() != null || answer.rows().size() != (one == two ? 1 : 2)) {
                        wrong.add(answer.toString());
                    }
                    answered.incrementAndGet();
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join(Duration.ofSeconds(60).toMillis());
        }
        assertThat(wrong).isEmpty();
        assertThat(answered.get()).isEqualTo(10 * statements);
    }

    @ParameterizedTest(name = "pl-query-timeout-whole-exchange: over all shards, {0}")
    @EnumSource(Protocol.class)
    void aStatementOverAllShardsThatTakesTooLongIsCancelledOnAll(Protocol protocol) {
        Client client = timed.client(protocol);
        Answer answer;
        try (Hold hold = Hold.table(shards(), 1, "orders")) {
            answer = client.run("SELECT * FROM orders WHERE note = 'nobody''s'");
            hold.release();
        }
        assertThat(answer.sqlState()).isEqualTo("57014");
        assertThat(answer.message()).contains("query_timeout");
        assertThat(answer.status()).isEqualTo('I');
        client.run("SELECT * FROM orders WHERE note = 'nobody''s'").ok();
        client.run("BEGIN").ok();
        client.run("SELECT * FROM orders WHERE note = 'nobody''s'").ok();
        client.run("COMMIT").ok();
    }

    @Test
    @DisplayName("pl-async-return-mapping")
    void aClientThatChangesItsShardWithEachStatementLosesCountOfNothing() {
        Client client = narrow.client(Protocol.SIMPLE);
        long[] keys = {keyOn(0), keyOn(1)};
        int statements = "full".equals(System.getProperty("scale")) ? 1_000_000 : 4_000;
        for (int i = 0; i < statements; i++) {
            client.run("SELECT id FROM events WHERE note = 'none' AND id = " + keys[i % 2])
                    .ok();
        }
        await("every lease is back", () -> narrow.leased() == 0);
        for (int shard = 0; shard < 2; shard++) {
            int number = shard;
            assertThat(narrow.connections(number))
                    .as("connections of shard " + shard)
                    .isEqualTo(1);
        }
    }
}
