package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.wire.Answer;
import dev.trunkline.proxy.scenario.Tenants.Family;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A client that vanishes leaves nothing behind: no transaction, no half of a write, no map that says something else than
 * the table. After each test the invariants look for what is left.
 */
class VanishedClientIT extends Scenario {

    /** A row waits at COMMIT while somebody holds the advisory lock of its number. */
    static final String GATE = """
            CREATE TABLE gated (id int PRIMARY KEY, note text);
            CREATE FUNCTION wait_at_the_gate() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_advisory_xact_lock(NEW.id); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER gate AFTER INSERT ON gated DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION wait_at_the_gate();
            """;

    private final AtomicInteger numbers = new AtomicInteger(2000);

    @Override
    void prepare(Deployment deployment) {
        deployment.backdoor().execute(GATE);
        deployment.addOmnisharded("gated");
    }

    /** The map says what the table says: stored everywhere and usable, or nowhere and unknown. */
    private void isWholeOrAbsent(Way way, String tenant, int shard) {
        deployment().invariants().assertHold();
        List<Long> stored = counts("tenants", "id = '" + tenant + "'");
        assertThat(stored).isIn(List.of(0L, 0L, 0L), List.of(1L, 1L, 1L));
        for (int reader = 0; reader < 2; reader++) {
            Answer used = client(way).run("INSERT INTO users VALUES ($1, $2, 'e')", tenant, (long) reader);
            assertThat(used.sqlState()).isEqualTo(stored.get(0) == 1 ? null : "40001");
        }
        assertThat(counts("users", "tenant_id = '" + tenant + "'"))
                .isEqualTo(onlyOn(shard, stored.get(0) == 1 ? 2 : 0));
    }

    @EveryWay
    void betweenAnInsertIntoTheLookupTableAndItsCompletion(Way way) {
        for (int shard = 0; shard < 3; shard++) {
            String parent = tenants().root(1);
            String child = tenants().hashingElsewhere(1);
            Client writer = client(way);
            try (Hold hold = Hold.on(shards(), shard, "INSERT INTO tenants (id) VALUES ('" + child + "')")) {
                writer.send("INSERT INTO tenants (id, parent_tenant_id) VALUES ($1, $2)", child, parent)
                        .push();
                awaitLockWait(shard, "INSERT INTO tenants");
                writer.vanish();
                hold.release();
            }
            isWholeOrAbsent(way, child, 1);
        }
    }

    /** Nobody waits for it, nobody knows how it ends: it goes through the whole maze by itself. */
    @EveryWay
    void atOnceAfterSendingAnInsertIntoTheLookupTable(Way way) {
        for (int round = 0; round < rounds(8); round++) {
            String parent = tenants().root(2);
            String child = tenants().hashingElsewhere(2);
            Client writer = client(way);
            writer.send("INSERT INTO tenants (id, parent_tenant_id) VALUES ($1, $2)", child, parent)
                    .push()
                    .vanish();
            isWholeOrAbsent(way, child, 2);
        }
    }

    @EveryWay
    void inAnOpenTransactionThatHasWrittenTheLookupTable(Way way) {
        Family family = tenants().family(0);
        String elsewhere = tenants().root(1);
        Client reader = client(way);
        reader.run("INSERT INTO users VALUES ($1, 1, 'e')", family.child()).ok();
        Client writer = client(way);
        writer.run("BEGIN").ok();
        writer.run("UPDATE tenants SET parent_tenant_id = $1 WHERE id = $2", elsewhere, family.child())
                .ok();
        writer.vanish();
        reader.run("INSERT INTO users VALUES ($1, 2, 'e')", family.child()).ok();
        await(
                "the transaction is gone",
                () -> backdoor()
                        .longs("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                                + " AND xact_start IS NOT NULL AND pid <> pg_backend_pid()")
                        .stream()
                        .allMatch(count -> count == 0));
        reader.run("INSERT INTO users VALUES ($1, 3, 'e')", family.child()).ok();
        assertThat(counts("users", "tenant_id = '" + family.child() + "'")).isEqualTo(onlyOn(0, 3));
        assertThat(counts(
                        "tenants", "id = '%s' AND parent_tenant_id = '%s'".formatted(family.child(), family.parent())))
                .containsOnly(1L);
    }

    @EveryWay
    void whileItsChangeOfAMappingWaitsForAShard(Way way) {
        for (int shard = 0; shard < 3; shard++) {
            Family family = tenants().family(0);
            String elsewhere = tenants().root(1);
            Client reader = client(way);
            reader.run("INSERT INTO users VALUES ($1, 1, 'e')", family.child()).ok();
            Client writer = client(way);
            String row = "SELECT 1 FROM tenants WHERE id = '" + family.child() + "' FOR UPDATE";
            try (Hold hold = Hold.on(shards(), shard, row)) {
                writer.send("UPDATE tenants SET parent_tenant_id = $1 WHERE id = $2", elsewhere, family.child())
                        .push();
                awaitLockWait(shard, "UPDATE tenants");
                writer.vanish();
                hold.release();
            }
            deployment().invariants().assertHold();
            List<Long> moved =
                    counts("tenants", "id = '%s' AND parent_tenant_id = '%s'".formatted(family.child(), elsewhere));
            assertThat(moved).isIn(List.of(0L, 0L, 0L), List.of(1L, 1L, 1L));
            reader.run("INSERT INTO users VALUES ($1, 2, 'e')", family.child()).ok();
            assertThat(counts("users", "tenant_id = '" + family.child() + "' AND id = 2"))
                    .isEqualTo(onlyOn(moved.get(0) == 1 ? 1 : 0, 1));
        }
    }

    /** A commit over several shards does not stop half-way. */
    @ParameterizedTest
    @EnumSource(Protocol.class)
    void whileItsCommitIsUnderWay(Protocol protocol) {
        for (int shard = 0; shard < 3; shard++) {
            int number = numbers.incrementAndGet();
            Client writer = client(protocol);
            try (Hold gate = Hold.on(shards(), shard, "SELECT pg_advisory_xact_lock(" + number + ")")) {
                writer.send("INSERT INTO gated VALUES ($1, 'x')", number).push();
                awaitLockWait(shard, "COMMIT");
                writer.vanish();
                gate.release();
            }
            deployment().invariants().assertHold();
            assertThat(counts("gated", "id = " + number)).containsOnly(1L);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void whileTheCommitOfItsBlockIsUnderWay(Protocol protocol) {
        Family family = tenants().family(1);
        for (int shard = 0; shard < 3; shard++) {
            int number = numbers.incrementAndGet();
            Client writer = client(protocol);
            try (Hold gate = Hold.on(shards(), shard, "SELECT pg_advisory_xact_lock(" + number + ")")) {
                writer.run("BEGIN").ok();
                writer.run("INSERT INTO gated VALUES ($1, 'x')", number).ok();
                writer.run("INSERT INTO orders VALUES ($1, $2, 'x')", family.child(), (long) number)
                        .ok();
                writer.send("COMMIT").push();
                awaitLockWait(shard, "COMMIT");
                writer.vanish();
                gate.release();
            }
            deployment().invariants().assertHold();
            assertThat(counts("gated", "id = " + number)).containsOnly(1L);
            assertThat(counts("orders", "id = " + number)).isEqualTo(onlyOn(1, 1));
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void inTheMiddleOfAReadOverAllShards(Protocol protocol) {
        Client reader = client(protocol);
        try (Hold hold = Hold.table(shards(), 2, "orders")) {
            reader.send("SELECT * FROM orders").push();
            awaitLockWait(2, "SELECT * FROM orders");
            reader.vanish();
            hold.release();
        }
        deployment().invariants().assertHold();
        client(protocol).run("SELECT * FROM orders").ok();
    }

    @Test
    void inTheMiddleOfAPipeline() {
        Family family = tenants().family(1);
        for (int cut = 0; cut < 12; cut++) {
            Client client = client(Protocol.EXTENDED);
            for (int statement = 0; statement < cut; statement++) {
                String sql = statement % 3 == 0
                        ? "BEGIN"
                        : statement % 3 == 1 ? "INSERT INTO countries (code) VALUES ($1)" : "COMMIT";
                if (statement % 3 == 1) {
                    client.send(sql, "p" + cut + "/" + statement);
                } else {
                    client.send(sql);
                }
            }
            client.wire().parse("", "SELECT * FROM orders WHERE tenant_id = $1").bind("", "", family.child());
            client.push().vanish();
        }
        deployment().invariants().assertHold();
        for (List<String> row : rows("SELECT code FROM countries WHERE code LIKE 'p%'")) {
            assertThat(counts("countries", "code = '" + row.get(0) + "'")).containsOnly(1L);
        }
    }

    private List<List<String>> rows(String sql) {
        return shards().query(0, sql);
    }
}
