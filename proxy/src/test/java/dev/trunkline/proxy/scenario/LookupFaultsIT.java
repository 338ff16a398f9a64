package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.harness.wire.Answer;
import io.vertx.core.json.JsonArray;

/** A lookup query whose rows are no map: every statement that needs it is refused, and told why. */
class LookupFaultsIT extends Scenario {

    @Override
    void prepare(Deployment deployment) {
        deployment.shards().executeAll("""
                CREATE TABLE mappings (k varchar, v varchar, more varchar);
                INSERT INTO mappings VALUES ('twice', 'one', NULL), ('twice', 'two', NULL), ('empty', NULL, NULL),
                    ('not a number', '1', NULL);
                CREATE VIEW three_columns AS SELECT k, v, more FROM mappings WHERE k NOT IN ('twice', 'empty');
                CREATE TABLE by_duplicate (duplicate_id varchar, n int);
                CREATE TABLE by_three (three_id varchar, n int);
                CREATE TABLE by_null (null_id varchar, n int);
                CREATE TABLE by_missing (missing_id varchar, n int);
                CREATE TABLE by_malformed (malformed_id bigint, n int);
                """);
        JsonArray rules = new JsonArray()
                .add(Deployment.translated(
                        "duplicate_id", "varchar", "mappings", "SELECT k, v FROM mappings WHERE k = 'twice'"))
                .add(Deployment.translated("three_id", "varchar", "mappings", "SELECT * FROM three_columns"))
                .add(Deployment.translated(
                        "null_id", "varchar", "mappings", "SELECT k, v FROM mappings WHERE k = 'empty'"))
                .add(Deployment.translated("missing_id", "varchar", "mappings", "SELECT k, no_such FROM mappings"))
                .add(Deployment.translated(
                        "malformed_id", "bigint", "mappings", "SELECT 5, k FROM mappings WHERE k LIKE 'not%'"))
                .add(Deployment.translated("tenant_id", "varchar", "tenants", Deployment.TENANTS));
        deployment.rules(rules, Deployment.omnisharded("mappings", "tenants"));
    }

    private void isRefused(Way way, String table, Object key, String... because) {
        Client client = client(way);
        for (int attempt = 0; attempt < 2; attempt++) {
            Answer answer = client.run("INSERT INTO " + table + " VALUES ($1, 1)", key);
            assertThat(answer.sqlState()).isEqualTo("40001");
            assertThat(answer.message())
                    .startsWith("sharding key lookup failed:")
                    .contains("\"mappings\"");
            assertThat(detail(answer)).contains(because);
            assertThat(answer.status()).isEqualTo('I');
        }
        assertThat(counts(table, "true")).containsOnly(0L);
        // One lookup's fault is no other's.
        client.run("SELECT 1 FROM orders WHERE tenant_id = $1", tenants().root(way.miss() == LookupMiss.PROBE ? 0 : 1))
                .ok();
    }

    @EveryWay
    void aKeyWithTwoValues(Way way) {
        isRefused(way, "by_duplicate", "twice", "twice");
    }

    /** Rows that are repaired through a proxy are a map for the next statement through it. */
    @EveryWay
    void aRepairCountsAtOnce(Way way) {
        Client client = client(way);
        Client reader = client(way);
        for (int round = 0; round < 2; round++) {
            assertThat(reader.run("SELECT n FROM by_duplicate WHERE duplicate_id = $1", "twice")
                            .sqlState())
                    .isEqualTo("40001");
            client.run("DELETE FROM mappings WHERE v = 'two'").ok();
            reader.run("SELECT n FROM by_duplicate WHERE duplicate_id = $1", "twice")
                    .ok();
            client.run("INSERT INTO mappings VALUES ($1, $2, NULL)", "twice", "two")
                    .ok();
        }
    }

    @EveryWay
    void threeColumns(Way way) {
        isRefused(way, "by_three", "x", "3");
    }

    @EveryWay
    void aNullValue(Way way) {
        isRefused(way, "by_null", "empty", "empty");
    }

    @EveryWay
    void aColumnThatDoesNotExist(Way way) {
        isRefused(way, "by_missing", "x", "no_such");
    }

    /** lk-type-text-vs-number: a value that is not of the key's type is a fault, not a silent miss. */
    @EveryWay
    void lkTypeTextVsNumber(Way way) {
        isRefused(way, "by_malformed", 5L, "not a number");
    }
}
