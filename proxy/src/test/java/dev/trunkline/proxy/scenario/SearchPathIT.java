package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.wire.WireClient;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

/** A name means what the search path makes of it: two tables of one name that are sharded by different columns. */
class SearchPathIT extends Scenario {

    @Override
    void prepare(Deployment deployment) {
        deployment.shards().executeAll("""
                CREATE SCHEMA by_a;
                CREATE SCHEMA by_b;
                CREATE TABLE by_a.pairs (a bigint, b bigint);
                CREATE TABLE by_b.pairs (a bigint, b bigint);
                CREATE TABLE by_a.late (a bigint, b bigint);
                GRANT ALL ON by_a.late TO PUBLIC;
                GRANT ALL ON SCHEMA by_a, by_b TO PUBLIC;
                GRANT ALL ON by_a.pairs, by_b.pairs TO PUBLIC;
                """);
        deployment.rules(
                new JsonArray()
                        .add(rule("by_a", "pairs", "a"))
                        .add(rule("by_b", "pairs", "b"))
                        .add(rule("by_a", "late", "a"))
                        .add(rule("by_b", "late", "b")),
                new JsonArray());
    }

    private static JsonObject rule(String schema, String name, String column) {
        return new JsonObject()
                .put("database", Deployment.DATABASE)
                .put("schema", schema)
                .put("name", name)
                .put("column", column)
                .put("data_type", "bigint");
    }

    @Test
    void aPathThatLeadsToATableMadePastTheProxyHasTheCatalogReadAgain() {
        try (WireClient client = WireClient.login(proxy().host(), proxy().port(), "app", Deployment.DATABASE)) {
            client.simple("SET search_path TO by_a").ok();
            client.parse("late", "SELECT count(*) FROM late WHERE a = $1 AND b = $2", 20, 20)
                    .parse("insert", "INSERT INTO late (a, b) VALUES ($1, $2)", 20, 20)
                    .sync()
                    .expect("1", "1", "Z I");
            backdoor().execute("CREATE TABLE by_b.late (a bigint, b bigint); GRANT ALL ON by_b.late TO PUBLIC");
            client.simple("SET search_path TO by_b").ok();
            for (int i = 0; i < 20; i++) {
                client.bind("", "insert", i, 100 - i).execute("").sync().expect("2", "C INSERT 0 1", "Z I");
                assertThat(client.simple("SELECT count(*) FROM by_b.late WHERE a = " + i + " AND b = " + (100 - i))
                                .ok()
                                .value())
                        .isEqualTo("1");
                client.bind("", "late", i, 100 - i).execute("").sync().expect("2", "D 1", "C SELECT 1", "Z I");
            }
        }
    }

    @Test
    void aPreparedStatementIsRoutedByThePathOfItsBind() {
        try (WireClient client = WireClient.login(proxy().host(), proxy().port(), "app", Deployment.DATABASE)) {
            client.simple("SET search_path TO by_a").ok();
            client.parse("insert", "INSERT INTO pairs (a, b) VALUES ($1, $2)", 20, 20)
                    .parse("count", "SELECT count(*) FROM pairs WHERE a = $1 AND b = $2", 20, 20)
                    .sync()
                    .expect("1", "1", "Z I");
            for (String path : new String[] {"by_a", "by_b", "by_a, by_b", "by_b, by_a"}) {
                client.simple("SET search_path TO " + path).ok();
                for (int i = 0; i < 20; i++) {
                    client.bind("", "insert", i, 100 - i).execute("").sync().expect("2", "C INSERT 0 1", "Z I");
                }
            }
            for (String schema : new String[] {"by_a", "by_b"}) {
                client.simple("SET search_path TO " + schema).ok();
                for (int i = 0; i < 20; i++) {
                    client.bind("", "count", i, 100 - i).execute("").sync().expect("2", "D 2", "C SELECT 1", "Z I");
                    assertThat(client.simple("SELECT count(*) FROM " + schema + ".pairs WHERE a = " + i + " AND b = "
                                            + (100 - i))
                                    .ok()
                                    .value())
                            .isEqualTo("2");
                }
            }
        }
    }
}
