package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.wire.Answer;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.scenario.Tenants.Family;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What has broken other proxies over several shards, each under the name of its case; {@code docs/cases.md} lists them.
 */
class CasesIT extends Scenario {

    private final List<Family> families = new ArrayList<>();

    @BeforeEach
    void newFamilies() {
        families.clear();
        for (int shard = 0; shard < 3; shard++) {
            families.add(tenants().family(shard));
        }
    }

    private String child(int shard) {
        return families.get(shard).child();
    }

    private long rows(int shard) {
        return counts("orders", "tenant_id = '" + child(shard) + "'").get(shard);
    }

    private void assertNoTransactionIsLeft() {
        for (int shard = 0; shard < 3; shard++) {
            assertThat(sessions(shard, "state LIKE 'idle in transaction%'"))
                    .as("shard " + shard)
                    .isZero();
        }
    }

    private static WireClient insert(WireClient wire, String tenant, int id) {
        return wire.parse("", "INSERT INTO orders VALUES ($1, $2, 'x')")
                .bind("", "", tenant, id)
                .execute("");
    }

    @Test
    @DisplayName("wp-multi-statement-simple-query-atomic: two shards")
    void aStringOfStatementsIsStoredWholeOrNotAtAll() {
        Client client = client(Protocol.SIMPLE);
        String one = "INSERT INTO orders VALUES ('" + child(0) + "', 1, 'x')";
        String two = "INSERT INTO orders VALUES ('" + child(1) + "', 1, 'x')";
        assertThat(client.wire().simple(one + "; " + two + "; SELECT 1/0").sqlState())
                .isNotNull();
        assertThat(client.wire().simple(one + "; SELECT 1/0").sqlState()).isEqualTo("22012");
        assertThat(rows(0) + rows(1)).isZero();
        assertNoTransactionIsLeft();
        assertThat(client.run("SELECT 1").ok().value()).isEqualTo("1");
    }

    @Test
    @DisplayName("wp-pipeline-implicit-tx-two-shards")
    void whatRunsBeforeOneSyncIsStoredWholeOrNotAtAll() {
        WireClient wire = client(Protocol.EXTENDED).wire();
        insert(wire, child(0), 1);
        insert(wire, child(1), 1);
        wire.parse("", "SELECT 1/$1::int").bind("", "", 0).execute("").sync();
        Answer failed = wire.answer();
        assertThat(failed.sqlState()).isEqualTo("22012");
        assertThat(failed.status()).isEqualTo('I');
        assertThat(rows(0) + rows(1)).isZero();
        assertNoTransactionIsLeft();
        // An error before the second shard is needed: the BEGIN that would take in what has run is skipped with the
        // rest.
        insert(wire, child(0), 1);
        insert(wire, child(0), 1);
        insert(wire, child(1), 1).sync();
        assertThat(wire.answer().sqlState()).isEqualTo("23505");
        assertThat(rows(0) + rows(1)).isZero();
        assertNoTransactionIsLeft();
        insert(wire, child(0), 1);
        insert(wire, child(1), 1);
        insert(wire, child(0), 2);
        wire.parse("", "SELECT 1 + $1::int").bind("", "", 0).execute("").sync();
        Answer done = wire.answer().ok();
        assertThat(done.status()).isEqualTo('I');
        assertThat(done.tags()).containsExactly("INSERT 0 1", "INSERT 0 1", "INSERT 0 1", "SELECT 1");
        assertThat(rows(0)).isEqualTo(2);
        assertThat(rows(1)).isEqualTo(1);
        assertNoTransactionIsLeft();
    }

    @Test
    @DisplayName("wp-sync-reaches-every-shard")
    void noShardIsLeftWithoutItsSync() {
        WireClient wire = client(Protocol.EXTENDED).wire();
        for (int i = 0; i < 4; i++) {
            insert(wire, child(i % 2), i);
        }
        wire.sync();
        wire.answer().ok();
        assertNoTransactionIsLeft();
        assertThat(rows(0)).isEqualTo(2);
        assertThat(rows(1)).isEqualTo(2);
        for (int i = 4; i < 8; i++) {
            insert(wire, child(i % 2), i).sync();
        }
        for (int i = 0; i < 4; i++) {
            wire.answer().ok();
        }
        assertNoTransactionIsLeft();
        assertThat(rows(0)).isEqualTo(4);
        assertThat(rows(1)).isEqualTo(4);
    }

    @Test
    @DisplayName("wp-rows-then-error: one shard of several")
    void anErrorOfOneShardEndsTheResultOfAll() {
        for (int shard = 0; shard < 3; shard++) {
            for (int id : new int[] {1, 2, 499}) {
                client(Protocol.SIMPLE)
                        .run("INSERT INTO orders VALUES ($1, $2, 'rows')", child(shard), id)
                        .ok();
            }
        }
        client(Protocol.SIMPLE)
                .run("INSERT INTO orders VALUES ($1, 500, 'rows')", child(1))
                .ok();
        for (Protocol protocol : Protocol.values()) {
            Client client = client(protocol);
            Answer answer = client.run("SELECT 100 / (id - 500) FROM orders WHERE note = 'rows'");
            assertThat(answer.sqlState()).isEqualTo("22012");
            assertThat(answer.frames().stream().filter(frame -> frame.type() == 'E'))
                    .hasSize(1);
            assertThat(answer.tags()).isEmpty();
            assertThat(answer.status()).isEqualTo('I');
            assertThat(client.run("SELECT 7").ok().value()).isEqualTo("7");
        }
        assertNoTransactionIsLeft();
    }

    @Test
    @DisplayName("ps-routing-recomputed-per-bind")
    void eachExecutionGoesWhereItsKeyLives() {
        for (int shard = 0; shard < 3; shard++) {
            client(Protocol.SIMPLE)
                    .run("INSERT INTO orders VALUES ($1, 1, '0')", child(shard))
                    .ok();
        }
        WireClient wire = client(Protocol.EXTENDED).wire();
        List<String> texts = List.of(
                "UPDATE orders SET note = note::int + 1 WHERE tenant_id = $1",
                "UPDATE orders SET note = note::int + 1 WHERE id = 1 AND tenant_id = $1",
                "UPDATE orders SET note = note::int + 1 WHERE tenant_id = $1 AND id = 1 AND note IS NOT NULL");
        for (int text = 0; text < texts.size(); text++) {
            wire.parse("u" + text, texts.get(text)).sync().expect("1", "Z I");
        }
        for (int i = 0; i < 51; i++) {
            for (int text = 0; text < texts.size(); text++) {
                wire.bind("", "u" + text, child(i % 3)).execute("").sync();
                wire.expect("2", "C UPDATE 1", "Z I");
            }
        }
        for (int shard = 0; shard < 3; shard++) {
            assertThat(backdoor().number(shard, "SELECT note FROM orders WHERE tenant_id = '" + child(shard) + "'"))
                    .isEqualTo(51);
        }
    }

    @Test
    @DisplayName("ps-sql-prepare-execute, ps-sql-prepare-limit-offset: several shards")
    void statementsPreparedInSqlAreRefused() {
        Client client = client(Protocol.SIMPLE);
        for (String sql : List.of(
                "PREPARE p(text) AS SELECT id FROM orders WHERE tenant_id = $1",
                "PREPARE q(int) AS SELECT id FROM orders ORDER BY id LIMIT 5 OFFSET $1",
                "EXECUTE q(7)")) {
            Answer answer = client.wire().simple(sql);
            assertThat(answer.sqlState()).as(sql).isEqualTo("0A000");
            assertThat(answer.field('H')).as(sql).isNotNull();
        }
        assertThat(client.run("SELECT 1").ok().value()).isEqualTo("1");
    }

    @Test
    @DisplayName("ss-set-transaction-not-session: every shard")
    void theModesOfATransactionHoldOnEveryShardOfIt() {
        for (int shard = 0; shard < 3; shard++) {
            client(Protocol.SIMPLE)
                    .run("INSERT INTO orders VALUES ($1, 1, 'x')", child(shard))
                    .ok();
        }
        for (Protocol protocol : Protocol.values()) {
            Client client = client(protocol);
            client.run("BEGIN").ok();
            client.run("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE").ok();
            for (int shard = 0; shard < 3; shard++) {
                assertThat(client.run(
                                        "SELECT current_setting('transaction_isolation') FROM orders WHERE tenant_id = $1",
                                        child(shard))
                                .ok()
                                .value())
                        .isEqualTo("serializable");
            }
            client.run("COMMIT").ok();
            assertThat(client.run("SHOW transaction_isolation").ok().value()).isEqualTo("read committed");
        }
    }
}
