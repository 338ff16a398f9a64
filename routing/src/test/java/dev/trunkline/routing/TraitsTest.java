package dev.trunkline.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.NullKey;
import dev.trunkline.conf.ShardKeyUpdate;
import dev.trunkline.conf.SplitInserts;
import dev.trunkline.conf.UnlistedTables;
import dev.trunkline.routing.catalog.Catalog;
import dev.trunkline.routing.shard.CopySettings;
import dev.trunkline.routing.shard.ShardingRules;
import dev.trunkline.routing.sql.Command;
import dev.trunkline.routing.sql.StatementKind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a statement is, beside where it runs. */
class TraitsTest {

    private final Fixture db = new Fixture();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            SELECT * FROM items                         | true
            SELECT * FROM items FOR UPDATE              | true
            SELECT nextval('s')                         | false
            SELECT pg_advisory_xact_lock(1)             | false
            SELECT set_config('a.b', 'c', false)        | false
            SELECT reads(1)                             | false
            WITH x AS (DELETE FROM items) SELECT 1      | false
            INSERT INTO items (id) VALUES (5)           | false
            SHOW x                                      | true
            SET x = 1                                   | false
            EXPLAIN DELETE FROM items                   | true
            EXPLAIN ANALYZE DELETE FROM items           | false
            EXPLAIN ANALYZE SELECT 1                    | true
            COPY items TO STDOUT                        | true
            COPY items FROM STDIN                       | false
            BEGIN                                       | false
            CREATE TABLE x (id int)                     | false
            """)
    void readOnly(String sql, boolean readOnly) {
        assertThat(db.statement(sql).isReadOnly()).isEqualTo(readOnly);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            CREATE TEMP TABLE x (id int)                    | TEMPORARY_TABLE
            SELECT * INTO TEMP x FROM items                 | TEMPORARY_TABLE
            CREATE STATISTICS pg_temp.x ON id, n FROM items | TEMPORARY_TABLE
            CREATE STATISTICS IF NOT EXISTS pg_temp.x ON id, n FROM items | TEMPORARY_TABLE
            CREATE STATISTICS x ON id, n FROM items         | NONE
            CREATE FUNCTION pg_temp.f() RETURNS int LANGUAGE sql AS 'SELECT 1' | TEMPORARY_TABLE
            SET search_path = pg_temp, public               | TEMPORARY_TABLE
            SET search_path TO 'pg_temp'                    | TEMPORARY_TABLE
            SET search_path = public, pg_temp               | NONE
            LOAD 'auto_explain'                             | LIBRARY
            CHECKPOINT                                      | NONE
            SELECT pg_advisory_lock(1)                      | ADVISORY_LOCK
            SELECT pg_try_advisory_lock_shared(1)           | ADVISORY_LOCK
            SELECT pg_advisory_xact_lock(1)                 | NONE
            DECLARE c CURSOR WITH HOLD FOR SELECT 1         | HOLD_CURSOR
            DECLARE c CURSOR FOR SELECT 1                   | NONE
            LISTEN x                                        | LISTEN
            PREPARE x AS SELECT 1                           | SQL_PREPARED
            SELECT 1                                        | NONE
            """)
    void pins(String sql, Pin pin) {
        assertThat(db.statement(sql).pin()).isEqualTo(pin);
    }

    @Test
    void needsParametersOnlyWhereKeysAreParameters() {
        assertThat(db.statement("SELECT * FROM items WHERE id = $1").needsParameters())
                .isTrue();
        assertThat(db.statement("SELECT * FROM items WHERE id = 5 AND n = $1").needsParameters())
                .isFalse();
        assertThat(db.statement("SELECT * FROM tenants WHERE id = $1").needsParameters())
                .isFalse();
        assertThat(db.outcome("SELECT * FROM items WHERE id = $1")).isEqualTo("42P02");
    }

    @Test
    void tellsTablesApart() {
        assertThat(db.statement("SELECT * FROM items").touchesSharded()).isTrue();
        assertThat(db.statement("SELECT * FROM tenants").touchesSharded()).isFalse();
        assertThat(db.statement("DELETE FROM tenants").writesOmnisharded()).isTrue();
        assertThat(db.statement("TRUNCATE tenants").writesOmnisharded()).isTrue();
        assertThat(db.statement("DELETE FROM items").writesOmnisharded()).isFalse();
        assertThat(db.statement("CREATE TABLE x (id int)").isDdl()).isTrue();
        assertThat(db.statement("TRUNCATE items").isDdl()).isFalse();
        assertThat(db.statement("SELECT * FROM items FOR SHARE").forUpdate()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            DO $$BEGIN SET work_mem = '1MB'; END$$                              | true
            DO $$BEGIN PERFORM 1; SET work_mem = '1MB'; END$$                   | true
            DO $$BEGIN IF true THEN RESET work_mem; END IF; END$$               | true
            DO $$BEGIN FOR i IN 1..2 LOOP SET work_mem = '1MB'; END LOOP; END$$ | true
            DO $$BEGIN PERFORM set_config('a.b', 'x', false); END$$             | true
            DO $$BEGIN EXECUTE 'SET work_mem = 1000'; END$$                     | true
            DO LANGUAGE plpgsql $$BEGIN EXECUTE format('SET %I = 1', x); END$$  | true
            DO $$BEGIN SET LOCAL work_mem = '1MB'; END$$                        | false
            DO $$BEGIN UPDATE items SET n = 1; END$$                            | false
            DO $$BEGIN INSERT INTO items VALUES (1) ON CONFLICT DO UPDATE SET n = 1; END$$ | false
            DO $$BEGIN RAISE NOTICE 'x'; END$$                                  | false
            """)
    void readsWhatADoSets(String sql, boolean unknown) {
        Statement statement = db.statement(sql);
        assertThat(statement.unknownSetConfig()).isEqualTo(unknown);
        assertThat(statement.setConfigs()).isEmpty();
    }

    @Test
    void readsSetConfig() {
        Statement known = db.statement("SELECT set_config('Search_Path', 'a, b', true)");
        assertThat(known.unknownSetConfig()).isFalse();
        assertThat(known.setConfigs()).hasSize(1);
        assertThat(known.setConfigs().get(0).local()).isTrue();
        Statement unknown = db.statement("SELECT set_config(name, 'x', true) FROM settings");
        assertThat(unknown.unknownSetConfig()).isTrue();
        db.expect("0A000", "SELECT set_config(name, 'x', true) FROM settings")
                .expect("any", "SELECT set_config('search_path', '', false)");
    }

    @Test
    void splitsTexts() {
        List<Statement> statements = db.analyze("BEGIN; INSERT INTO items (id) VALUES (5); ; COMMIT -- done");
        assertThat(statements.stream().map(Statement::kind))
                .containsExactly(StatementKind.BEGIN, StatementKind.WRITE, StatementKind.COMMIT);
        Statement insert = statements.get(1);
        assertThat(new String(insert.text(), insert.start(), insert.end() - insert.start(), StandardCharsets.UTF_8))
                .isEqualTo(" INSERT INTO items (id) VALUES (5)");
        assertThat(db.analyze(" ; -- nothing\n")).isEmpty();
    }

    @Test
    void equalShapesShareAPlanButNotTheirValues() {
        db.expect("2", "SELECT * FROM items WHERE id = 5").expect("0", "select *  from ITEMS where ID = 6 -- x");
        db.expect("2", "INSERT INTO items (id) VALUES (5)").expect("0", "INSERT INTO items (id) VALUES (6), (2)");
        db.expect("2", "INSERT INTO items (id) VALUES ($1)", "5")
                .expect("split 0,2", "INSERT INTO items (id) VALUES ($1), ($2)", "5", "6");
        db.expect("2", "WITH x AS (INSERT INTO items (id) VALUES ($1) RETURNING id) SELECT * FROM x", "5")
                .expect(
                        "0A000",
                        "WITH x AS (INSERT INTO items (id) VALUES ($1), ($2) RETURNING id) SELECT * FROM x",
                        "5",
                        "6");
    }

    @Test
    void aDatabaseOfOneShardIsNotAnalysed() {
        ShardingRules rules = new ShardingRules(
                1,
                List.of(),
                List.of(),
                Set.of(),
                Set.of(),
                List.of(),
                UnlistedTables.ERROR,
                NullKey.ERROR,
                SplitInserts.REWRITE,
                ShardKeyUpdate.ERROR,
                false,
                new CopySettings(false, 1 << 20));
        Router router = Router.of(rules, Catalog.EMPTY, new PlanCache(1 << 20));
        byte[] text = "SELECT * FROM nowhere ORDER BY 1; CREATE TEMP TABLE x(i int); SAVEPOINT s"
                .getBytes(StandardCharsets.UTF_8);
        List<Statement> statements =
                router.analyze(new AnalysisBuffers(), text, 0, text.length, RoutingContext.DEFAULT);
        assertThat(statements)
                .allSatisfy(statement -> assertThat(router.route(statement, null, db.translations()))
                        .isEqualTo(new Route.One(0)));
        assertThat(statements.get(0).isReadOnly()).isTrue();
        assertThat(statements.get(0).hasUnknownRelation()).isFalse();
        assertThat(statements.get(1).pin()).isEqualTo(Pin.TEMPORARY_TABLE);
        assertThat(statements.get(2).command()).isEqualTo(new Command.Savepoint("s"));
    }

    @Test
    void aStatementOfAnotherRouterIsReadAgain() {
        Statement old = new Fixture().table("parts", Fixture.int8("id")).statement("SELECT * FROM items WHERE id = 5");
        assertThat(db.router().route(old, null, db.translations())).isEqualTo(new Route.One(2));
    }

    @Test
    void hugeAndDeepTextsAreNoFault() {
        String deep = "SELECT " + "(".repeat(5_000) + "1" + ")".repeat(5_000);
        db.expect("sticky", deep).expect("unproven", deep + " FROM items");
        String longList = "SELECT * FROM items WHERE id IN (5" + ", 1".repeat(20_000) + ")";
        db.expect("2", longList);
        String longOr = "SELECT * FROM items WHERE id = 5" + " OR id = 1".repeat(2_000);
        db.expect("2", longOr);
        assertThat(Router.isHeavy(longOr.length())).isTrue();
    }

    @Test
    void junkIsLeftToPostgres() {
        db.expect("unproven", "SELECT * FROM items WHERE id = 'x")
                .expect("unproven", "SELECT * FROM items WHERE")
                .expect("unproven", "SELECT * FRM items")
                .expect("unproven", "FOO BAR");
    }
}
