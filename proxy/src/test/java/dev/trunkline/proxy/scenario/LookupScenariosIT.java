package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.harness.wire.Answer;
import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.scenario.Tenants.Family;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Scenarios of the lookup that no other class is about; {@code docs/cases.md} says where the others are. */
class LookupScenariosIT extends Scenario {

    private static final String ORDER = "INSERT INTO orders VALUES ($1, $2, 'x')";

    @Override
    void prepare(Deployment deployment) {
        deployment.shards().executeAll("""
                DO $$ BEGIN
                    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'faint') THEN CREATE ROLE faint; END IF;
                END $$;
                GRANT faint TO app;
                GRANT ALL ON ALL TABLES IN SCHEMA public TO faint;
                CREATE SCHEMA decoy;
                CREATE TABLE decoy.tenants (id varchar, parent_tenant_id varchar);
                GRANT ALL ON SCHEMA decoy TO PUBLIC;
                GRANT ALL ON decoy.tenants TO PUBLIC;
                """);
    }

    // ---- every way in which a row may come, seen by the next statement of anybody

    /** How a row comes into the lookup table, or changes if it is there. */
    private enum Form {
        AUTOCOMMIT {
            @Override
            void write(Client client, String child, String parent) {
                client.run("INSERT INTO tenants (id, parent_tenant_id) VALUES ($1, $2)", child, parent)
                        .ok();
            }
        },
        TRANSACTION {
            @Override
            void write(Client client, String child, String parent) {
                client.run("BEGIN").ok();
                AUTOCOMMIT.write(client, child, parent);
                client.run("COMMIT").ok();
            }
        },
        COPY {
            @Override
            void write(Client client, String child, String parent) {
                client.wire()
                        .query("COPY tenants (id, parent_tenant_id) FROM STDIN")
                        .expect("G*");
                client.wire()
                        .send(data(child + "\t" + parent + "\n"), Frontend.copyDone())
                        .answer()
                        .ok();
            }
        },
        COMMON_TABLE_EXPRESSION {
            @Override
            void write(Client client, String child, String parent) {
                client.run(
                                "WITH t AS (INSERT INTO tenants (id, parent_tenant_id) VALUES ($1, $2) RETURNING id)"
                                        + " SELECT id FROM t",
                                child,
                                parent)
                        .ok();
            }
        },
        MERGE {
            @Override
            void write(Client client, String child, String parent) {
                client.run(("MERGE INTO tenants t USING (SELECT '%s' AS id, '%s' AS parent) s ON t.id = s.id"
                                        + " WHEN MATCHED THEN UPDATE SET parent_tenant_id = s.parent"
                                        + " WHEN NOT MATCHED THEN INSERT (id, parent_tenant_id) VALUES (s.id, s.parent)")
                                .formatted(child, parent))
                        .ok();
            }
        },
        ON_CONFLICT_DO_NOTHING {
            @Override
            void write(Client client, String child, String parent) {
                client.run(
                                "INSERT INTO tenants (id, parent_tenant_id) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                                child,
                                parent)
                        .ok();
            }
        },
        ON_CONFLICT_DO_UPDATE {
            @Override
            void write(Client client, String child, String parent) {
                client.run(
                                "INSERT INTO tenants (id, parent_tenant_id) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE"
                                        + " SET parent_tenant_id = EXCLUDED.parent_tenant_id",
                                child,
                                parent)
                        .ok();
            }
        };

        abstract void write(Client client, String child, String parent);

        boolean changes() {
            return this == MERGE || this == ON_CONFLICT_DO_UPDATE;
        }
    }

    @EveryWay
    void everyFormOfARowIsSeenByTheNextStatementOfAnybody(Way way) {
        Client writer = client(way);
        List<Client> readers = List.of(client(way), client(way));
        String[] parents = {tenants().root(0), tenants().root(1), tenants().root(2)};
        for (Form form : Form.values()) {
            for (int round = 0; round < rounds(3); round++) {
                int shard = round % 3;
                String child = tenants().hashingElsewhere(shard);
                // Known to be missing: that must not be remembered.
                assertThat(readers.get(0).run(ORDER, child, 0L).sqlState()).isEqualTo("40001");
                form.write(writer, child, parents[shard]);
                readers.get(0).run(ORDER, child, 1L).ok();
                readers.get(1).run(ORDER, child, 2L).ok();
                assertThat(counts("orders", "tenant_id = '" + child + "'"))
                        .as("%s", form)
                        .isEqualTo(onlyOn(shard, 2));
                if (form.changes()) {
                    form.write(writer, child, parents[(shard + 1) % 3]);
                    readers.get(0).run(ORDER, child, 3L).ok();
                    readers.get(1).run(ORDER, child, 4L).ok();
                    assertThat(counts("orders", "tenant_id = '" + child + "' AND id > 2"))
                            .as("%s", form)
                            .isEqualTo(onlyOn((shard + 1) % 3, 2));
                }
            }
        }
    }

    // ---- a COPY that meets a key without a row far behind its beginning

    private static Frame data(String text) {
        return Frame.of('d').bytes(text.getBytes(StandardCharsets.UTF_8)).build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"text", "csv"})
    void aKeyWithoutARowFarInACopyStoresNothing(String format) {
        for (LookupMiss miss : LookupMiss.values()) {
            WireClient wire = instance(miss).client(Protocol.SIMPLE).wire();
            List<Family> families =
                    List.of(tenants().family(0), tenants().family(1), tenants().family(2));
            String unknown = tenants().hashingTo(0);
            String separator = format.equals("csv") ? "," : "\t";
            wire.query("COPY orders (tenant_id, id, note) FROM STDIN (FORMAT " + format + ")")
                    .expect("G*");
            StringBuilder piece = new StringBuilder();
            for (int row = 1; row <= 60_000; row++) {
                String tenant = row == 50_000 ? unknown : families.get(row % 3).child();
                piece.append(tenant)
                        .append(separator)
                        .append(row)
                        .append(separator)
                        .append("note\n");
                if (row % 1_000 == 0) {
                    wire.send(data(piece.toString()));
                    piece.setLength(0);
                }
            }
            Answer failed = wire.send(Frontend.copyDone()).answer();
            assertThat(failed.sqlState()).isEqualTo("40001");
            assertThat(failed.message()).startsWith("sharding key lookup failed: no row for a value");
            assertThat(failed.field('W')).contains("line 50000");
            assertThat(failed.status()).isEqualTo('I');
            families.forEach(family -> assertThat(counts("orders", "tenant_id = '" + family.child() + "'"))
                    .containsOnly(0L));
            wire.simple("SELECT count(*) FROM orders WHERE tenant_id = '"
                            + families.get(0).child() + "'")
                    .ok();
        }
    }

    // ---- a configuration that is read again

    /** Another query is another map; the one before comes back as new. */
    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void aReloadTakesOverAnotherQuery(LookupMiss miss) {
        Family family = tenants().family(2);
        assertThat(placeOf(miss, family.child())).isEqualTo(shards().port(2));
        JsonObject same = deployment().configuration(settings(miss)).copy();
        JsonObject other = same.copy();
        other.getJsonArray("sharded_tables").getJsonObject(0).put("query", "SELECT id, id FROM tenants");
        instance(miss).reload(other);
        await("the child is its own root", () -> placeOf(miss, family.child()) == shards().port(0));
        instance(miss).reload(same);
        await("the child is with its parent", () -> placeOf(miss, family.child()) == shards().port(2));
    }

    /** The port of the server that a statement of a new client goes to. */
    private int placeOf(LookupMiss miss, String tenant) {
        Client client = instance(miss).client(Protocol.SIMPLE);
        String port = client.run("SELECT inet_server_port(), count(*) FROM orders WHERE tenant_id = $1", tenant)
                .ok()
                .rows()
                .get(0)
                .get(0);
        return Integer.parseInt(String.valueOf(port));
    }

    // ---- what a client has set changes no map

    @EveryWay
    void theSettingsOfWhoeverCausesALoadDoNotMatter(Way way) {
        Client odd = client(way);
        Client other = client(way);
        Family family = tenants().family(1);
        backdoor()
                .execute("INSERT INTO decoy.tenants VALUES ('%s', '%s')"
                        .formatted(family.child(), tenants().root(2)));
        backdoor().execute("ALTER TABLE tenants OWNER TO app; ALTER TABLE tenants ENABLE ROW LEVEL SECURITY");
        try {
            odd.run("SET search_path TO decoy, public").ok();
            odd.run("SET ROLE faint").ok();
            // Nothing is in the map after a change: the client with the settings has it read.
            other.run("UPDATE tenants SET parent_tenant_id = $1 WHERE id = $2", family.parent(), family.child())
                    .ok();
            assertThat(odd.run("SELECT count(*) FROM orders WHERE tenant_id = $1", family.child())
                            .ok()
                            .value())
                    .isEqualTo("0");
            other.run(ORDER, family.child(), 1L).ok();
            assertThat(odd.run("SELECT count(*) FROM orders WHERE tenant_id = $1", family.child())
                            .ok()
                            .value())
                    .isEqualTo("1");
            assertThat(odd.run("SELECT count(*) FROM public.tenants").ok().value())
                    .isEqualTo("0");
        } finally {
            backdoor().execute("ALTER TABLE tenants DISABLE ROW LEVEL SECURITY");
            odd.run("RESET ROLE").ok();
            odd.run("RESET search_path").ok();
        }
        assertThat(counts("orders", "tenant_id = '" + family.child() + "'")).isEqualTo(onlyOn(1, 1));
    }
}
