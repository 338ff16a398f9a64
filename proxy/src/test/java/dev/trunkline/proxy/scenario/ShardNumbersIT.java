package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.wire.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;

/** Lookups whose second column is the number of the shard. */
class ShardNumbersIT extends Scenario {

    @Override
    void prepare(Deployment deployment) {
        deployment.shards().executeAll("""
                CREATE TABLE homes (id varchar PRIMARY KEY, shard text);
                CREATE TABLE numbered (id bigint PRIMARY KEY, shard int);
                CREATE TABLE places (id uuid PRIMARY KEY, shard smallint);
                CREATE TABLE boxes (home_id varchar, n int);
                CREATE TABLE crates (number_id bigint, n int);
                CREATE TABLE parcels (place_id uuid, n int);
                GRANT ALL ON homes, numbered, places, boxes, crates, parcels TO PUBLIC;
                """);
        deployment.rules(
                new JsonArray()
                        .add(rule("home_id", "varchar", "homes"))
                        .add(rule("number_id", "bigint", "numbered"))
                        .add(rule("place_id", "uuid", "places")),
                Deployment.omnisharded("homes", "numbered", "places"));
    }

    private static JsonObject rule(String column, String type, String table) {
        return Deployment.translated(column, type, table, "SELECT id, shard FROM " + table)
                .put("lookup_result", "shard");
    }

    @EveryWay
    void rowsLieOnTheShardThatTheLookupNames(Way way) {
        Client client = client(way);
        for (int shard = 0; shard < 3; shard++) {
            String home = "h" + way.ordinal() + "-" + shard;
            client.run("INSERT INTO homes VALUES ($1, $2)", home, String.valueOf(shard))
                    .ok();
            client.run("INSERT INTO boxes VALUES ($1, 1)", home).ok();
            assertThat(counts("boxes", "home_id = '" + home + "'")).isEqualTo(onlyOn(shard, 1));
            assertThat(client.run("SELECT n FROM boxes WHERE home_id = $1", home)
                            .ok()
                            .value())
                    .isEqualTo("1");
            long number = 10L * way.ordinal() + shard;
            client.run("INSERT INTO numbered VALUES ($1, $2)", number, shard).ok();
            client.run("INSERT INTO crates VALUES ($1, 1)", number).ok();
            assertThat(counts("crates", "number_id = " + number)).isEqualTo(onlyOn(shard, 1));
            UUID place = UUID.randomUUID();
            client.run("INSERT INTO places VALUES ($1, $2)", place, (short) shard)
                    .ok();
            client.run("INSERT INTO parcels VALUES ($1, 1)", place).ok();
            assertThat(counts("parcels", "place_id = '" + place + "'")).isEqualTo(onlyOn(shard, 1));
        }
    }

    @EveryWay
    void aTransactionPlacesRowsByTheNumberThatItWrites(Way way) {
        Client client = client(way);
        String home = "own" + way.ordinal();
        UUID place = UUID.randomUUID();
        client.run("BEGIN").ok();
        client.run("INSERT INTO homes VALUES ($1, '2')", home).ok();
        client.run("INSERT INTO boxes VALUES ($1, 1)", home).ok();
        client.run("INSERT INTO places VALUES ($1, 1)", place).ok();
        client.run("INSERT INTO parcels VALUES ($1, 1)", place).ok();
        client.run("UPDATE homes SET shard = '0' WHERE id = $1", home).ok();
        client.run("INSERT INTO boxes VALUES ($1, 2)", home).ok();
        client.run("COMMIT").ok();
        assertThat(counts("boxes", "home_id = '" + home + "'")).containsExactly(1L, 0L, 1L);
        assertThat(counts("parcels", "place_id = '" + place + "'")).isEqualTo(onlyOn(1, 1));
    }

    @EveryWay
    @DisplayName("lk-result-out-of-range")
    void whatIsNoShardStoresNothing(Way way) {
        Client client = client(way);
        String home = "bad" + way.ordinal();
        client.run("INSERT INTO homes VALUES ($1, '0')", home).ok();
        for (String shard : new String[] {"7", "3", "-1", "x", "1.0", "", "99999999999"}) {
            client.run("UPDATE homes SET shard = $1 WHERE id = $2", shard, home).ok();
            Answer refused = client.run("INSERT INTO boxes VALUES ($1, 1)", home);
            boolean isNumber = shard.equals("7") || shard.equals("3");
            assertThat(refused.sqlState()).as(shard).isEqualTo(isNumber ? "22023" : "40001");
            assertThat(detail(refused)).contains(isNumber ? "the database has 3 shards" : "not the number of a shard");
        }
        client.run("UPDATE homes SET shard = NULL WHERE id = $1", home).ok();
        assertThat(detail(client.run("INSERT INTO boxes VALUES ($1, 1)", home)))
                .containsIgnoringCase("a value is NULL");
        client.run("DELETE FROM homes WHERE id = $1", home).ok();
        assertThat(counts("boxes", "home_id = '" + home + "'")).containsOnly(0L);
    }
}
