package dev.trunkline.proxy.oneshard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.Answer;
import dev.trunkline.harness.wire.Frontend;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Uses of prepared statements and portals that have broken poolers before, each under the name of its case;
 * {@code docs/cases.md} lists them.
 */
@Shards(1)
@WithProxy
class PreparedCasesIT {

    private static final int INT4 = 23;
    private static final int TEXT = 25;

    private final PgShards shards;
    private final TestProxy proxy;

    PreparedCasesIT(PgShards shards, TestProxy proxy) {
        this.shards = shards;
        this.proxy = proxy;
    }

    @BeforeEach
    void table() {
        shards.execute(
                0,
                "DROP TABLE IF EXISTS p; CREATE TABLE p (a int, b text, c int);"
                        + " INSERT INTO p SELECT n, 'b' || n, n FROM generate_series(1, 1000) n;"
                        + " GRANT ALL ON p TO PUBLIC");
    }

    private void endServerConnections() {
        shards.execute(
                0, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '" + PgShards.APP + "'");
    }

    @Test
    @DisplayName("ps-backend-name-collision")
    void aServerNameIsNeverTakenTwice() {
        try (WireClient client = proxy.login();
                WireClient other = proxy.login()) {
            for (int round = 0; round < 3; round++) {
                client.query("BEGIN").expect("C BEGIN", "Z T");
                // Parse succeeds, Bind does not: is the statement there or not?
                client.closeStatement("s").parse("s", "SELECT $1::int + " + round);
                client.bind("", "s", "no number").execute("").sync().expect("3", "1", "E 22P02", "Z E");
                client.query("ROLLBACK").expect("C ROLLBACK", "Z I");
                client.bind("", "s", 1).execute("").sync();
                client.expect("2", "D " + (1 + round), "C SELECT 1", "Z I");
                endServerConnections();
                TestProxy.await("a new connection serves", () -> works(other));
                client.bind("", "s", 2).execute("").sync();
                client.expect("2", "D " + (2 + round), "C SELECT 1", "Z I");
            }
        }
    }

    private static boolean works(WireClient client) {
        return client.simple("SELECT 1").sqlState() == null;
    }

    @Test
    @DisplayName("ps-cached-plan-result-type")
    void aChangedTableDoesNotPoisonAStatement() {
        String sql = "SELECT * FROM p WHERE a = $1::int";
        try (TestProxy three = TestProxy.over(shards).user("pool_size", 3).start();
                WireClient old = three.login()) {
            List<WireClient> clients = List.of(three.login(), three.login(), three.login());
            // On every connection of the pool.
            clients.forEach(client -> client.query("BEGIN").expect("C BEGIN", "Z T"));
            clients.forEach(client -> executeNamed(client, sql).ok());
            clients.forEach(client -> client.query("COMMIT").expect("C COMMIT", "Z I"));
            executeNamed(old, sql).ok();
            shards.execute(0, "ALTER TABLE p ADD COLUMN d text DEFAULT 'new'");
            for (int i = 0; i < 6; i++) {
                try (WireClient fresh = three.login()) {
                    assertThat(executeNamed(fresh, sql).ok().sortedRows()).containsExactly("1|b1|1|new");
                }
            }
            for (int i = 0; i < 6; i++) {
                old.bind("", "s", 1).describe("").execute("").sync();
                old.expect("2", "T a:23|b:25|c:23|d:25", "D 1|b1|1|new", "C SELECT 1", "Z I");
            }
            // Inside of a block the error stands, as directly; the block over, the statement works.
            shards.execute(0, "ALTER TABLE p ADD COLUMN e int DEFAULT 5");
            old.query("BEGIN").expect("C BEGIN", "Z T");
            old.bind("", "s", 1).execute("").sync().expect("E 0A000", "Z E");
            old.query("ROLLBACK").expect("C ROLLBACK", "Z I");
            // Whoever was told of four columns and does not ask again must not get five: the error stands, as directly.
            for (int i = 0; i < 3; i++) {
                old.bind("", "s", 1).execute("").sync();
                assertThat(old.answer().sqlState()).isEqualTo("0A000");
            }
            old.bind("", "s", 1).describe("").execute("").sync();
            old.expect("2", "T a:23|b:25|c:23|d:25|e:23", "D 1|b1|1|new|5", "C SELECT 1", "Z I");
            old.bind("", "s", 1).execute("").sync().expect("2", "D 1|b1|1|new|5", "C SELECT 1", "Z I");
            clients.forEach(WireClient::close);
        }
    }

    @Test
    @DisplayName("ps-cached-plan-result-type: whatever the batch holds")
    void aBatchWithAStaleStatementIsSentOnceMore() {
        try (WireClient client = proxy.login()) {
            client.parse("s", "SELECT * FROM p WHERE a = $1").sync().expect("1", "Z I");
            client.bind("", "s", 1).execute("").sync().expect("2", "D 1|b1|1", "C SELECT 1", "Z I");
            shards.execute(0, "ALTER TABLE p ADD COLUMN d int");
            // With a Flush before its Sync.
            client.bind("", "s", 1).execute("").flush().expect("2", "D 1|b1|1|\\N", "C SELECT 1");
            client.parse("t", "SELECT 't'").bind("", "t").execute("").sync();
            client.expect("1", "2", "D t", "C SELECT 1", "Z I");
            shards.execute(0, "ALTER TABLE p ADD COLUMN e int");
            // Several statements, and names that come and go within the batch.
            client.bind("", "s", 2).execute("");
            client.closeStatement("t")
                    .parse("t", "SELECT 't2'")
                    .bind("", "t")
                    .execute("")
                    .sync();
            client.expect("2", "D 2|b2|2|\\N|\\N", "C SELECT 1", "3", "1", "2", "D t2", "C SELECT 1", "Z I");
            client.bind("", "t").execute("").sync().expect("2", "D t2", "C SELECT 1", "Z I");
            shards.execute(0, "ALTER TABLE p DROP COLUMN e");
            // Another batch behind it must not be overtaken: the error stands, once.
            client.bind("", "s", 3).execute("").sync().query("SELECT 'behind'");
            client.expect("E 0A000", "Z I", "T", "D behind", "C SELECT 1", "Z I");
            client.bind("", "s", 3).execute("").sync().expect("2", "D 3|b3|3|\\N", "C SELECT 1", "Z I");
            // What has run already is not run twice.
            client.parse("i", "INSERT INTO p VALUES (5000, 'once', 1)").sync().expect("1", "Z I");
            shards.execute(0, "ALTER TABLE p ADD COLUMN f int");
            client.bind("", "i").execute("").bind("", "s", 4).execute("").sync();
            client.expect("2", "C INSERT 0 1", "E 0A000", "Z I");
            assertThat(shards.queryOne(0, "SELECT count(*) FROM p WHERE a = 5000"))
                    .isEqualTo("0");
            // The table has gone: one error, and the name lives on.
            client.bind("", "s", 4).execute("").sync().expect("2", "D 4|b4|4|\\N|\\N", "C SELECT 1", "Z I");
            shards.execute(0, "ALTER TABLE p RENAME TO q");
            client.bind("", "s", 4).execute("").sync().expect("E 42P01", "Z I");
            shards.execute(0, "ALTER TABLE q RENAME TO p");
            client.bind("", "s", 4).execute("").sync().expect("2", "D 4|b4|4|\\N|\\N", "C SELECT 1", "Z I");
        }
    }

    private static Answer executeNamed(WireClient client, String sql) {
        return client.closeStatement("s")
                .parse("s", sql)
                .bind("", "s", 1)
                .execute("")
                .sync()
                .answer();
    }

    @Test
    @DisplayName("ps-cached-plan-result-type: prepared elsewhere after the change")
    void rowsKeepTheShapeThatTheClientWasTold() {
        String sql = "SELECT * FROM r WHERE a = $1::int";
        shards.execute(0, "CREATE TABLE r (a int, b text); GRANT ALL ON r TO PUBLIC; INSERT INTO r VALUES (1, 'b')");
        for (String name : new String[] {"s", ""}) {
            try (TestProxy two = TestProxy.over(shards).user("pool_size", 2).start();
                    WireClient client = two.login();
                    WireClient other = two.login()) {
                client.parse(name, sql).describeStatement(name).sync();
                client.expect("1", "t 23", "T a:23|b:25", "Z I");
                // Elsewhere it is prepared with the same columns.
                movedTo(other, () -> {
                    // What is asked there first is skipped with the rest of a batch that fails.
                    client.bind("", name, "no number").execute("").sync().expect("E 22P02", "Z I");
                    client.bind("", name, 1).execute("").sync().expect("2", "D 1|b", "C SELECT 1", "Z I");
                    client.bind("", name, 1).execute("").sync().expect("2", "D 1|b", "C SELECT 1", "Z I");
                });
                shards.execute(0, "ALTER TABLE r ADD COLUMN c int DEFAULT 7");
                endServerConnections();
                TestProxy.await("a new connection serves", () -> works(other));
                for (int i = 0; i < 2; i++) {
                    client.bind("", name, 1).execute("").sync();
                    Answer refused = client.answer();
                    assertThat(refused.sqlState()).isEqualTo("0A000");
                    assertThat(refused.field('R'))
                            .as("by which drivers know it")
                            .isEqualTo("RevalidateCachedQuery");
                    assertThat(refused.rows()).isEmpty();
                }
                if (!name.isEmpty()) {
                    // What runs before it is undone, as by any error, and a block has failed.
                    client.parse("i", "INSERT INTO r VALUES (2, 'x')")
                            .bind("i", "i")
                            .execute("i");
                    client.bind("", name, 1).execute("").sync();
                    client.expect("1", "2", "C INSERT 0 1", "2", "E 0A000", "Z I");
                    assertThat(shards.queryOne(0, "SELECT count(*) FROM r")).isEqualTo("1");
                    client.query("BEGIN").expect("C BEGIN", "Z T");
                    client.bind("", name, 1).execute("").sync().expect("2", "E 0A000", "Z E");
                    client.query("ROLLBACK").expect("C ROLLBACK", "Z I");
                }
                // Whoever parses it anew, or asks, gets it.
                client.closeStatement(name)
                        .parse(name, sql)
                        .bind("", name, 1)
                        .execute("")
                        .sync();
                client.expect("3", "1", "2", "D 1|b|7", "C SELECT 1", "Z I");
                shards.execute(0, "ALTER TABLE r DROP COLUMN c");
            }
        }
    }

    private static void movedTo(WireClient other, Runnable use) {
        other.query("BEGIN").expect("C BEGIN", "Z T");
        use.run();
        other.query("COMMIT").expect("C COMMIT", "Z I");
    }

    @Test
    @DisplayName("ps-deallocate-all-desync")
    void whatOneClientDeallocatesAnotherKeeps() {
        for (String forget : new String[] {"DEALLOCATE ALL", "DISCARD ALL"}) {
            try (WireClient a = proxy.login();
                    WireClient b = proxy.login()) {
                a.parse("s", "SELECT 7, $1::int").sync().expect("1", "Z I");
                b.parse("s", "SELECT 7, $1::int").sync().expect("1", "Z I");
                a.query(forget).expect("C " + forget, "Z I");
                b.bind("", "s", 1).execute("").sync().expect("2", "D 7|1", "C SELECT 1", "Z I");
                a.bind("", "s", 1).execute("").sync().expect("E 26000", "Z I");
                a.parse("s", "SELECT 8, $1::int").bind("", "s", 2).execute("").sync();
                a.expect("1", "2", "D 8|2", "C SELECT 1", "Z I");
            }
        }
    }

    @Test
    @DisplayName("ps-failed-parse-must-not-register")
    void aFailedParseTakesNoName() {
        try (WireClient client = proxy.login()) {
            client.parse("s1", "SELEC 1").sync().expect("E 42601", "Z I");
            client.parse("s1", "SELECT 1").bind("", "s1").execute("").sync();
            client.expect("1", "2", "D 1", "C SELECT 1", "Z I");
            client.parse("s1", "SELECT 2").sync().expect("E 42P05", "Z I");
        }
    }

    @Test
    @DisplayName("ps-portal-row-limit")
    void aPortalIsFetchedInParts() {
        try (WireClient client = proxy.login();
                WireClient competitor = proxy.login()) {
            client.query("BEGIN").expect("C BEGIN", "Z T");
            competitor.query("SELECT 'later'").push();
            client.parse("", "SELECT a FROM p ORDER BY a")
                    .bind("fetch", "")
                    .flush()
                    .expect("1", "2");
            int next = 1;
            for (int part = 0; part < 10; part++) {
                client.execute("fetch", 100).flush();
                for (int i = 0; i < 100; i++) {
                    client.expect("D " + next++);
                }
                client.expect("s");
            }
            client.execute("fetch", 100).flush().expect("C SELECT 0");
            client.closePortal("fetch").sync().expect("3", "Z T");
            client.query("COMMIT").expect("C COMMIT", "Z I");
            competitor.expect("T", "D later", "C SELECT 1", "Z I");
        }
    }

    @Test
    @DisplayName("ps-result-format-mismatch")
    void resultFormatsBelongToTheirOwnStatement() {
        String three = "SELECT 1, 2::int8, 'x'::text";
        String one = "SELECT 1.5::float8";
        try (WireClient client = proxy.login();
                WireClient other = proxy.login()) {
            for (WireClient each : List.of(client, other)) {
                each.parse("a", three).parse("b", one).sync().expect("1", "1", "Z I");
            }
            for (int i = 0; i < 20; i++) {
                for (WireClient each : List.of(client, other)) {
                    each.send(Frontend.bind("", "a", new Object[0], 1, 1, 0)).execute("");
                    each.send(Frontend.bind("", "b", new Object[0], 1)).execute("");
                    each.parse("", three).send(Frontend.bind("", "", new Object[0], 1, 1, 1));
                    each.execute("").sync();
                    Answer answer = each.answer().ok();
                    assertThat(answer.rows().get(0).get(0)).isEqualTo("\\x00000001");
                    assertThat(answer.rows().get(0).get(2)).isEqualTo("x");
                    assertThat(answer.rows().get(1)).hasSize(1);
                    assertThat(answer.rows().get(2).get(1)).isEqualTo("\\x0000000000000002");
                }
            }
        }
    }

    @Test
    @DisplayName("ps-same-sql-other-param-types")
    void theSameTextWithOtherTypesIsAnotherStatement() {
        try (WireClient a = proxy.login();
                WireClient b = proxy.login()) {
            a.parse("s", "SELECT $1", INT4).sync().expect("1", "Z I");
            b.parse("s", "SELECT $1", TEXT).sync().expect("1", "Z I");
            a.bind("", "s", new byte[] {0, 0, 0, 9}).describe("").execute("").sync();
            a.expect("2", "T ?column?:23", "D 9", "C SELECT 1", "Z I");
            b.bind("", "s", "nine").describe("").execute("").sync();
            b.expect("2", "T ?column?:25", "D nine", "C SELECT 1", "Z I");
        }
    }

    @Test
    @DisplayName("ps-unnamed-bind-after-backend-switch")
    void theUnnamedStatementIsTheClientsOwn() {
        try (WireClient a = proxy.login();
                WireClient b = proxy.login()) {
            a.parse("", "SELECT 1").sync().expect("1", "Z I");
            b.parse("", "SELECT 2").bind("", "").execute("").sync();
            b.expect("1", "2", "D 2", "C SELECT 1", "Z I");
            a.bind("", "").execute("").sync().expect("2", "D 1", "C SELECT 1", "Z I");
        }
    }

    /** Many clients over two connections, with vanishing clients and cancels: each answer carries its own request. */
    @Test
    @DisplayName("ps-wrong-rows-under-saturation")
    void noAnswerIsSomebodyElses() throws Exception {
        int clients = 40;
        boolean full = "full".equals(System.getProperty("scale"));
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(full ? 300 : 5);
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        try (TestProxy busy = TestProxy.over(shards).user("pool_size", 2).start()) {
            List<Future<?>> running = new ArrayList<>();
            for (int id = 0; id < clients; id++) {
                int number = id;
                running.add(threads.submit(() -> askAndCompare(busy, number, until)));
            }
            for (Future<?> each : running) {
                each.get(full ? 400 : 60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void askAndCompare(TestProxy busy, int id, long until) {
        Random random = new Random(59L * id);
        WireClient client = busy.login();
        for (int step = 0; System.nanoTime() < until; step++) {
            int n = id * 1_000_000 + step;
            client.parse("", "SELECT " + n + "::int, $1").bind("", "", "p" + n);
            client.execute("").sync();
            switch (random.nextInt(20)) {
                case 0 -> {
                    client.push();
                    client.reset();
                    client = busy.login();
                    continue;
                }
                case 1 -> {
                    client.push();
                    client.cancel();
                }
                default -> {}
            }
            Answer answer = client.answer();
            if (answer.sqlState() == null) {
                assertThat(answer.sortedRows()).containsExactly(n + "|p" + n);
            } else {
                assertThat(answer.sqlState()).isEqualTo("57014");
            }
        }
        client.close();
    }

    @Test
    @DisplayName("ps-close-and-reparse-same-batch")
    void answersKeepTheirOrderWhateverAnswersThem() {
        try (WireClient client = proxy.login()) {
            client.parse("s", "SELECT 'old'").sync().expect("1", "Z I");
            for (int i = 0; i < 3; i++) {
                client.closeStatement("s").parse("s", "SELECT 'new'").bind("", "s");
                client.execute("").closeStatement("s").sync();
                client.expect("3", "1", "2", "D new", "C SELECT 1", "3", "Z I");
            }
        }
    }

    @Test
    @DisplayName("ps-close-portal-vs-statement-namespace")
    void aPortalAndAStatementMayShareAName() {
        try (WireClient client = proxy.login()) {
            client.parse("x", "SELECT 1").bind("x", "x").execute("x").closePortal("x");
            client.bind("", "x").execute("").sync();
            client.expect("1", "2", "D 1", "C SELECT 1", "3", "2", "D 1", "C SELECT 1", "Z I");
        }
    }

    @Test
    @DisplayName("ps-close-unknown-name")
    void aCloseOfNothingIsNoError() {
        try (WireClient client = proxy.login()) {
            client.closeStatement("nope").closePortal("nope").sync().expect("3", "3", "Z I");
            client.query("BEGIN").expect("C BEGIN", "Z T");
            client.closeStatement("nope").closePortal("nope").sync().expect("3", "3", "Z T");
            client.query("COMMIT").expect("C COMMIT", "Z I");
        }
    }

    @Test
    @DisplayName("ps-null-bind-value")
    void aNullLeavesItsNeighboursAlone() {
        shards.execute(0, "TRUNCATE p");
        try (WireClient client = proxy.login()) {
            client.parse("ins", "INSERT INTO p VALUES ($1, $2, $3)").sync().expect("1", "Z I");
            client.bind("", "ins", 1, null, 3).execute("").sync();
            client.expect("2", "C INSERT 0 1", "Z I");
            client.bind("", "ins", new byte[] {0, 0, 0, 4}, null, new byte[] {0, 0, 0, 6})
                    .execute("")
                    .sync();
            client.expect("2", "C INSERT 0 1", "Z I");
            assertThat(shards.query(0, "SELECT a || '|' || coalesce(b, 'NULL') || '|' || c FROM p ORDER BY a"))
                    .containsExactly(List.of("1|NULL|3"), List.of("4|NULL|6"));
        }
    }

    @Test
    @DisplayName("ps-portal-kept-until-close")
    void aPortalGoesOnAfterAFlush() {
        try (WireClient client = proxy.login();
                WireClient direct = WireClient.login("127.0.0.1", shards.port(0), PgShards.APP, shards.database())) {
            List<List<String>> said = new ArrayList<>();
            for (WireClient each : List.of(direct, client)) {
                each.parse("", "SELECT a FROM p ORDER BY a").bind("p", "").describe("p");
                each.execute("p", 5).flush();
                each.expect("1", "2", "T a:23", "D 1", "D 2", "D 3", "D 4", "D 5", "s");
                each.parse("", "SELECT 'between'").bind("q", "").execute("q").flush();
                each.expect("1", "2", "D between", "C SELECT 1");
                each.execute("p", 5).sync();
                said.add(each.answer().frames().stream().map(Object::toString).toList());
                // A Query in between ends the transaction, and the portal with it.
                each.parse("", "SELECT a FROM p ORDER BY a").bind("p", "");
                each.execute("p", 5).query("SELECT 1").execute("p", 5).sync();
                said.add(each.answer().frames().stream().map(Object::toString).toList());
                said.add(each.answer().frames().stream().map(Object::toString).toList());
            }
            assertThat(said.subList(3, 6)).isEqualTo(said.subList(0, 3));
        }
    }

    @Test
    @DisplayName("ps-sql-prepare-execute")
    void statementsPreparedInSqlAreFoundAgain() {
        try (TestProxy five = TestProxy.over(shards).user("pool_size", 5).start();
                WireClient client = five.login();
                WireClient load = five.login()) {
            client.simple("PREPARE p(int) AS SELECT b FROM p WHERE a = $1").ok();
            for (int i = 1; i <= 20; i++) {
                load.simple("SELECT " + i).ok();
                assertThat(client.simple("EXECUTE p(" + i + ")").ok().value()).isEqualTo("b" + i);
            }
            client.simple("DEALLOCATE p").ok();
        }
    }

    /** One space of names, whether a statement is prepared in SQL or by the protocol. */
    @ParameterizedTest(name = "ps-sql-prepare-execute: names, {0} mode")
    @ValueSource(strings = {"transaction", "session"})
    @Tag("ps-sql-prepare-execute")
    void statementsPreparedInSqlShareTheNamesOfTheProtocol(String mode) {
        try (TestProxy pooled = TestProxy.over(shards).user("pooler_mode", mode).start();
                WireClient client = pooled.login();
                WireClient direct = WireClient.login("127.0.0.1", shards.port(0), PgShards.APP, shards.database())) {
            List<List<String>> said = new ArrayList<>();
            for (WireClient each : List.of(direct, client)) {
                List<String> answers = new ArrayList<>();
                each.parse("s", "SELECT 'protocol', $1::int").sync();
                answers.addAll(brief(each.answer()));
                answers.addAll(brief(each.simple("EXECUTE s(1)")));
                answers.addAll(brief(each.simple("PREPARE s AS SELECT 1")));
                answers.addAll(brief(each.simple("PREPARE t(int) AS SELECT 'sql', $1")));
                each.parse("t", "SELECT 1").sync();
                answers.addAll(brief(each.answer()));
                each.bind("", "t", 5).execute("").sync();
                answers.addAll(brief(each.answer()));
                answers.addAll(brief(each.simple("DEALLOCATE s")));
                answers.addAll(brief(each.simple("DEALLOCATE s")));
                each.bind("", "s", 1).execute("").sync();
                answers.addAll(brief(each.answer()));
                each.closeStatement("t").sync();
                answers.addAll(brief(each.answer()));
                answers.addAll(brief(each.simple("EXECUTE t(1)")));
                answers.addAll(brief(each.simple("PREPARE t(int) AS SELECT 'sql', $1")));
                answers.addAll(brief(each.simple("DEALLOCATE PREPARE t")));
                answers.addAll(brief(each.simple("EXECUTE t(1)")));
                each.parse("u", "SELECT 7").sync();
                answers.addAll(brief(each.answer()));
                answers.addAll(brief(each.simple("/* u */ EXECUTE u")));
                answers.addAll(brief(each.simple("DEALLOCATE PREPARE ALL")));
                answers.addAll(brief(each.simple("EXECUTE t(1)")));
                said.add(answers);
            }
            assertThat(said.get(1)).isEqualTo(said.get(0));
        }
    }

    private static List<String> brief(Answer answer) {
        return answer.frames().stream()
                .map(Object::toString)
                .map(text -> text.startsWith("E ") ? text.substring(0, 7) : text)
                .toList();
    }

    @Test
    @DisplayName("ps-cache-limit-zero-and-reset")
    void aLimitOfStatementsForgetsNoName() {
        for (int limit : new int[] {1, 2}) {
            try (TestProxy small = TestProxy.over(shards)
                            .general("prepared_statements_limit", limit)
                            .start();
                    WireClient client = small.login()) {
                for (int i = 0; i < 5; i++) {
                    client.parse("old" + i, "SELECT 'old', " + i).sync().expect("1", "Z I");
                }
                for (int i = 0; i < 5; i++) {
                    client.parse("new" + i, "SELECT 'new', " + i).sync().expect("1", "Z I");
                }
                for (int i = 0; i < 5; i++) {
                    client.bind("", "old" + i).execute("").bind("", "new" + i).execute("");
                    client.sync();
                    client.expect("2", "D old|" + i, "C SELECT 1", "2", "D new|" + i, "C SELECT 1", "Z I");
                }
            }
        }
    }
}
