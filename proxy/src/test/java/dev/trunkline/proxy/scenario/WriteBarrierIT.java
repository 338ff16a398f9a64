package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.wire.Answer;
import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.scenario.Tenants.Family;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A statement that starts after a writer was told "done" translates by the new state, whoever sends it and on whatever
 * event loop. Connections that are opened one after the other go to the two loops of a proxy in turn: of two readers
 * one is on the other loop than the writer.
 */
class WriteBarrierIT extends Scenario {

    /** How a writer changes a mapping and learns that it has done so. */
    private enum Write {
        AUTOCOMMIT,
        TRANSACTION {
            @Override
            void run(Client writer, String sql, Object... values) {
                writer.run("BEGIN").ok();
                writer.run(sql, values).ok();
                assertThat(writer.run("COMMIT").ok().tags()).containsExactly("COMMIT");
            }
        };

        void run(Client writer, String sql, Object... values) {
            writer.run(sql, values).ok();
        }
    }

    private List<Client> readers(Way way) {
        return List.of(client(way), client(way));
    }

    // ---- new rows

    /** lk-read-your-commit. */
    @EveryWay
    void lkReadYourCommit(Way way) {
        for (Write write : Write.values()) {
            Client writer = client(way);
            List<Client> readers = readers(way);
            List<String> parents =
                    List.of(tenants().root(0), tenants().root(1), tenants().root(2));
            for (int round = 0; round < rounds(12); round++) {
                String child = tenants().hashingElsewhere(round % 3);
                write.run(
                        writer,
                        "INSERT INTO tenants (id, parent_tenant_id) VALUES ($1, $2)",
                        child,
                        parents.get(round % 3));
                for (Client reader : readers) {
                    reader.run("INSERT INTO users VALUES ($1, 1, 'e')", child).ok();
                }
                writer.run("INSERT INTO users VALUES ($1, 1, 'e')", child).ok();
                assertThat(readers.get(0)
                                .run("SELECT id FROM users WHERE tenant_id = $1", child)
                                .ok()
                                .rows())
                        .hasSize(3);
            }
        }
    }

    // ---- changed rows

    @EveryWay
    void anUpdateIsSeenByTheNextStatementOfAnybody(Way way) {
        for (Write write : Write.values()) {
            Client writer = client(way);
            follow(
                    readers(way),
                    (child, parent) ->
                            write.run(writer, "UPDATE tenants SET parent_tenant_id = $2 WHERE id = $1", child, parent));
        }
    }

    @EveryWay
    void onConflictDoUpdateIsSeenByTheNextStatementOfAnybody(Way way) {
        for (Write write : Write.values()) {
            Client writer = client(way);
            follow(
                    readers(way),
                    (child, parent) -> write.run(
                            writer,
                            "INSERT INTO tenants (id, parent_tenant_id) VALUES ($1, $2)"
                                    + " ON CONFLICT (id) DO UPDATE SET parent_tenant_id = EXCLUDED.parent_tenant_id",
                            child,
                            parent));
        }
    }

    /** lk-write-detection-forms: an UPDATE is one, however it is dressed; for other statements see {@link WriteFormsIT}. */
    @EveryWay
    void lkWriteDetectionForms(Way way) {
        Client writer = client(way);
        List<String> forms = List.of(
                "UPDATE public.\"tenants\" AS t SET \"parent_tenant_id\" = $2 WHERE t.id = $1",
                "WITH gone AS (SELECT 1) UPDATE tenants SET parent_tenant_id = $2 WHERE id = $1",
                "WITH moved AS (UPDATE tenants SET parent_tenant_id = $2 WHERE id = $1 RETURNING id) SELECT id FROM moved",
                "/* a comment */ update TENANTS set PARENT_TENANT_ID = $2 where ID = $1 -- another");
        for (String form : forms) {
            Family from = tenants().family(0);
            String to = tenants().root(1);
            useBy(readers(way), from.child(), 1);
            writer.run(form, from.child(), to).ok();
            useBy(readers(way), from.child(), 3);
            assertThat(counts("orders", "tenant_id = '" + from.child() + "' AND id >= 30"))
                    .as(form)
                    .isEqualTo(onlyOn(1, 2));
        }
    }

    /** lk-mapping-change-strands-rows: a mapping that is gone is an error, not an empty answer. */
    @EveryWay
    void lkMappingChangeStrandsRows(Way way) {
        Client writer = client(way);
        List<Client> readers = readers(way);
        for (int round = 0; round < rounds(5); round++) {
            Family family = tenants().family(round % 3);
            useBy(readers, family.child(), round);
            assertThat(writer.run("DELETE FROM tenants WHERE id = $1", family.child())
                            .ok()
                            .tags())
                    .containsExactly("DELETE 1");
            for (Client reader : readers) {
                assertThat(reader.run("SELECT * FROM orders WHERE tenant_id = $1", family.child())
                                .sqlState())
                        .isEqualTo("40001");
                reader.run("SELECT * FROM orders WHERE tenant_id = $1", family.parent())
                        .ok();
            }
        }
    }

    @EveryWay
    void aSetOfMappingsChangedAtOnceIsSeenAtOnce(Way way) {
        Client writer = client(way);
        List<Client> readers = readers(way);
        Family one = tenants().family(0);
        Family two = tenants().family(0);
        String to = tenants().root(2);
        useBy(readers, one.child(), 1);
        assertThat(writer.run(
                                "UPDATE tenants SET parent_tenant_id = $1 WHERE id IN ($2, $3)",
                                to,
                                one.child(),
                                two.child())
                        .ok()
                        .tags())
                .containsExactly("UPDATE 2");
        useBy(readers, one.child(), 2);
        useBy(readers, two.child(), 2);
        assertThat(counts("orders", "tenant_id IN ('%s', '%s') AND id >= 20".formatted(one.child(), two.child())))
                .isEqualTo(onlyOn(2, 4));
    }

    // ---- what is not committed

    @EveryWay
    void anUncommittedRowIsNotTranslatedByOthers(Way way) {
        Client writer = client(way);
        List<Client> readers = readers(way);
        String parent = tenants().root(1);
        String child = tenants().hashingElsewhere(1);
        writer.run("BEGIN").ok();
        writer.run("INSERT INTO tenants (id, parent_tenant_id) VALUES ($1, $2)", child, parent)
                .ok();
        for (Client reader : readers) {
            assertThat(reader.run("SELECT 1 FROM orders WHERE tenant_id = $1", child)
                            .sqlState())
                    .isEqualTo("40001");
        }
        writer.run("COMMIT").ok();
        useBy(readers, child, 1);
    }

    /** lk-rollback-leaves-map: a change that is rolled back is never translated by, before or after. */
    @EveryWay
    void lkRollbackLeavesMap(Way way) {
        Client writer = client(way);
        List<Client> readers = readers(way);
        Family family = tenants().family(1);
        String elsewhere = tenants().root(2);
        useBy(readers, family.child(), 1);
        for (int round = 2; round < rounds(5) + 2; round++) {
            writer.run("BEGIN").ok();
            writer.run("UPDATE tenants SET parent_tenant_id = $1 WHERE id = $2", elsewhere, family.child())
                    .ok();
            useBy(readers, family.child(), 2 * round);
            assertThat(writer.run("ROLLBACK").ok().tags()).containsExactly("ROLLBACK");
            useBy(readers, family.child(), 2 * round + 1);
        }
        assertThat(counts("orders", "tenant_id = '" + family.child() + "'").get(0))
                .isZero();
        assertThat(counts("orders", "tenant_id = '" + family.child() + "'").get(2))
                .isZero();
    }

    @EveryWay
    void aRolledBackSavepointLeavesTheMap(Way way) {
        Client writer = client(way);
        List<Client> readers = readers(way);
        Family family = tenants().family(1);
        String elsewhere = tenants().root(0);
        String kept = tenants().hashingElsewhere(2);
        writer.run("BEGIN").ok();
        writer.run("INSERT INTO tenants (id, parent_tenant_id) VALUES ($1, $2)", kept, family.parent())
                .ok();
        writer.run("SAVEPOINT s").ok();
        writer.run("UPDATE tenants SET parent_tenant_id = $1 WHERE id = $2", elsewhere, family.child())
                .ok();
        writer.run("ROLLBACK TO s").ok();
        writer.run("COMMIT").ok();
        useBy(readers, family.child(), 1);
        useBy(readers, kept, 1);
        assertThat(counts("orders", "tenant_id IN ('%s', '%s')".formatted(family.child(), kept)))
                .isEqualTo(onlyOn(1, 4));
    }

    /** lk-consistent-insert-dup: a duplicate in the lookup table undoes the whole transaction on every shard. */
    @EveryWay
    void lkConsistentInsertDup(Way way) {
        Client client = client(way);
        Family family = tenants().family(0);
        client.run("BEGIN").ok();
        client.run("INSERT INTO orders VALUES ($1, 1, 'x')", family.child()).ok();
        Answer duplicate = client.run("INSERT INTO tenants (id) VALUES ($1)", family.child());
        assertThat(duplicate.sqlState()).isEqualTo("23505");
        assertThat(duplicate.status()).isEqualTo('E');
        assertThat(client.run("COMMIT").ok().tags()).containsExactly("ROLLBACK");
        assertThat(counts("orders", "tenant_id = '" + family.child() + "'")).containsOnly(0L);
        assertThat(counts("tenants", "id = '" + family.child() + "'")).containsOnly(1L);
        useBy(readers(way), family.child(), 1);
    }

    // ---- one packet

    /** The write and its use leave in one packet, each with a Sync (or as a Query) of its own. */
    @EveryWay
    void aPacketOfTwoStatementsUsesTheRowThatItWrites(Way way) {
        Client client = client(way);
        String parent = tenants().root(2);
        for (int round = 0; round < rounds(12); round++) {
            String child = tenants().hashingElsewhere(2);
            client.send("INSERT INTO tenants (id, parent_tenant_id) VALUES ($1, $2)", child, parent);
            client.send("INSERT INTO orders VALUES ($1, 1, 'x')", child);
            if (way.protocol() == Protocol.PREPARED && round == 0) {
                // The first use of a named statement is a batch of its own.
                for (int answer = 0; answer < 4; answer++) {
                    client.wire().answer().ok();
                }
            } else {
                client.wire().answer().ok();
                client.wire().answer().ok();
            }
            assertThat(counts("orders", "tenant_id = '" + child + "'")).isEqualTo(onlyOn(2, 1));
        }
    }

    @EveryWay
    void aPacketWithAWholeTransactionUsesTheRowThatItCommits(Way way) {
        if (way.protocol() == Protocol.PREPARED) {
            return; // as EXTENDED, once the statements have been parsed
        }
        Client client = client(way);
        String parent = tenants().root(1);
        for (int round = 0; round < rounds(12); round++) {
            String child = tenants().hashingElsewhere(1);
            client.send("BEGIN");
            client.send("INSERT INTO tenants (id, parent_tenant_id) VALUES ($1, $2)", child, parent);
            client.send("COMMIT");
            client.send("INSERT INTO orders VALUES ($1, 1, 'x')", child);
            for (int answer = 0; answer < 4; answer++) {
                client.wire().answer().ok();
            }
        }
    }

    /** INSERT 0 1 before the Sync tells nobody that the row is committed; ReadyForQuery does. */
    @ParameterizedTest
    @EnumSource(
            value = Protocol.class,
            names = {"EXTENDED", "BINARY"})
    void readyForQueryTellsThatTheMappingIsCommitted(Protocol protocol) {
        for (dev.trunkline.conf.LookupMiss miss : dev.trunkline.conf.LookupMiss.values()) {
            Way way = new Way(protocol, miss);
            WireClient writer = client(way).wire();
            List<Client> readers = readers(way);
            Family from = tenants().family(0);
            String to = tenants().root(1);
            useBy(readers, from.child(), 1);
            writer.parse("", "UPDATE tenants SET parent_tenant_id = $2 WHERE id = $1")
                    .bind("", "", from.child(), to)
                    .execute("")
                    .flush()
                    .push();
            // A statement of others meanwhile may be translated by the old state, and must not leave it behind.
            useBy(readers, from.child(), 2);
            writer.sync().answer().ok();
            useBy(readers, from.child(), 3);
            assertThat(counts("orders", "tenant_id = '" + from.child() + "' AND id >= 30"))
                    .isEqualTo(onlyOn(1, 2));
        }
    }

    @EveryWay
    void aCommitInAPipelineIsSeenAtItsReadyForQuery(Way way) {
        WireClient writer = client(way).wire();
        List<Client> readers = readers(way);
        Family from = tenants().family(0);
        String to = tenants().root(1);
        useBy(readers, from.child(), 1);
        writer.simple("BEGIN").ok();
        writer.simple("UPDATE tenants SET parent_tenant_id = '%s' WHERE id = '%s'".formatted(to, from.child()))
                .ok();
        useBy(readers, from.child(), 2);
        writer.send(Frontend.parse("", "COMMIT"))
                .bind("", "")
                .execute("")
                .flush()
                .expect("1", "2", "C COMMIT");
        useBy(readers, from.child(), 3);
        writer.sync().answer().ok();
        assertThat(counts("orders", "tenant_id = '" + from.child() + "' AND id >= 30"))
                .isEqualTo(onlyOn(1, 2));
    }

    // ---- what does not change a mapping

    @EveryWay
    void columnsThatTheQueryDoesNotReadMayChangeAtAnyTime(Way way) {
        Client writer = client(way);
        List<Client> readers = readers(way);
        Family family = tenants().family(2);
        for (int round = 0; round < rounds(5); round++) {
            assertThat(writer.run("UPDATE tenants SET name = $1 WHERE id = $2", "n" + round, family.child())
                            .ok()
                            .tags())
                    .containsExactly("UPDATE 1");
            useBy(readers, family.child(), round);
        }
        assertThat(counts("tenants", "id = '" + family.child() + "' AND name = 'n" + (rounds(5) - 1) + "'"))
                .containsOnly(1L);
    }

    // ---- helpers

    private interface Change {
        void to(String child, String parent);
    }

    /** Moves a child from parent to parent; after each move both readers use it at once. */
    private void follow(List<Client> readers, Change change) {
        List<String> parents = new ArrayList<>();
        for (int shard = 0; shard < 3; shard++) {
            parents.add(tenants().root(shard));
        }
        String child = tenants().hashingElsewhere(0);
        tenants().add(child, parents.get(2));
        useBy(readers, child, 0);
        int rounds = rounds(10);
        for (int round = 1; round <= rounds; round++) {
            change.to(child, parents.get(round % 3));
            // On a shard that is not the new parent's this is an error of the guard.
            useBy(readers, child, round);
        }
    }

    /** Each reader stores an order of a tenant, the n-th with the id {@code 10 * round + n}. */
    private static void useBy(List<Client> readers, String tenant, int round) {
        for (int i = 0; i < readers.size(); i++) {
            readers.get(i)
                    .run("INSERT INTO orders VALUES ($1, $2, 'x')", tenant, 10L * round + i)
                    .ok();
        }
    }
}
