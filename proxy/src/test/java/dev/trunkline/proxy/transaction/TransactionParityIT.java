package dev.trunkline.proxy.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Invariants;
import dev.trunkline.harness.check.MisrouteGuard;
import dev.trunkline.harness.pg.PgCluster;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import dev.trunkline.proxy.twophase.DecisionTable;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Transactions on one, two and three shards beside the same on one PostgreSQL: equal rows, tags, transaction states,
 * SQLSTATEs and, in the end, tables.
 */
@TestInstance(Lifecycle.PER_CLASS)
class TransactionParityIT {

    private static final String TABLES = """
            CREATE TABLE item (id bigint NOT NULL, n int NOT NULL CHECK (n > 0), v text, PRIMARY KEY (id, n),
                CONSTRAINT once UNIQUE (id, v) DEFERRABLE INITIALLY DEFERRED);
            CREATE TABLE note (code text PRIMARY KEY, v text);
            CREATE TABLE tally (id bigserial PRIMARY KEY, v text UNIQUE, at timestamptz DEFAULT now(),
                token uuid DEFAULT gen_random_uuid());
            GRANT ALL ON item, note, tally, tally_id_seq TO PUBLIC;
            """;

    /** The shards of one size and the proxy over them. */
    private record Side(PgShards shards, TestProxy proxy, Invariants invariants) {

        WireClient login() {
            return proxy.login();
        }
    }

    private final Map<Integer, Side> sides = new LinkedHashMap<>();
    private final Map<String, Long> keys = new TreeMap<>();
    private PgShards oracle;

    @BeforeAll
    void start() {
        oracle = PgCluster.shared().shards(1);
        oracle.executeAll(TABLES);
        for (int count = 1; count <= 3; count++) {
            PgShards shards = PgCluster.shared().shards(count);
            shards.executeAll(TABLES);
            shards.executeAll(DecisionTable.CREATE);
            new MisrouteGuard(shards).plain("item", "id", "bigint");
            TestProxy proxy = TestProxy.over(shards)
                    .user("pool_size", 4)
                    .general("two_phase_commit", count > 1)
                    .general("two_phase_commit_auto", count > 1)
                    .shardedTable(new JsonObject()
                            .put("database", TestProxy.DATABASE)
                            .put("name", "item")
                            .put("column", "id")
                            .put("data_type", "bigint"))
                    .omnishardedTables("note", "tally")
                    .start();
            Invariants invariants = new Invariants(shards);
            invariants.add(proxy::leftovers);
            sides.put(count, new Side(shards, proxy, invariants));
        }
        chooseKeys();
    }

    /** On two shards the first two lie apart, on three shards all do. */
    private void chooseKeys() {
        String belongs = "satisfies_hash_partition('trunkline_guard.by_bigint'::regclass, %d, %d, k)";
        for (int key = 0; key < 3; key++) {
            String sql = "SELECT min(k) FROM generate_series(1, 1000::bigint) k WHERE " + belongs.formatted(3, key)
                    + (key < 2 ? " AND " + belongs.formatted(2, key) : "");
            keys.put(
                    String.valueOf((char) ('a' + key)),
                    Long.valueOf(String.valueOf(side(3).shards.queryOne(0, sql))));
        }
    }

    private Side side(int count) {
        return Objects.requireNonNull(sides.get(count));
    }

    @AfterAll
    void stop() {
        sides.values().forEach(side -> {
            side.proxy.close();
            side.shards.close();
        });
        oracle.close();
    }

    private static Stream<Arguments> scripts() {
        List<Arguments> all = new ArrayList<>();
        for (Script script : Script.all("transactions.txt")) {
            for (Speaker speaker : Speaker.values()) {
                for (int shards = 1; shards <= 3; shards++) {
                    all.add(Arguments.of(shards, script, speaker));
                }
            }
        }
        return all.stream();
    }

    @ParameterizedTest(name = "{1}, {0} shards, {2}")
    @MethodSource("scripts")
    void isAnsweredAsByOneServer(int shards, Script script, Speaker speaker) {
        Side side = side(shards);
        Script filled = script.with(keys);
        oracle.executeAll("TRUNCATE item, note, tally RESTART IDENTITY");
        side.shards.executeAll("TRUNCATE item, note, tally RESTART IDENTITY");
        List<String> right;
        try (WireClient wire = WireClient.login(oracle.host(), oracle.port(0), PgShards.APP, oracle.database())) {
            right = speaker.say(wire, filled);
        }
        List<String> heard;
        try (WireClient wire = side.login()) {
            heard = speaker.say(wire, filled);
        }
        assertThat(String.join("\n", heard)).isEqualTo(String.join("\n", right));
        side.invariants.assertHold();
        String items = "SELECT id, n, v FROM item";
        assertThat(rows(side.shards, items)).isEqualTo(rows(oracle, items));
        for (int shard = 0; shard < shards; shard++) {
            String notes = "SELECT code, v FROM note ORDER BY code";
            assertThat(side.shards.query(shard, notes)).isEqualTo(oracle.query(0, notes));
            String numbers = "SELECT id, v FROM tally ORDER BY id";
            assertThat(side.shards.query(shard, numbers)).isEqualTo(oracle.query(0, numbers));
            String values = "SELECT * FROM tally ORDER BY id";
            assertThat(side.shards.query(shard, values)).isEqualTo(side.shards.query(0, values));
        }
    }

    /** Of all shards together, sorted. */
    private static List<String> rows(PgShards shards, String sql) {
        List<String> rows = new ArrayList<>();
        for (int shard = 0; shard < shards.count(); shard++) {
            shards.query(shard, sql).forEach(row -> rows.add(row.toString()));
        }
        return rows.stream().sorted().toList();
    }
}
