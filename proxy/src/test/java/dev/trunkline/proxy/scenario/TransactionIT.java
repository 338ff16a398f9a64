package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.wire.Answer;
import dev.trunkline.proxy.scenario.Tenants.Family;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transaction blocks that reach several shards. */
class TransactionIT extends Scenario {

    @EveryWay
    void aNewTenantAndAnOrderOfAKnownOneAreOneTransaction(Way way) {
        Client client = client(way);
        Family known = tenants().family(1);
        String fresh = tenants().hashingElsewhere(1);
        client.run("BEGIN").ok();
        client.run("INSERT INTO orders VALUES ($1, 1, 'x')", known.child()).ok();
        client.run("INSERT INTO tenants (id, parent_tenant_id) VALUES ($1, $2)", fresh, known.parent())
                .ok();
        assertThat(client.run("COMMIT").ok().tags()).containsExactly("COMMIT");
        assertThat(counts("tenants", "id = '" + fresh + "'")).containsOnly(1L);
        assertThat(counts("orders", "tenant_id = '" + known.child() + "'")).isEqualTo(onlyOn(1, 1));
        client.run("INSERT INTO orders VALUES ($1, 2, 'x')", fresh).ok();
    }

    @EveryWay
    void rollbackUndoesBoth(Way way) {
        Client client = client(way);
        Family known = tenants().family(2);
        String fresh = tenants().hashingElsewhere(2);
        client.run("BEGIN").ok();
        client.run("INSERT INTO orders VALUES ($1, 1, 'x')", known.child()).ok();
        client.run("INSERT INTO tenants (id, parent_tenant_id) VALUES ($1, $2)", fresh, known.parent())
                .ok();
        assertThat(client.run("ROLLBACK").ok().tags()).containsExactly("ROLLBACK");
        assertThat(counts("tenants", "id = '" + fresh + "'")).containsOnly(0L);
        assertThat(counts("orders", "tenant_id = '" + known.child() + "'")).containsOnly(0L);
        assertThat(client.run("SELECT 1 FROM orders WHERE tenant_id = $1", fresh)
                        .sqlState())
                .isEqualTo("40001");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void severalShardsAreWrittenAndCommittedTogether(Protocol protocol) {
        Client client = client(protocol);
        Family one = tenants().family(0);
        Family two = tenants().family(1);
        String both = "tenant_id IN ('%s', '%s')".formatted(one.child(), two.child());
        client.run("BEGIN").ok();
        client.run("INSERT INTO orders VALUES ($1, 1, 'x')", one.child()).ok();
        assertThat(client.run("SELECT id FROM orders WHERE tenant_id = $1", two.child())
                        .ok()
                        .rows())
                .isEmpty();
        client.run("INSERT INTO orders VALUES ($1, 1, 'x')", two.child()).ok();
        assertThat(counts("orders", both)).containsOnly(0L);
        assertThat(client.run("COMMIT").ok().tags()).containsExactly("COMMIT");
        assertThat(counts("orders", both)).containsExactly(1L, 1L, 0L);
        client.run("BEGIN").ok();
        client.run("DELETE FROM orders WHERE tenant_id = $1", one.child()).ok();
        client.run("DELETE FROM orders WHERE tenant_id = $1", two.child()).ok();
        assertThat(client.run("ROLLBACK").ok().tags()).containsExactly("ROLLBACK");
        assertThat(counts("orders", both)).containsExactly(1L, 1L, 0L);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    @DisplayName("tp-commit-of-failed-tx")
    void anErrorOnOneShardUndoesWhatTheOtherWrote(Protocol protocol) {
        Client client = client(protocol);
        Family one = tenants().family(0);
        Family two = tenants().family(1);
        client.run("BEGIN").ok();
        client.run("INSERT INTO orders VALUES ($1, 1, 'x')", one.child()).ok();
        client.run("INSERT INTO orders VALUES ($1, 1, 'x')", two.child()).ok();
        assertThat(client.run("INSERT INTO orders VALUES ($1, 1, 'again')", two.child())
                        .sqlState())
                .isEqualTo("23505");
        assertThat(client.run("SELECT id FROM orders WHERE tenant_id = $1", one.child())
                        .sqlState())
                .isEqualTo("25P02");
        Answer end = client.run("COMMIT").ok();
        assertThat(end.tags()).containsExactly("ROLLBACK");
        assertThat(end.status()).isEqualTo('I');
        assertThat(counts("orders", "tenant_id IN ('%s', '%s')".formatted(one.child(), two.child())))
                .containsOnly(0L);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void repeatableReadHasItsSnapshotOnEveryShardFromTheFirstStatement(Protocol protocol) {
        Client reader = client(protocol);
        Client writer = client(protocol);
        Family one = tenants().family(0);
        Family two = tenants().family(1);
        for (String begin : List.of(
                "BEGIN ISOLATION LEVEL REPEATABLE READ",
                "BEGIN; SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
                "SET default_transaction_isolation = 'repeatable read'; BEGIN")) {
            for (String statement : begin.split("; ")) {
                reader.run(statement).ok();
            }
            reader.run("SAVEPOINT s").ok();
            reader.run("SELECT id FROM orders WHERE tenant_id = $1", one.child())
                    .ok();
            writer.run("INSERT INTO orders VALUES ($1, 7, 'new')", two.child()).ok();
            assertThat(reader.run("SELECT id FROM orders WHERE tenant_id = $1 AND id = 7", two.child())
                            .ok()
                            .rows())
                    .isEmpty();
            reader.run("COMMIT").ok();
            assertThat(reader.run("SELECT id FROM orders WHERE tenant_id = $1 AND id = 7", two.child())
                            .ok()
                            .rows())
                    .hasSize(1);
            writer.run("DELETE FROM orders WHERE tenant_id = $1", two.child()).ok();
        }
        reader.run("RESET default_transaction_isolation").ok();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void savepointsReachShardsThatAreEnlistedLater(Protocol protocol) {
        Client client = client(protocol);
        Family family = tenants().family(2);
        String code = "sp" + protocol;
        client.run("BEGIN").ok();
        client.run("INSERT INTO orders VALUES ($1, 1, 'kept')", family.child()).ok();
        client.run("SAVEPOINT s").ok();
        client.run("INSERT INTO countries (code) VALUES ($1)", code).ok();
        client.run("INSERT INTO orders VALUES ($1, 2, 'undone')", family.child())
                .ok();
        client.run("ROLLBACK TO s").ok();
        client.run("COMMIT").ok();
        assertThat(counts("orders", "tenant_id = '" + family.child() + "'")).isEqualTo(onlyOn(2, 1));
        assertThat(counts("countries", "code = '" + code + "'")).containsOnly(0L);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void aServersErrorFailsTheBlockOnEveryShard(Protocol protocol) {
        Client client = client(protocol);
        Family family = tenants().family(1);
        String code = "er" + protocol;
        client.run("BEGIN").ok();
        client.run("INSERT INTO countries (code) VALUES ($1)", code).ok();
        client.run("INSERT INTO orders VALUES ($1, 1, 'x')", family.child()).ok();
        assertThat(client.run("INSERT INTO orders VALUES ($1, 1, 'again')", family.child())
                        .sqlState())
                .isEqualTo("23505");
        assertThat(client.run("SELECT 1").sqlState()).isEqualTo("25P02");
        assertThat(client.run("COMMIT").ok().tags()).containsExactly("ROLLBACK");
        assertThat(counts("countries", "code = '" + code + "'")).containsOnly(0L);
        assertThat(counts("orders", "tenant_id = '" + family.child() + "'")).containsOnly(0L);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void aStringOfStatementsIsOneTransaction(Protocol protocol) {
        Client client = client(protocol);
        Family family = tenants().family(0);
        String code = "st" + protocol;
        Answer failed = client.wire()
                .simple("INSERT INTO countries (code) VALUES ('%s'); INSERT INTO orders VALUES ('%s', 1); SELECT 1/0"
                        .formatted(code, family.child()));
        assertThat(failed.sqlState()).isEqualTo("22012");
        assertThat(failed.status()).isEqualTo('I');
        assertThat(counts("countries", "code = '" + code + "'")).containsOnly(0L);
        assertThat(counts("orders", "tenant_id = '" + family.child() + "'")).containsOnly(0L);
        Answer done = client.wire()
                .simple("INSERT INTO countries (code) VALUES ('%s'); INSERT INTO orders VALUES ('%s', 1)"
                        .formatted(code, family.child()))
                .ok();
        assertThat(done.tags()).containsExactly("INSERT 0 1", "INSERT 0 1");
        assertThat(counts("countries", "code = '" + code + "'")).containsOnly(1L);
        assertThat(counts("orders", "tenant_id = '" + family.child() + "'")).isEqualTo(onlyOn(0, 1));
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void chainedTransactionsGoOn(Protocol protocol) {
        Client client = client(protocol);
        Family family = tenants().family(1);
        client.run("BEGIN").ok();
        client.run("INSERT INTO orders VALUES ($1, 1, 'x')", family.child()).ok();
        assertThat(client.run("COMMIT AND CHAIN").ok().status()).isEqualTo('T');
        client.run("INSERT INTO orders VALUES ($1, 2, 'x')", family.child()).ok();
        assertThat(client.run("ROLLBACK").ok().status()).isEqualTo('I');
        assertThat(counts("orders", "tenant_id = '" + family.child() + "'")).isEqualTo(onlyOn(1, 1));
    }
}
