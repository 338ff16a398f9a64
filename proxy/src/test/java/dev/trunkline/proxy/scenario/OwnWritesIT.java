package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.harness.wire.Answer;
import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.scenario.Tenants.Family;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A transaction that writes a lookup table translates by its own rows from then on, and nobody else does before it has
 * committed.
 */
class OwnWritesIT extends Scenario {

    private static final String NEW_TENANT = "INSERT INTO tenants (id, parent_tenant_id) VALUES ($1, $2)";
    private static final String MOVE = "UPDATE tenants SET parent_tenant_id = $2 WHERE id = $1";
    private static final String ORDER = "INSERT INTO orders VALUES ($1, $2, 'x')";
    private static final String COUNT = "SELECT count(*) FROM orders WHERE tenant_id = $1";

    @Override
    void prepare(Deployment deployment) {
        deployment.shards().executeAll("""
                DO $$ BEGIN
                    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'weak') THEN CREATE ROLE weak; END IF;
                END $$;
                GRANT weak TO app;
                GRANT ALL ON ALL TABLES IN SCHEMA public TO weak;
                CREATE SCHEMA shadow;
                CREATE TABLE shadow.tenants (id varchar, parent_tenant_id varchar);
                GRANT ALL ON SCHEMA shadow TO PUBLIC;
                GRANT ALL ON shadow.tenants TO PUBLIC;
                CREATE FUNCTION shadow.temporary() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    CREATE TEMP TABLE tenants ON COMMIT DROP AS
                        SELECT split_part(NEW.code, ':', 1) AS id, split_part(NEW.code, ':', 2) AS parent_tenant_id;
                    RETURN NULL;
                END $$;
                CREATE TRIGGER temporary AFTER INSERT ON countries
                    FOR EACH ROW WHEN (NEW.name = 'shadow') EXECUTE FUNCTION shadow.temporary();
                """);
    }

    private void assertStored(String tenant, int shard, long rows) {
        assertThat(counts("orders", "tenant_id = '" + tenant + "'")).isEqualTo(onlyOn(shard, rows));
    }

    // ---- a transaction and its own rows

    @EveryWay
    void aTransactionUsesTheMappingThatItInserts(Way way) {
        Client client = client(way);
        Client other = client(way);
        String parent = tenants().root(1);
        String child = tenants().hashingElsewhere(1);
        client.run("BEGIN").ok();
        client.run(NEW_TENANT, child, parent).ok();
        client.run(ORDER, child, 1L).ok();
        assertThat(client.run(COUNT, child).ok().value()).isEqualTo("1");
        assertThat(client.run("UPDATE orders SET note = 'y' WHERE tenant_id = $1", child)
                        .ok()
                        .tags())
                .containsExactly("UPDATE 1");
        assertThat(other.run(COUNT, child).sqlState()).isEqualTo("40001");
        assertThat(client.run("COMMIT").ok().tags()).containsExactly("COMMIT");
        assertStored(child, 1, 1);
        assertThat(other.run(COUNT, child).ok().value()).isEqualTo("1");
    }

    @EveryWay
    void rollbackTakesBothBack(Way way) {
        Client client = client(way);
        String parent = tenants().root(2);
        String child = tenants().hashingElsewhere(2);
        client.run("BEGIN").ok();
        client.run(NEW_TENANT, child, parent).ok();
        client.run(ORDER, child, 1L).ok();
        client.run("ROLLBACK").ok();
        assertThat(counts("tenants", "id = '" + child + "'")).containsOnly(0L);
        assertStored(child, 2, 0);
        assertThat(client.run(COUNT, child).sqlState()).isEqualTo("40001");
    }

    @EveryWay
    void aTransactionUsesTheMappingThatItChanges(Way way) {
        Client client = client(way);
        Client other = client(way);
        Family family = tenants().family(0);
        String elsewhere = tenants().root(1);
        client.run("BEGIN").ok();
        client.run(ORDER, family.child(), 1L).ok();
        client.run(MOVE, family.child(), elsewhere).ok();
        client.run(ORDER, family.child(), 2L).ok();
        other.run(ORDER, family.child(), 3L).ok();
        client.run("COMMIT").ok();
        other.run(ORDER, family.child(), 4L).ok();
        assertThat(counts("orders", "tenant_id = '" + family.child() + "'")).containsExactly(2L, 2L, 0L);
    }

    @EveryWay
    void aMappingThatTheTransactionDeletesIsGone(Way way) {
        Client client = client(way);
        Family family = tenants().family(0);
        for (String delete :
                new String[] {"DELETE FROM tenants WHERE id = '" + family.child() + "'", "TRUNCATE tenants"}) {
            client.run("BEGIN").ok();
            client.run(ORDER, family.child(), 1L).ok();
            client.run(delete).ok();
            Answer refused = client.run(ORDER, family.child(), 2L);
            assertThat(refused.sqlState()).isEqualTo("40001");
            assertThat(refused.message()).contains("no row for a value");
            assertThat(detail(refused)).contains(family.child());
            assertThat(client.wire().simple("SELECT 1").sqlState()).isEqualTo("25P02");
            client.run("ROLLBACK").ok();
        }
        client.run(ORDER, family.child(), 3L).ok();
        assertStored(family.child(), 0, 1);
    }

    @EveryWay
    void aSavepointTakesMappingsBack(Way way) {
        Client client = client(way);
        Family family = tenants().family(0);
        String elsewhere = tenants().root(2);
        String fresh = tenants().hashingElsewhere(0);
        client.run("BEGIN").ok();
        client.run(NEW_TENANT, fresh, family.parent()).ok();
        client.run("SAVEPOINT s").ok();
        client.run(MOVE, family.child(), elsewhere).ok();
        client.run(ORDER, family.child(), 1L).ok();
        client.run("ROLLBACK TO s").ok();
        client.run(ORDER, family.child(), 2L).ok();
        client.run("SAVEPOINT t").ok();
        client.run("DELETE FROM tenants WHERE id = $1", fresh).ok();
        assertThat(client.run(ORDER, fresh, 3L).sqlState()).isEqualTo("40001");
        client.run("ROLLBACK TO t").ok();
        client.run(ORDER, fresh, 4L).ok();
        client.run("RELEASE t").ok();
        client.run("COMMIT").ok();
        assertStored(family.child(), 0, 1);
        assertStored(fresh, 0, 1);
    }

    @EveryWay
    void keysOfBothKindsAreTranslatedTogether(Way way) {
        Client client = client(way);
        Family one = tenants().family(1);
        Family two = tenants().family(2);
        String fresh = tenants().hashingElsewhere(1);
        client.run("BEGIN").ok();
        client.run(NEW_TENANT, fresh, one.parent()).ok();
        client.run(
                        "INSERT INTO orders VALUES ($1, 1, 'x'), ($2, 1, 'x'), ($3, 1, 'x')",
                        fresh,
                        one.child(),
                        two.child())
                .ok();
        assertThat(client.run("SELECT id FROM orders WHERE tenant_id IN ($1, $2)", fresh, one.child())
                        .ok()
                        .rows())
                .hasSize(2);
        client.run("COMMIT").ok();
        assertStored(fresh, 1, 1);
        assertStored(one.child(), 1, 1);
        assertStored(two.child(), 2, 1);
    }

    @EveryWay
    void integersAndUuidsAreReadToo(Way way) {
        Client client = client(way);
        long account = 7_000_000L + way.ordinal();
        UUID device = UUID.randomUUID();
        client.run("BEGIN").ok();
        client.run("INSERT INTO accounts VALUES ($1, $2)", account, account + 1).ok();
        client.run("INSERT INTO ledger VALUES ($1, $2)", account, 5).ok();
        client.run("INSERT INTO devices VALUES ($1, $2)", device, UUID.randomUUID())
                .ok();
        client.run("INSERT INTO readings VALUES ($1, $2)", device, 21).ok();
        assertThat(client.run("SELECT amount FROM ledger WHERE account_id = $1", account)
                        .ok()
                        .value())
                .isEqualTo("5");
        client.run("COMMIT").ok();
        assertThat(client.run("SELECT celsius FROM readings WHERE device_id = $1", device)
                        .ok()
                        .value())
                .isEqualTo("21");
    }

    // ---- one packet, one string

    @EveryWay
    void aStringOfBothStatementsIsOneTransaction(Way way) {
        Client client = client(way);
        String parent = tenants().root(0);
        for (int round = 0; round < rounds(5); round++) {
            String child = tenants().hashingElsewhere(0);
            String both =
                    "INSERT INTO tenants (id, parent_tenant_id) VALUES ('%s', '%s'); INSERT INTO orders VALUES ('%1$s', 1)"
                            .formatted(child, parent);
            Answer undone = client.wire().simple(both + "; SELECT 1 / 0");
            assertThat(undone.sqlState()).isEqualTo("22012");
            assertThat(counts("tenants", "id = '" + child + "'")).containsOnly(0L);
            assertStored(child, 0, 0);
            assertThat(client.wire().simple(both).ok().tags()).containsExactly("INSERT 0 1", "INSERT 0 1");
            assertStored(child, 0, 1);
        }
    }

    /** Five framings of one packet that writes a mapping and uses it. */
    private enum Packet {
        QUERIES {
            @Override
            int send(WireClient wire, String child, String parent) {
                wire.query("BEGIN")
                        .query(insert(child, parent))
                        .query(order(child))
                        .query("COMMIT");
                return 4;
            }
        },
        STRING {
            @Override
            int send(WireClient wire, String child, String parent) {
                wire.query("BEGIN; " + insert(child, parent) + "; " + order(child) + "; COMMIT");
                return 1;
            }
        },
        PIPELINE {
            @Override
            int send(WireClient wire, String child, String parent) {
                wire.parse("", NEW_TENANT).bind("", "", child, parent).execute("");
                wire.parse("", ORDER).bind("", "", child, 1L).execute("").sync();
                return 1;
            }
        },
        BATCHES {
            @Override
            int send(WireClient wire, String child, String parent) {
                wire.query("BEGIN");
                wire.parse("", NEW_TENANT)
                        .bind("", "", child, parent)
                        .execute("")
                        .sync();
                wire.parse("", ORDER).bind("", "", child, 1L).execute("").sync();
                wire.query("COMMIT");
                return 4;
            }
        },
        PIPELINE_WITH_BEGIN {
            @Override
            int send(WireClient wire, String child, String parent) {
                wire.parse("", "BEGIN").bind("", "").execute("");
                wire.parse("", NEW_TENANT).bind("", "", child, parent).execute("");
                wire.parse("", ORDER).bind("", "", child, 1L).execute("");
                wire.parse("", "COMMIT").bind("", "").execute("").sync();
                return 1;
            }
        };

        /** Sends all of it; how many times the server will say ReadyForQuery. */
        abstract int send(WireClient wire, String child, String parent);

        private static String insert(String child, String parent) {
            return "INSERT INTO tenants (id, parent_tenant_id) VALUES ('" + child + "', '" + parent + "')";
        }

        private static String order(String child) {
            return "INSERT INTO orders VALUES ('" + child + "', 1, 'x')";
        }
    }

    @ParameterizedTest
    @EnumSource(Packet.class)
    void aPacketThatWritesAMappingUsesIt(Packet packet) {
        for (LookupMiss miss : LookupMiss.values()) {
            WireClient wire = instance(miss).client(Protocol.SIMPLE).wire();
            String[] parents = {tenants().root(0), tenants().root(1), tenants().root(2)};
            for (int round = 0; round < rounds(10); round++) {
                int shard = round % 3;
                String child = tenants().hashingElsewhere(shard);
                for (int answers = packet.send(wire, child, parents[shard]); answers > 0; answers--) {
                    wire.answer().ok();
                }
                assertStored(child, shard, 1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void aPipelineThatBeganOnOneShardTakesTheMappingIn(LookupMiss miss) {
        WireClient wire = instance(miss).client(Protocol.SIMPLE).wire();
        Family known = tenants().family(0);
        String parent = tenants().root(2);
        String child = tenants().hashingElsewhere(2);
        wire.parse("", ORDER).bind("", "", known.child(), 1L).execute("");
        wire.parse("", NEW_TENANT).bind("", "", child, parent).execute("");
        wire.parse("", ORDER).bind("", "", child, 1L).execute("");
        wire.parse("", ORDER).bind("", "", known.child(), 2L).execute("").sync();
        assertThat(wire.answer().ok().tags()).hasSize(4);
        assertStored(known.child(), 0, 2);
        assertStored(child, 2, 1);
    }

    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void aLaterErrorUndoesTheWholePipeline(LookupMiss miss) {
        WireClient wire = instance(miss).client(Protocol.SIMPLE).wire();
        Family known = tenants().family(0);
        String child = tenants().hashingElsewhere(0);
        wire.parse("", ORDER).bind("", "", known.child(), 1L).execute("");
        wire.parse("", NEW_TENANT).bind("", "", child, known.parent()).execute("");
        wire.parse("", ORDER).bind("", "", child, 1L).execute("");
        wire.parse("", "SELECT 1 / 0").bind("", "").execute("").sync();
        Answer failed = wire.answer();
        assertThat(failed.sqlState()).isEqualTo("22012");
        assertThat(failed.status()).isEqualTo('I');
        assertThat(counts("tenants", "id = '" + child + "'")).containsOnly(0L);
        assertThat(counts("orders", "tenant_id IN ('" + child + "', '" + known.child() + "')"))
                .containsOnly(0L);
    }

    /** A statement that has failed on the server is not passed over for the sake of one behind it. */
    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void anErrorBeforeTheReadSkipsWhatFollows(LookupMiss miss) {
        WireClient wire = instance(miss).client(Protocol.SIMPLE).wire();
        Family known = tenants().family(0);
        wire.simple("BEGIN").ok();
        wire.simple("INSERT INTO tenants (id, parent_tenant_id) VALUES ('%s', '%s')"
                        .formatted(tenants().hashingElsewhere(0), known.parent()))
                .ok();
        wire.parse("", ORDER).bind("", "", known.child(), 1L).execute("");
        wire.parse("", ORDER).bind("", "", known.child(), 1L).execute("");
        wire.parse("", ORDER).bind("", "", known.child(), 2L).execute("").sync();
        Answer failed = wire.answer();
        assertThat(failed.sqlState()).isEqualTo("23505");
        assertThat(failed.tags()).containsExactly("INSERT 0 1");
        assertThat(failed.status()).isEqualTo('E');
        wire.simple("ROLLBACK").ok();
        assertStored(known.child(), 0, 0);
    }

    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void aStatementBoundBeforeTheMappingWasWrittenIsRefused(LookupMiss miss) {
        WireClient wire = instance(miss).client(Protocol.SIMPLE).wire();
        Family known = tenants().family(0);
        String elsewhere = tenants().root(1);
        wire.simple("BEGIN").ok();
        wire.parse("order", ORDER).bind("order", "order", known.child(), 1L);
        wire.parse("", MOVE).bind("", "", known.child(), elsewhere).execute("").sync();
        wire.answer().ok();
        Answer refused = wire.execute("order").sync().answer();
        assertThat(refused.sqlState()).isEqualTo("0A000");
        assertThat(refused.message()).contains("between Bind and Execute");
        assertThat(refused.status()).isEqualTo('E');
        wire.simple("ROLLBACK").ok();
        assertStored(known.child(), 0, 0);
    }

    /** A portal that has begun stays where it is; also over a mapping that its transaction writes meanwhile. */
    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void aPortalThatIsFetchedInPartsGoesOn(LookupMiss miss) {
        WireClient wire = instance(miss).client(Protocol.SIMPLE).wire();
        Family known = tenants().family(1);
        wire.simple("INSERT INTO orders VALUES ('%1$s', 1), ('%1$s', 2), ('%1$s', 3)".formatted(known.child()))
                .ok();
        wire.simple("BEGIN").ok();
        wire.parse("", "SELECT id FROM orders WHERE tenant_id = $1 ORDER BY id").bind("c", "", known.child());
        assertThat(wire.execute("c", 1).sync().answer().ok().rows()).hasSize(1);
        wire.simple("INSERT INTO tenants (id, parent_tenant_id) VALUES ('%s', '%s')"
                        .formatted(tenants().hashingElsewhere(0), known.parent()))
                .ok();
        assertThat(wire.execute("c", 0).sync().answer().ok().rows()).hasSize(2);
        wire.simple("COMMIT").ok();
    }

    // ---- what the client has set does not matter

    @EveryWay
    void aSearchPathThatLeadsToAnotherTableDoesNotAnswer(Way way) {
        Client client = client(way);
        String parent = tenants().root(1);
        String child = tenants().hashingElsewhere(1);
        backdoor()
                .execute("INSERT INTO shadow.tenants VALUES ('%s', '%s')"
                        .formatted(child, tenants().root(2)));
        client.run("BEGIN").ok();
        client.run(NEW_TENANT, child, parent).ok();
        client.run("SET LOCAL search_path TO shadow, public").ok();
        client.run(ORDER, child, 1L).ok();
        assertThat(client.run("SELECT current_setting('search_path')").ok().value())
                .isEqualTo("shadow, public");
        client.run("COMMIT").ok();
        assertStored(child, 1, 1);
    }

    /** A statement of its own that makes a temporary table is refused, but a trigger may make one. */
    @EveryWay
    void aTemporaryTableDoesNotAnswer(Way way) {
        Client client = client(way);
        String parent = tenants().root(1);
        String child = tenants().hashingElsewhere(1);
        client.run("BEGIN").ok();
        client.run(NEW_TENANT, child, parent).ok();
        client.run(
                        "INSERT INTO countries (code, name) VALUES ($1, 'shadow')",
                        child + ":" + tenants().root(2))
                .ok();
        assertThat(client.run("SELECT count(*) FROM tenants").ok().value()).isEqualTo("1");
        client.run(ORDER, child, 1L).ok();
        assertThat(client.run(COUNT, child).ok().value()).isEqualTo("1");
        client.run("COMMIT").ok();
        assertStored(child, 1, 1);
    }

    @EveryWay
    void aRoleFromWhichRowsAreHiddenDoesNotMatter(Way way) {
        Client client = client(way);
        backdoor().execute("ALTER TABLE tenants OWNER TO app; ALTER TABLE tenants ENABLE ROW LEVEL SECURITY");
        try {
            String parent = tenants().root(1);
            String child = tenants().hashingElsewhere(1);
            client.run("BEGIN").ok();
            client.run(NEW_TENANT, child, parent).ok();
            client.run(ORDER, child, 1L).ok();
            client.run("SET LOCAL ROLE weak").ok();
            assertThat(client.run("SELECT count(*) FROM tenants").ok().value()).isEqualTo("0");
            assertThat(client.run(COUNT, child).ok().value()).isEqualTo("1");
            assertThat(client.run("SELECT current_user").ok().value()).isEqualTo("weak");
            client.run("COMMIT").ok();
            assertStored(child, 1, 1);
        } finally {
            backdoor().execute("ALTER TABLE tenants DISABLE ROW LEVEL SECURITY");
        }
    }

    /** The value by which the tenant is placed has a character that has other bytes in the client's encoding. */
    @EveryWay
    void anEncodingOfTheClientsDoesNotMatter(Way way) {
        Client client = client(way);
        String parent = "\u00e9" + way;
        tenants().add(parent, null);
        String child = tenants().hashingTo(0);
        client.run("BEGIN").ok();
        client.run(NEW_TENANT, child, parent).ok();
        client.run("SET LOCAL client_encoding TO 'LATIN1'").ok();
        client.run(ORDER, child, 1L).ok();
        client.run("COMMIT").ok();
        assertThat(client.run(COUNT, child).ok().value()).isEqualTo("1");
    }

    // ---- others write meanwhile

    @EveryWay
    void aForeignChangeBetweenTwoUsesIsSeen(Way way) {
        Client client = client(way);
        Client other = client(way);
        Family family = tenants().family(0);
        String elsewhere = tenants().root(1);
        String fresh = tenants().hashingElsewhere(0);
        client.run("BEGIN").ok();
        client.run(NEW_TENANT, fresh, family.parent()).ok();
        client.run(ORDER, family.child(), 1L).ok();
        other.run(MOVE, family.child(), elsewhere).ok();
        client.run(ORDER, family.child(), 2L).ok();
        client.run("COMMIT").ok();
        assertThat(counts("orders", "tenant_id = '" + family.child() + "'")).containsExactly(1L, 1L, 0L);
    }

    @EveryWay
    void aSnapshotThatIsOlderThanAForeignChangeIsNotTranslatedBy(Way way) {
        Client client = client(way);
        Client other = client(way);
        Family family = tenants().family(0);
        String elsewhere = tenants().root(1);
        String fresh = tenants().hashingElsewhere(0);
        for (String level : new String[] {"REPEATABLE READ", "SERIALIZABLE"}) {
            client.run("BEGIN ISOLATION LEVEL " + level).ok();
            client.run(NEW_TENANT, fresh, family.parent()).ok();
            client.run(ORDER, fresh, 1L).ok();
            client.run(ORDER, family.child(), 1L).ok();
            other.run(MOVE, family.child(), elsewhere).ok();
            Answer refused = client.run(ORDER, family.child(), 2L);
            assertThat(refused.sqlState()).isEqualTo("40001");
            assertThat(refused.message()).contains("the mapping has changed");
            client.run("ROLLBACK").ok();
            other.run(MOVE, family.child(), family.parent()).ok();
        }
        client.run("BEGIN ISOLATION LEVEL REPEATABLE READ").ok();
        client.run(NEW_TENANT, fresh, family.parent()).ok();
        client.run(ORDER, fresh, 1L).ok();
        client.run("COMMIT").ok();
        assertStored(fresh, 0, 1);
        assertStored(family.child(), 0, 0);
    }

    @EveryWay
    void aRowThatTheSnapshotLacksIsNotReportedMissing(Way way) {
        Client client = client(way);
        Family family = tenants().family(0);
        client.run("BEGIN ISOLATION LEVEL REPEATABLE READ").ok();
        client.run(NEW_TENANT, tenants().hashingElsewhere(0), family.parent()).ok();
        // Past every proxy: nothing tells this one.
        Family late = tenants().family(1);
        Answer refused = client.run(ORDER, late.child(), 1L);
        assertThat(refused.sqlState()).isEqualTo("40001");
        assertThat(refused.message()).contains("the mapping has changed");
        client.run("ROLLBACK").ok();
        client.run(ORDER, late.child(), 1L).ok();
        assertStored(late.child(), 1, 1);
    }

    /** Nobody can say "no row" while another's commit has reached one shard and not the other. */
    @Test
    void aCommitOnItsWayIsWaitedForBeforeARowIsMissed() {
        Client client = client(Protocol.SIMPLE);
        Client other = client(Protocol.SIMPLE);
        Family family = tenants().family(0);
        String late = tenants().hashingElsewhere(0);
        backdoor().execute("CREATE TABLE gate (n int)");
        backdoor().execute("""
                CREATE FUNCTION pass_gate() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN PERFORM FROM gate; RETURN NULL; END $$;
                GRANT ALL ON gate TO PUBLIC;
                CREATE CONSTRAINT TRIGGER gated AFTER INSERT ON tenants DEFERRABLE INITIALLY DEFERRED
                    FOR EACH ROW WHEN (NEW.name = 'gated') EXECUTE FUNCTION pass_gate();
                """);
        try (Hold gate = Hold.table(shards(), 0, "gate")) {
            client.run("BEGIN").ok();
            client.run(NEW_TENANT, tenants().hashingElsewhere(0), family.parent())
                    .ok();
            // Its COMMIT reaches shards 1 and 2, and stops on shard 0 before the end.
            other.send("INSERT INTO tenants VALUES ($1, $2, 'gated')", late, family.parent())
                    .push();
            await(
                    "the row is on shard 1",
                    () -> counts("tenants", "id = '" + late + "'").get(1) == 1);
            awaitLockWait(0, "COMMIT");
            client.send(ORDER, late, 1L).push();
            await(
                    "the transaction has looked for the row",
                    () -> sessions(0, "state = 'idle in transaction' AND query LIKE '%own_read%'") == 1);
            gate.release();
            other.answer().ok();
            client.answer().ok();
            client.run("COMMIT").ok();
            assertStored(late, 0, 1);
        } finally {
            backdoor().execute("DROP TRIGGER gated ON tenants; DROP FUNCTION pass_gate; DROP TABLE gate");
        }
    }

    // ---- COPY

    private static Answer copy(WireClient wire, String rows) {
        wire.query("COPY orders (tenant_id, id, note) FROM STDIN").expect("G*");
        wire.send(Frame.of('d').bytes(rows.getBytes(StandardCharsets.UTF_8)).build());
        return wire.send(Frontend.copyDone()).answer();
    }

    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void aCopyUsesTheMappingOfItsTransaction(LookupMiss miss) {
        WireClient wire = instance(miss).client(Protocol.SIMPLE).wire();
        Family one = tenants().family(1);
        Family two = tenants().family(2);
        String fresh = tenants().hashingElsewhere(1);
        wire.simple("BEGIN").ok();
        wire.simple("INSERT INTO tenants VALUES ('" + fresh + "', '" + one.parent() + "')")
                .ok();
        assertThat(copy(wire, "%s\t1\tx\n%s\t1\tx\n%s\t1\tx\n".formatted(fresh, one.child(), two.child()))
                        .ok()
                        .tags())
                .containsExactly("COPY 3");
        wire.simple("COMMIT").ok();
        assertStored(fresh, 1, 1);
        assertStored(one.child(), 1, 1);
        assertStored(two.child(), 2, 1);
    }

    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void aCopyWithAKeyThatItsTransactionHasDeletedStoresNothing(LookupMiss miss) {
        WireClient wire = instance(miss).client(Protocol.SIMPLE).wire();
        Family one = tenants().family(1);
        wire.simple("BEGIN").ok();
        wire.simple("DELETE FROM tenants WHERE id = '" + one.child() + "'").ok();
        Answer refused = copy(wire, "%s\t1\tx\n%s\t1\tx\n".formatted(one.parent(), one.child()));
        assertThat(refused.sqlState()).isEqualTo("40001");
        assertThat(refused.message()).contains("no row for a value");
        assertThat(refused.status()).isEqualTo('E');
        wire.simple("ROLLBACK").ok();
        assertStored(one.parent(), 1, 0);
    }

    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void aCopyDuringWhichAnotherChangesAMappingStoresNothing(LookupMiss miss) {
        WireClient wire = instance(miss).client(Protocol.SIMPLE).wire();
        Family one = tenants().family(1);
        String fresh = tenants().hashingElsewhere(1);
        wire.simple("BEGIN").ok();
        wire.simple("INSERT INTO tenants VALUES ('" + fresh + "', '" + one.parent() + "')")
                .ok();
        wire.query("COPY orders (tenant_id, id, note) FROM STDIN").expect("G*");
        wire.send(Frame.of('d')
                        .bytes((one.child() + "\t1\tx\n").getBytes(StandardCharsets.UTF_8))
                        .build())
                .push();
        instance(miss)
                .client(Protocol.SIMPLE)
                .run(MOVE, one.child(), tenants().root(0))
                .ok();
        Answer refused = wire.send(Frontend.copyDone()).answer();
        // The guard says so where the row reaches its shard after the change.
        assertThat(refused.sqlState()).isIn("40001", "23514");
        wire.simple("ROLLBACK").ok();
        assertThat(counts("orders", "tenant_id = '" + one.child() + "'")).containsOnly(0L);
    }
}
