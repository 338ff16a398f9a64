package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.fault.Cut;
import dev.trunkline.harness.fault.Direction;
import dev.trunkline.harness.fault.TcpRelay;
import dev.trunkline.harness.wire.Answer;
import dev.trunkline.proxy.scenario.Tenants.Family;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Connections to shards that break: before a commit nothing is stored, while one is under way the client is told that
 * its outcome is not known, and the map follows what the shards hold in the end. Each shard is behind a relay.
 */
class LostServerIT extends Scenario {

    private final List<TcpRelay> relays = new ArrayList<>();

    @Override
    void prepare(Deployment deployment) {
        for (int shard = 0; shard < 3; shard++) {
            TcpRelay relay =
                    TcpRelay.to(deployment.shards().host(), deployment.shards().port(shard));
            relays.add(relay);
            deployment.reachShard(shard, relay.port());
        }
        deployment.shards().executeAll(VanishedClientIT.GATE);
        deployment.addOmnisharded("gated");
    }

    @AfterEach
    void thaw() {
        relays.forEach(relay -> relay.thaw(Direction.TO_CLIENT));
        relays.forEach(relay -> relay.thaw(Direction.TO_SERVER));
    }

    @AfterAll
    void closeRelays() {
        relays.forEach(TcpRelay::close);
    }

    /** The lookup ends its own reads with a COMMIT, which must not be taken for the writer's. */
    private void awaitIdleLookups() {
        await(
                "the lookup is idle",
                () -> sessions(0, "application_name LIKE 'trunkline lookup%' AND state <> 'idle'") == 0);
        // Whatever it was sent has gone through the relay long before the answers to three more statements have.
        Client other = client(Protocol.SIMPLE);
        for (int statement = 0; statement < 3; statement++) {
            other.run("SELECT count(*) FROM pg_catalog.pg_class").ok();
        }
    }

    /** Connections were cut that lay idle in pools: the client's loop has noticed when one statement has come through. */
    private void awaitShardZero(Client client) {
        await(
                "shard 0 is reached again",
                () -> client.run("SELECT count(*) FROM pg_catalog.pg_class").sqlState() == null);
    }

    // ---- before the commit

    @EveryWay
    void duringAWriteOverAllShardsNothingIsStored(Way way) {
        for (int shard = 0; shard < 3; shard++) {
            String parent = tenants().root(1);
            String child = tenants().hashingElsewhere(1);
            Client writer = client(way);
            Answer answer;
            try (Hold hold = Hold.on(shards(), shard, "INSERT INTO tenants (id) VALUES ('" + child + "')")) {
                writer.send("INSERT INTO tenants (id, parent_tenant_id) VALUES ($1, $2)", child, parent)
                        .push();
                awaitLockWait(shard, "INSERT INTO tenants");
                relays.get(shard).cutAll(Cut.RST);
                answer = writer.answer();
                hold.release();
            }
            assertThat(answer.sqlState()).as("shard %d", shard).isEqualTo("08006");
            assertThat(answer.field('S')).isEqualTo("ERROR");
            assertThat(answer.status()).isEqualTo('I');
            deployment().invariants().assertHold();
            assertThat(counts("tenants", "id = '" + child + "'")).containsOnly(0L);
            assertThat(writer.run("SELECT 1 FROM orders WHERE tenant_id = $1", child)
                            .sqlState())
                    .isEqualTo("40001");
            writer.run("INSERT INTO tenants (id, parent_tenant_id) VALUES ($1, $2)", child, parent)
                    .ok();
            writer.run("INSERT INTO orders VALUES ($1, 1, 'x')", child).ok();
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void duringAReadOverAllShardsTheClientLivesOn(Protocol protocol) {
        Client reader = client(protocol);
        Answer answer;
        try (Hold hold = Hold.table(shards(), 1, "orders")) {
            reader.send("SELECT * FROM orders WHERE note = 'nobody''s'").push();
            awaitLockWait(1, "SELECT * FROM orders");
            relays.get(1).cutAll(Cut.RST);
            answer = reader.answer();
            hold.release();
        }
        assertThat(answer.sqlState()).isEqualTo("08006");
        assertThat(answer.status()).isEqualTo('I');
        reader.run("SELECT * FROM orders WHERE note = 'nobody''s'").ok();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void betweenTwoStatementsOfABlockTheBlockFails(Protocol protocol) {
        Client client = client(protocol);
        Family family = tenants().family(1);
        client.run("BEGIN").ok();
        client.run("INSERT INTO countries (code) VALUES ($1)", "lost" + protocol)
                .ok();
        client.run("INSERT INTO orders VALUES ($1, 1, 'x')", family.child()).ok();
        relays.get(2).cutAll(Cut.RST);
        await("the proxy knows of it", () -> {
            Answer answer = client.run("SELECT id FROM orders WHERE tenant_id = $1", family.child());
            return answer.status() == 'E';
        });
        assertThat(client.run("COMMIT").ok().tags()).containsExactly("ROLLBACK");
        assertThat(counts("countries", "code = 'lost" + protocol + "'")).containsOnly(0L);
        assertThat(counts("orders", "tenant_id = '" + family.child() + "'")).containsOnly(0L);
        client.run("INSERT INTO orders VALUES ($1, 1, 'x')", family.child()).ok();
    }

    // ---- while it is committed

    /** Shard 0 has committed, but its answer is lost: unknown to the proxy, and true from then on. */
    @EveryWay
    void theAnswerToTheLastCommitIsLost(Way way) {
        Client writer = client(way);
        Client reader = client(way);
        Family family = tenants().family(0);
        String to = tenants().root(1);
        reader.run("INSERT INTO orders VALUES ($1, 1, 'x')", family.child()).ok();
        awaitIdleLookups();
        relays.get(0).holdBefore(Direction.TO_CLIENT, "COMMIT");
        writer.send("UPDATE tenants SET parent_tenant_id = $1 WHERE id = $2", to, family.child())
                .push();
        relays.get(0).awaitHold(Direction.TO_CLIENT);
        relays.get(0).cutAll(Cut.RST);
        relays.get(0).thaw(Direction.TO_CLIENT);
        Answer answer = writer.answer();
        assertThat(answer.sqlState()).isEqualTo("40003");
        assertThat(detail(answer)).contains("shards [1, 2]").contains("shards [0]");
        assertThat(answer.tags()).isEmpty();
        assertThat(answer.status()).isEqualTo('I');
        assertThat(counts("tenants", "id = '%s' AND parent_tenant_id = '%s'".formatted(family.child(), to)))
                .containsOnly(1L);
        List.of(writer, reader).forEach(this::awaitShardZero);
        for (int use = 2; use < 5; use++) {
            reader.run("INSERT INTO orders VALUES ($1, $2, 'x')", family.child(), (long) use)
                    .ok();
            writer.run("INSERT INTO orders VALUES ($1, $2, 'x')", family.child(), 10L + use)
                    .ok();
        }
        assertThat(counts("orders", "tenant_id = '" + family.child() + "' AND id > 1"))
                .isEqualTo(onlyOn(1, 6));
    }

    /** The other shards have committed, shard 0 has not: translated by shard 0, where the truth is read. */
    @EveryWay
    void theLastCommitIsLost(Way way) {
        Client writer = client(way);
        Client reader = client(way);
        Family family = tenants().family(0);
        String to = tenants().root(1);
        reader.run("INSERT INTO orders VALUES ($1, 1, 'x')", family.child()).ok();
        awaitIdleLookups();
        relays.get(0).holdBefore(Direction.TO_SERVER, "COMMIT");
        writer.send("UPDATE tenants SET parent_tenant_id = $1 WHERE id = $2", to, family.child())
                .push();
        relays.get(0).awaitHold(Direction.TO_SERVER);
        relays.get(0).cutAll(Cut.RST);
        relays.get(0).thaw(Direction.TO_SERVER);
        Answer answer = writer.answer();
        assertThat(answer.sqlState()).isEqualTo("40003");
        awaitShardZero(reader);
        deployment().invariants().assertHold();
        assertThat(counts("tenants", "id = '%s' AND parent_tenant_id = '%s'".formatted(family.child(), to)))
                .containsExactly(0L, 1L, 1L);
        reader.run("SELECT id FROM orders WHERE tenant_id = $1", family.child()).ok();
        backdoor()
                .execute("UPDATE tenants SET parent_tenant_id = '%s' WHERE id = '%s'"
                        .formatted(family.parent(), family.child()));
        reader.run("INSERT INTO orders VALUES ($1, 2, 'x')", family.child()).ok();
    }

    /** One shard was written and has committed, but its answer is lost: nobody is told that it has not. */
    @ParameterizedTest
    @EnumSource(Protocol.class)
    void theAnswerOfTheOnlyWriterIsLost(Protocol protocol) {
        Client client = client(protocol);
        Family family = tenants().family(1);
        client.run("BEGIN").ok();
        client.run("INSERT INTO orders VALUES ($1, 1, 'x')", family.child()).ok();
        relays.get(1).holdBefore(Direction.TO_CLIENT, "COMMIT");
        client.send("COMMIT").push();
        relays.get(1).awaitHold(Direction.TO_CLIENT);
        relays.get(1).cutAll(Cut.RST);
        relays.get(1).thaw(Direction.TO_CLIENT);
        Answer answer = client.answer();
        assertThat(answer.sqlState()).isEqualTo("40003");
        assertThat(detail(answer)).contains("shard 1");
        assertThat(answer.tags()).isEmpty();
        assertThat(answer.status()).isEqualTo('I');
        assertThat(counts("orders", "tenant_id = '" + family.child() + "'")).isEqualTo(onlyOn(1, 1));
    }

    /** A commit that is lost on the way to the first shard is a failure like any other. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aCommitLostBeforeShardZeroCommitsStoresNothingThere(int shard) {
        Client writer = client(Protocol.EXTENDED);
        String code = "before" + shard;
        relays.get(shard).holdBefore(Direction.TO_SERVER, "COMMIT");
        writer.send("INSERT INTO countries (code) VALUES ($1)", code).push();
        relays.get(shard).awaitHold(Direction.TO_SERVER);
        relays.get(shard).cutAll(Cut.RST);
        relays.get(shard).thaw(Direction.TO_SERVER);
        assertThat(writer.answer().sqlState()).isEqualTo("40003");
        deployment().invariants().assertHold();
        assertThat(counts("countries", "code = '" + code + "'").get(0)).isZero();
        assertThat(counts("countries", "code = '" + code + "'").get(shard)).isZero();
        backdoor().execute("DELETE FROM countries WHERE code = '" + code + "'");
    }

    /** The server process goes on committing after its connection is gone: it is found and ended. */
    @EveryWay
    void aCommitThatWaitsBehindALostConnectionIsEnded(Way way) {
        Client writer = client(way);
        int number = 5000 + way.ordinal();
        try (Hold gate = Hold.on(shards(), 0, "SELECT pg_advisory_xact_lock(" + number + ")")) {
            writer.send("INSERT INTO gated VALUES ($1, 'x')", number).push();
            awaitLockWait(0, "COMMIT");
            relays.get(0).cutAll(Cut.RST);
            assertThat(writer.answer().sqlState()).isEqualTo("40003");
            gate.release();
        }
        deployment().invariants().assertHold();
        assertThat(counts("gated", "id = " + number))
                .containsExactly(counts("gated", "id = " + number).get(0), 1L, 1L);
        backdoor().execute("DELETE FROM gated WHERE id = " + number);
    }
}
