package dev.trunkline.proxy.oneshard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.Answer;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import dev.trunkline.proxy.fixture.WithProxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Prepared statements are the client's own, under its own names, on whatever server connection it comes to be. */
@Shards(1)
@WithProxy(general = {"prepared_statements_limit", "3"})
class PreparedStatementsIT {

    private static final int INT4 = 23;
    private static final int TEXT = 25;

    private final PgShards shards;
    private final TestProxy proxy;

    PreparedStatementsIT(PgShards shards, TestProxy proxy) {
        this.shards = shards;
        this.proxy = proxy;
    }

    private static void assertBinds(WireClient client, String statement, Object value, String row) {
        client.bind("", statement, value).execute("").sync().expect("2", "D " + row, "C SELECT 1", "Z I");
    }

    @Test
    void twoClientsUseTheSameNameForDifferentStatements() {
        try (WireClient one = proxy.login();
                WireClient two = proxy.login()) {
            one.parse("s", "SELECT 'one', $1::int").sync().expect("1", "Z I");
            two.parse("s", "SELECT 'two', $1::int").sync().expect("1", "Z I");
            for (int i = 0; i < 3; i++) {
                assertBinds(one, "s", i, "one|" + i);
                assertBinds(two, "s", i, "two|" + i);
            }
            one.closeStatement("s").sync().expect("3", "Z I");
            one.bind("", "s", 1).sync().expect("E 26000", "Z I");
            assertBinds(two, "s", 7, "two|7");
        }
    }

    @Test
    void theUnnamedStatementOutlivesTheLease() {
        try (WireClient one = proxy.login();
                WireClient two = proxy.login()) {
            one.parse("", "SELECT 'one', $1::int").describeStatement("").sync().expect("1", "t 23", "T", "Z I");
            two.parse("", "SELECT 'two', $1::text").describeStatement("").sync().expect("1", "t 25", "T", "Z I");
            assertBinds(one, "", 1, "one|1");
            assertBinds(two, "", 2, "two|2");
            assertBinds(one, "", 3, "one|3");
            one.describeStatement("").sync().expect("t 23", "T", "Z I");
        }
    }

    @Test
    void theSameTextUnderAnotherSearchPathIsAnotherStatement() {
        shards.execute(
                0,
                "CREATE SCHEMA far; CREATE TABLE far.placed AS SELECT 1 AS a, 'far' AS b; GRANT ALL ON far.placed TO PUBLIC;"
                        + "GRANT ALL ON SCHEMA far TO PUBLIC;"
                        + "CREATE TABLE placed AS SELECT 'near' AS c; GRANT ALL ON placed TO PUBLIC;");
        try (WireClient near = proxy.login();
                WireClient far = proxy.login()) {
            far.simple("SET search_path TO far").ok();
            for (int i = 0; i < 3; i++) {
                for (WireClient client : List.of(near, far)) {
                    // Within a block a refusal of the server would stand.
                    client.simple("BEGIN").ok();
                    client.parse("s" + i, "SELECT * FROM placed WHERE $1 > 0", INT4)
                            .sync()
                            .expect("1", "Z T");
                    client.bind("", "s" + i, 1)
                            .execute("")
                            .sync()
                            .expect("2", client == near ? "D near" : "D 1|far", "C SELECT 1", "Z T");
                    client.simple("COMMIT").ok();
                }
            }
        }
    }

    @Test
    void theSameTextWithOtherTypesIsAnotherStatement() {
        try (WireClient client = proxy.login();
                WireClient other = proxy.login()) {
            client.parse("a", "SELECT $1", INT4).sync().expect("1", "Z I");
            other.parse("a", "SELECT $1", TEXT).sync().expect("1", "Z I");
            client.describeStatement("a").sync().expect("t 23", "T ?column?:23", "Z I");
            other.describeStatement("a").sync().expect("t 25", "T ?column?:25", "Z I");
            client.bind("", "a", "x").execute("").sync().expect("E 22P02", "Z I");
            assertBinds(other, "a", "x", "x");
        }
    }

    @Test
    void aServerKeepsNoMoreThanTheLimit() {
        try (WireClient client = proxy.login();
                WireClient other = proxy.login()) {
            for (int i = 0; i < 10; i++) {
                client.parse("s" + i, "SELECT " + i + " + $1::int").sync().expect("1", "Z I");
            }
            for (int round = 0; round < 2; round++) {
                for (int i = 0; i < 10; i++) {
                    assertBinds(client, "s" + i, 100, String.valueOf(100 + i));
                    assertThat(prepared(other)).isLessThanOrEqualTo(3);
                }
            }
            // All in one batch: what is bound must not be closed under way.
            for (int i = 0; i < 10; i++) {
                client.bind("p" + i, "s" + i, 1000);
            }
            for (int i = 0; i < 10; i++) {
                client.execute("p" + i);
            }
            client.sync();
            List<String> rows = client.answer().ok().sortedRows();
            assertThat(rows)
                    .containsExactly("1000", "1001", "1002", "1003", "1004", "1005", "1006", "1007", "1008", "1009");
        }
    }

    private static int prepared(WireClient other) {
        return Integer.parseInt(String.valueOf(
                other.simple("SELECT count(*) FROM pg_prepared_statements").ok().value()));
    }

    @Test
    void aFailedBatchLeavesNoStatementHalfKnown() {
        try (WireClient client = proxy.login()) {
            for (int i = 0; i < 3; i++) {
                client.parse("s" + i, "SELECT " + i + " + $1::int").sync().expect("1", "Z I");
            }
            // The statement that makes room is never closed, because the batch has failed before.
            client.parse("", "SELECT 1/0")
                    .bind("", "")
                    .execute("")
                    .parse("x", "SELECT 'x', $1::int")
                    .sync();
            assertThat(client.answer().sqlState()).isEqualTo("22012");
            for (int i = 0; i < 3; i++) {
                assertBinds(client, "s" + i, 10, String.valueOf(10 + i));
            }
            client.bind("", "x", 1).sync().expect("E 26000", "Z I");
            client.parse("x", "SELECT 'x', $1::int").sync().expect("1", "Z I");
            assertBinds(client, "x", 1, "x|1");
        }
    }

    @Test
    void aKnownStatementIsAnsweredWithoutAServer() {
        try (WireClient client = proxy.login();
                WireClient holder = proxy.login()) {
            client.parse("a", "SELECT 1 AS known").sync().expect("1", "Z I");
            holder.query("BEGIN").expect("C BEGIN", "Z T");
            client.parse("b", "SELECT 1 AS known").sync().expect("1", "Z I");
            client.parse("b", "SELECT 1 AS known").sync().expect("E 42P05", "Z I");
            client.closeStatement("b").closeStatement("a").flush().sync().expect("3", "3", "Z I");
            holder.query("COMMIT").expect("C COMMIT", "Z I");
        }
    }

    @Test
    void whatTheServerForgetsIsPreparedAgain() {
        try (WireClient client = proxy.login();
                WireClient other = proxy.login()) {
            client.parse("s", "SELECT 's', $1::int").sync().expect("1", "Z I");
            for (String forget : new String[] {"DEALLOCATE ALL", "DISCARD ALL"}) {
                other.simple(forget).ok();
                assertBinds(client, "s", 1, "s|1");
            }
            client.simple("DEALLOCATE ALL").ok();
            client.bind("", "s", 1).sync().expect("E 26000", "Z I");
            client.parse("s", "SELECT 'again', $1::int").sync().expect("1", "Z I");
            assertBinds(client, "s", 1, "again|1");
        }
    }

    @Test
    void aChangedTableIsAnErrorOnceAndNotForEver() {
        shards.execute(0, "CREATE TABLE d (a int); INSERT INTO d VALUES (7); GRANT ALL ON d TO PUBLIC");
        try (WireClient client = proxy.login()) {
            client.parse("s", "SELECT * FROM d WHERE $1::int = 1").sync().expect("1", "Z I");
            assertBinds(client, "s", 1, "7");
            shards.execute(0, "ALTER TABLE d ADD COLUMN b text DEFAULT 'x'");
            String state = client.bind("", "s", 1).execute("").sync().answer().sqlState();
            assertThat(state).isIn(null, "0A000");
            TestProxy.await("the statement is prepared anew", () -> {
                Answer answer = client.bind("", "s", 1).execute("").sync().answer();
                return answer.sqlState() == null && answer.sortedRows().contains("7|x");
            });
        } finally {
            shards.execute(0, "DROP TABLE d");
        }
    }

    /** Many clients, two connections, random steps: each answer must carry what its own client sent. */
    @Test
    void everyAnswerBelongsToItsRequest() throws Exception {
        int clients = 12;
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        try (TestProxy busy = TestProxy.over(shards)
                .user("pool_size", 2)
                .general("prepared_statements_limit", 5)
                .start()) {
            List<Future<?>> running = new ArrayList<>();
            for (int id = 0; id < clients; id++) {
                long seed = 4711L * (id + 1);
                int number = id;
                running.add(threads.submit(() -> randomly(busy, number, new Random(seed))));
            }
            for (Future<?> each : running) {
                each.get(60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void randomly(TestProxy busy, int id, Random random) {
        WireClient client = busy.login();
        for (int step = 0; step < 60; step++) {
            int value = id * 1000 + step;
            switch (random.nextInt(6)) {
                case 0 -> client.query("SELECT " + value).expect("T", "D " + value, "C SELECT 1", "Z I");
                case 1 -> {
                    String name = "n" + random.nextInt(8);
                    client.closeStatement(name)
                            .parse(name, "SELECT " + id + ", $1::int")
                            .bind("", name, value);
                    client.execute("").sync().expect("3", "1", "2", "D " + id + "|" + value, "C SELECT 1", "Z I");
                }
                case 2 -> {
                    client.parse("", "SELECT '" + id + "', $1::int, $2::text")
                            .sync()
                            .expect("1", "Z I");
                    client.bind("", "", value, "t" + value).execute("").sync();
                    client.expect("2", "D " + id + "|" + value + "|t" + value, "C SELECT 1", "Z I");
                }
                case 3 -> {
                    client.parse("", "SELECT $1::int / 0")
                            .bind("", "", value)
                            .execute("")
                            .sync();
                    client.expect("1", "E 22012", "Z I");
                }
                case 4 -> {
                    client.parse("", "SELECT generate_series(" + value + ", " + (value + 2) + ")")
                            .bind("", "");
                    client.execute("", 2).sync();
                    client.expect("1", "2", "D " + value, "D " + (value + 1), "s", "Z I");
                }
                default -> {
                    // It vanishes in the middle of a pipeline, and somebody else comes.
                    client.query("SELECT " + value)
                            .parse("", "SELECT 'lost'")
                            .bind("", "")
                            .execute("")
                            .push();
                    client.reset();
                    client = busy.login();
                }
            }
        }
        client.close();
    }
}
