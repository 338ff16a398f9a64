package dev.trunkline.proxy.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.pg.Ports;
import dev.trunkline.harness.wire.Answer;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A reload that changes servers or tables: clients go over between two transactions, and the lookup stays exact. */
@Shards(3)
class DatabaseReloadIT {

    private static final int CLIENTS = 20;
    private static final int RELOADS = "full".equals(System.getProperty("scale")) ? 1_000 : 40;

    private final PgShards shards;

    DatabaseReloadIT(PgShards shards) {
        this.shards = shards;
    }

    @BeforeEach
    void create() {
        for (int shard = 0; shard < shards.count(); shard++) {
            shards.execute(
                    shard,
                    "CREATE TABLE tenants (id varchar PRIMARY KEY, parent varchar);"
                            + "CREATE TABLE orders (tenant_id varchar, note text); CREATE TABLE place (n int);"
                            + "GRANT ALL ON tenants, orders, place TO PUBLIC;"
                            + "INSERT INTO place VALUES (" + shard + ");"
                            + "INSERT INTO orders SELECT 't' || i, 'shard " + shard + "' FROM generate_series(1, 40) i;"
                            + "INSERT INTO tenants SELECT 't' || i, NULL FROM generate_series(1, 40) i");
        }
    }

    @AfterEach
    void drop() {
        for (int shard = 0; shard < shards.count(); shard++) {
            shards.execute(shard, "DROP TABLE tenants, orders, place");
        }
    }

    private TestProxy.Setup over(int... which) {
        return TestProxy.over(shards).servers(shards, which).user("pool_size", 3);
    }

    /** Rows of one shard would decide where rows of all belong. */
    @Test
    void aLookupThatReadsMoreThanOmnishardedTablesIsRefused() {
        shards.executeAll(
                "CREATE VIEW families AS SELECT id, COALESCE(parent, id) AS root FROM tenants JOIN place ON true");
        TestProxy.Setup setup = over(0, 1).shardedTable(rule(false)).omnishardedTables("tenants");
        try (TestProxy proxy = setup.admin("secret").start();
                WireClient client = proxy.login();
                WireClient admin = proxy.admin("secret")) {
            JsonObject joined = rule(false).put("lookup", "tenants").put("query", "SELECT id, root FROM families");
            setup.withoutTables().shardedTable(joined).omnishardedTables("tenants");
            Answer refused = admin.simple("RELOAD");
            assertThat(refused.sqlState()).isNotNull();
            assertThat(refused.field('D'))
                    .contains("reads relations that are not omnisharded", "public.place")
                    .doesNotContain("public.tenants");
            client.simple("SELECT note FROM orders").ok();
            setup.withoutTables().shardedTable(joined).omnishardedTables("tenants", "place");
            admin.simple("RELOAD").ok();
            client.simple("SELECT note FROM orders WHERE tenant_id = 't1'").ok();
        } finally {
            shards.executeAll("DROP VIEW families");
        }
    }

    /** The function is in a view, and not seen in the query's own words. */
    @Test
    void aLookupThatCallsWhatIsNotImmutableIsRefused() {
        shards.executeAll("CREATE VIEW families AS SELECT id, COALESCE(parent, id) AS root FROM tenants"
                + " WHERE current_setting('app.region', true) IS NULL");
        TestProxy.Setup setup = over(0, 1).shardedTable(rule(false)).omnishardedTables("tenants");
        try (TestProxy proxy = setup.admin("secret").start();
                WireClient client = proxy.login();
                WireClient admin = proxy.admin("secret")) {
            String query = "SELECT id, root FROM families";
            for (String other : new String[] {query, query + " WHERE id <> CURRENT_USER"}) {
                setup.withoutTables()
                        .shardedTable(rule(false).put("lookup", "tenants").put("query", other))
                        .omnishardedTables("tenants");
                Answer refused = admin.simple("RELOAD");
                assertThat(refused.sqlState()).isNotNull();
                assertThat(refused.field('D')).contains("calls what is not immutable", "current_setting");
            }
            client.simple("SELECT note FROM orders").ok();
            shards.executeAll(
                    "CREATE OR REPLACE VIEW families AS SELECT id, COALESCE(parent, id) AS root FROM tenants");
            setup.withoutTables()
                    .shardedTable(rule(false).put("lookup", "tenants").put("query", query))
                    .omnishardedTables("tenants");
            admin.simple("RELOAD").ok();
            client.simple("SELECT note FROM orders WHERE tenant_id = 't1'").ok();
        } finally {
            shards.executeAll("DROP VIEW families");
        }
    }

    private static JsonObject rule(boolean translated) {
        JsonObject rule = new JsonObject()
                .put("database", TestProxy.DATABASE)
                .put("name", "orders")
                .put("column", "tenant_id")
                .put("data_type", "varchar");
        return translated
                ? rule.put("lookup", "tenants").put("query", "SELECT id, COALESCE(parent, id) FROM tenants")
                : rule;
    }

    private long sessionsOn(int shard) {
        return Long.parseLong(shards.queryOne(
                shard, "SELECT count(*) FROM pg_stat_activity WHERE usename = 'app' AND datname = current_database()"));
    }

    private static String one(WireClient client, String sql) {
        return String.valueOf(client.simple(sql).ok().value());
    }

    @Test
    void clientsGoOverToAnotherServerBetweenTwoTransactions() {
        TestProxy.Setup setup = over(0);
        try (TestProxy proxy = setup.start();
                WireClient idle = proxy.login();
                WireClient busy = proxy.login();
                WireClient bound = proxy.login()) {
            idle.parse("s", "SELECT n FROM place").describeStatement("s").sync();
            idle.expect("1", "t", "T n:23", "Z I");
            assertThat(one(idle, "SELECT n FROM place")).isEqualTo("0");
            busy.simple("BEGIN").ok();
            assertThat(one(busy, "SELECT n FROM place")).isEqualTo("0");
            bound.simple("CREATE TEMP TABLE mine (n int)").ok();

            assertThat(proxy.reload(setup.servers(shards, 1))).isTrue();

            // What it has on its connection would be lost.
            bound.expect("E 57P01").expectClosed();
            assertThat(one(idle, "SELECT n FROM place")).isEqualTo("1");
            idle.bind("", "s").execute("").sync().expect("2", "D 1", "C SELECT 1", "Z I");
            try (WireClient late = proxy.login()) {
                assertThat(one(late, "SELECT n FROM place")).isEqualTo("1");
            }
            assertThat(one(busy, "SELECT n FROM place")).isEqualTo("0");
            busy.simple("COMMIT").ok();
            assertThat(one(busy, "SELECT n FROM place")).isEqualTo("1");
            TestProxy.await("the server of before has no sessions of ours", () -> sessionsOn(0) == 0);
        }
    }

    @Test
    void whatWasBegunBeforeCountsAsWrittenForANewLookup() {
        for (boolean commits : new boolean[] {false, true}) {
            TestProxy.Setup setup = over(0, 1, 2).shardedTable(rule(false)).omnishardedTables("tenants");
            try (TestProxy proxy = setup.start();
                    WireClient writer = proxy.login();
                    WireClient reader = proxy.login()) {
                String own = place(reader, "t1");
                String other = null;
                String parent = "";
                for (int i = 2; i <= 40 && other == null; i++) {
                    parent = "t" + i;
                    String there = place(reader, parent);
                    other = there.equals(own) ? null : there;
                }
                assertThat(other).isNotNull();
                writer.simple("BEGIN").ok();
                writer.simple("UPDATE tenants SET parent = '" + parent + "' WHERE id = 't1'")
                        .ok();

                assertThat(proxy.reload(
                                setup.withoutTables().shardedTable(rule(true)).omnishardedTables("tenants")))
                        .isTrue();

                for (int i = 0; i < 3; i++) {
                    assertThat(place(reader, "t1")).isEqualTo(own);
                }
                writer.simple(commits ? "COMMIT" : "ROLLBACK").ok();
                for (int i = 0; i < 3; i++) {
                    assertThat(place(reader, "t1")).as("commits: %s", commits).isEqualTo(commits ? other : own);
                    assertThat(place(writer, "t1")).isEqualTo(commits ? other : own);
                }
            }
        }
    }

    private static String place(WireClient client, String tenant) {
        return one(client, "SELECT note FROM orders WHERE tenant_id = '" + tenant + "'");
    }

    @Test
    void aShardedDatabaseGetsMoreShards() {
        TestProxy.Setup setup = over(0, 1).shardedTable(rule(false)).omnishardedTables("tenants");
        try (TestProxy proxy = setup.start();
                WireClient client = proxy.login()) {
            assertThat(client.simple("SELECT note FROM orders").ok().rows()).hasSize(80);
            assertThat(proxy.reload(setup.servers(shards, 2, 1, 0))).isTrue();
            assertThat(client.simple("SELECT note FROM orders").ok().rows()).hasSize(120);
            client.simple("BEGIN").ok();
            client.simple("UPDATE orders SET note = note").ok();
            assertThat(proxy.reload(setup.servers(shards, 0))).isTrue();
            assertThat(client.simple("UPDATE orders SET note = note").ok().tags())
                    .containsExactly("UPDATE 120");
            client.simple("COMMIT").ok();
            assertThat(client.simple("UPDATE orders SET note = note").ok().tags())
                    .containsExactly("UPDATE 40");
        }
    }

    @Test
    void aDatabaseComesAndGoes() {
        TestProxy.Setup setup = over(0);
        try (TestProxy proxy = setup.start();
                WireClient stays = proxy.login()) {
            assertThat(proxy.reload(setup.alsoDatabase("other", shards.port(2), shards.database())))
                    .isTrue();
            try (WireClient client = WireClient.login(proxy.host(), proxy.port(), PgShards.APP, "other");
                    WireClient within = WireClient.login(proxy.host(), proxy.port(), PgShards.APP, "other")) {
                assertThat(one(client, "SELECT n FROM place")).isEqualTo("2");
                within.simple("BEGIN").ok();
                assertThat(proxy.reload(setup.withoutDatabase("other"))).isTrue();
                client.expect("E 57P01").expectClosed();
                assertThat(one(within, "SELECT n FROM place")).isEqualTo("2");
                within.query("COMMIT").expect("C COMMIT", "Z I", "E 57P01").expectClosed();
            }
            assertThat(one(stays, "SELECT n FROM place")).isEqualTo("0");
            TestProxy.await("its server has no sessions of ours", () -> sessionsOn(2) == 0);
        }
    }

    @Test
    void whatCannotBeServedChangesNothing() {
        TestProxy.Setup setup = over(0, 1).shardedTable(rule(false)).omnishardedTables("tenants");
        try (TestProxy proxy = setup.admin("secret").start();
                WireClient client = proxy.login();
                WireClient admin = proxy.admin("secret")) {
            setup.alsoDatabase("other", shards.port(2), shards.database());
            // Its first shard is not there.
            setup.servers(shards.database(), Ports.free(), shards.port(1));
            Answer refused = admin.simple("RELOAD");
            assertThat(refused.sqlState()).isNotNull();
            assertThat(refused.field('D')).contains("database db could not be brought into service");
            assertThat(client.simple("SELECT note FROM orders").ok().rows()).hasSize(80);
            assertThat(admin.simple("SHOW DATABASES name").ok().sortedRows()).containsOnly(TestProxy.DATABASE);
            setup.servers(shards, 1, 0);
            admin.simple("RELOAD").ok();
            assertThat(client.simple("SELECT note FROM orders").ok().rows()).hasSize(80);
            assertThat(admin.simple("SHOW DATABASES name").ok().sortedRows()).contains("other");
        }
    }

    @Test
    void disturbsNobodyUnderLoad() {
        TestProxy.Setup setup = over(0);
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger answers = new AtomicInteger();
        try (TestProxy proxy = setup.start()) {
            List<CompletableFuture<Void>> load = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                boolean reconnects = i % 4 == 0;
                load.add(CompletableFuture.runAsync(() -> work(proxy, stop, reconnects, answers)));
            }
            try {
                for (int i = 0; i < RELOADS; i++) {
                    assertThat(proxy.reload(setup.servers(shards, 1 - i % 2))).isTrue();
                    int seen = answers.get();
                    TestProxy.await("work goes on", () -> answers.get() > seen + CLIENTS);
                }
            } finally {
                stop.set(true);
            }
            load.forEach(CompletableFuture::join);
            // The last reload went to server 0.
            TestProxy.await("the server of before has no sessions of ours", () -> sessionsOn(1) == 0);
            assertThat(sessionsOn(0)).isLessThanOrEqualTo(3);
        }
    }

    private static void work(TestProxy proxy, AtomicBoolean stop, boolean reconnects, AtomicInteger answers) {
        while (!stop.get()) {
            try (WireClient client = proxy.login()) {
                do {
                    client.simple("BEGIN").ok();
                    String first = one(client, "SELECT n FROM place");
                    assertThat(one(client, "SELECT n FROM place")).isEqualTo(first);
                    client.simple("COMMIT").ok();
                    answers.incrementAndGet();
                } while (!reconnects && !stop.get());
            }
        }
    }
}
