package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.wire.Answer;
import io.vertx.core.json.JsonArray;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * lk-write-detection-forms: every statement that may change a mapping either makes the map forget or is refused. The
 * lookup table holds accounts; the parents' table takes them along when it is emptied.
 */
class WriteFormsIT extends Scenario {

    private static final String UNMAPPED = "40001";

    private final AtomicLong accounts = new AtomicLong(100);

    @Override
    void prepare(Deployment deployment) {
        deployment.shards().executeAll("""
                CREATE TABLE owners (id bigint PRIMARY KEY);
                CREATE TABLE owned (id bigint PRIMARY KEY, owner bigint NOT NULL REFERENCES owners ON DELETE CASCADE ON UPDATE CASCADE);
                CREATE VIEW owned_view AS SELECT id, owner FROM owned;
                CREATE FUNCTION forget_all() RETURNS void LANGUAGE sql AS 'DELETE FROM owned';
                ALTER TABLE owners OWNER TO app;
                ALTER TABLE owned OWNER TO app;
                ALTER VIEW owned_view OWNER TO app;
                """);
        deployment.rules(
                new JsonArray()
                        .add(Deployment.translated("account_id", "bigint", "owned", "SELECT id, owner FROM owned")),
                Deployment.omnisharded("owners", "owned"));
    }

    /** A fresh account, known to the map. */
    private long account(Client client) {
        long id = accounts.incrementAndGet();
        client.run("INSERT INTO owners VALUES ($1)", -id).ok();
        client.run("INSERT INTO owned VALUES ($1, $2)", id, -id).ok();
        backdoor().execute("INSERT INTO accounts VALUES (%d, %d)".formatted(id, -id));
        client.run("INSERT INTO ledger VALUES ($1, 1)", id).ok();
        return id;
    }

    /** After the write, as often as not, the mapping is gone; if the write is refused, it is not. */
    private void forgets(Way way, String sql, boolean takesValues) {
        Client writer = client(way);
        Client reader = client(way);
        long id = account(writer);
        reader.run("SELECT amount FROM ledger WHERE account_id = $1", id).ok();
        Answer write = takesValues ? writer.run(sql, id) : writer.run(sql);
        assertThat(write.sqlState()).as(sql).isNull();
        assertThat(reader.run("SELECT amount FROM ledger WHERE account_id = $1", id)
                        .sqlState())
                .as(sql)
                .isEqualTo(UNMAPPED);
        assertThat(writer.run("SELECT amount FROM ledger WHERE account_id = $1", id)
                        .sqlState())
                .as(sql)
                .isEqualTo(UNMAPPED);
        backdoor().execute("DELETE FROM ledger");
    }

    @EveryWay
    void delete(Way way) {
        forgets(way, "DELETE FROM owned WHERE id = $1", true);
    }

    @EveryWay
    void deleteInACommonTableExpression(Way way) {
        forgets(way, "WITH gone AS (DELETE FROM owned WHERE id = $1 RETURNING id) SELECT id FROM gone", true);
    }

    @EveryWay
    void cascadeFromTheReferencedTable(Way way) {
        forgets(way, "DELETE FROM owners WHERE id = - $1::bigint", true);
    }

    @EveryWay
    void truncate(Way way) {
        forgets(way, "TRUNCATE owned", false);
    }

    @EveryWay
    void truncateOfSeveral(Way way) {
        forgets(way, "TRUNCATE TABLE ONLY countries, owned", false);
    }

    @EveryWay
    void truncateCascade(Way way) {
        forgets(way, "TRUNCATE owners CASCADE", false);
    }

    @EveryWay
    void merge(Way way) {
        forgets(way, "MERGE INTO owned o USING (VALUES (7)) s (n) ON o.id = $1 WHEN MATCHED THEN DELETE", true);
    }

    @EveryWay
    void updateOfTheKey(Way way) {
        forgets(way, "UPDATE owned SET id = 1000000 + id WHERE id = $1", true);
        backdoor().execute("DELETE FROM owned WHERE id > 1000000");
    }

    /** Definitions: the map is read anew, by the new ones. */
    @EveryWay
    void renamingTheColumnIsSeen(Way way) {
        Client writer = client(way);
        Client reader = client(way);
        long id = account(writer);
        Consumer<String> rename = sql -> writer.run(sql).ok();
        rename.accept("ALTER TABLE owned RENAME COLUMN owner TO holder");
        assertThat(reader.run("SELECT amount FROM ledger WHERE account_id = $1", id)
                        .sqlState())
                .isEqualTo(UNMAPPED);
        rename.accept("ALTER TABLE owned RENAME COLUMN holder TO owner");
        reader.run("SELECT amount FROM ledger WHERE account_id = $1", id).ok();
        backdoor().execute("DELETE FROM ledger");
    }

    @EveryWay
    void aStringOfStatementsForgetsAtItsEnd(Way way) {
        Client writer = client(way);
        Client reader = client(way);
        long id = account(writer);
        writer.wire()
                .simple("SELECT 1; DELETE FROM owned WHERE id = " + id + "; SELECT 2")
                .ok();
        assertThat(reader.run("SELECT amount FROM ledger WHERE account_id = $1", id)
                        .sqlState())
                .isEqualTo(UNMAPPED);
        backdoor().execute("DELETE FROM ledger");
    }

    /** What cannot be followed is refused, and has changed nothing. */
    @ParameterizedTest
    @EnumSource(Protocol.class)
    void whatCannotBeFollowedIsRefused(Protocol protocol) {
        Client client = client(protocol);
        long id = account(client);
        for (String sql : List.of(
                "PREPARE gone AS DELETE FROM owned",
                "DO $$ BEGIN DELETE FROM owned; END $$",
                "SELECT forget_all()",
                "COPY owned FROM '/nowhere'",
                "DELETE FROM owned_view")) {
            Answer answer = client.run(sql);
            assertThat(answer.sqlState()).as(sql).isEqualTo("0A000");
            assertThat(answer.status()).isEqualTo('I');
        }
        assertThat(counts("owned", "id = " + id)).containsOnly(1L);
        client.run("SELECT amount FROM ledger WHERE account_id = $1", id).ok();
        backdoor().execute("DELETE FROM ledger");
    }
}
