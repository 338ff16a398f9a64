package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.harness.pg.Ports;
import dev.trunkline.harness.wire.Answer;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.Metrics;
import dev.trunkline.proxy.scenario.Tenants.Family;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An omnisharded table is one table that every shard holds: one answer per write, the same rows everywhere. */
class OmnishardedIT extends Scenario {

    /** Waits at COMMIT while somebody holds the advisory lock of the row's number. */
    private static final String GATED = """
            CREATE TABLE gated (id int PRIMARY KEY, note text);
            CREATE FUNCTION wait_at_the_gate() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_advisory_xact_lock(NEW.id); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER gate AFTER INSERT ON gated DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION wait_at_the_gate();
            CREATE TABLE flags (code text PRIMARY KEY, shard int);
            CREATE TABLE with_defaults (code text PRIMARY KEY, at timestamptz DEFAULT now(), n bigserial,
                token uuid DEFAULT gen_random_uuid(), fixed int DEFAULT 7);
            CREATE TABLE refused (id int);
            CREATE FUNCTION refuse_at_the_end() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'refused at commit' USING ERRCODE = '23514'; END $$;
            """;

    /** Numbers of rows that no test uses twice. */
    private final AtomicInteger numbers = new AtomicInteger(1000);

    private final int port = Ports.free();

    @Override
    Map<String, Object> settings(LookupMiss miss) {
        Map<String, Object> settings = new HashMap<>(super.settings(miss));
        if (miss == LookupMiss.PROBE) {
            settings.put("openmetrics_port", port);
        }
        return settings;
    }

    @Override
    void prepare(Deployment deployment) {
        deployment.backdoor().execute(GATED);
        for (int shard = 0; shard < 3; shard++) {
            // A row of ten thousand and its shard's number is refused there at commit; one of twenty thousand at once.
            deployment.shards().execute(shard, """
                    CREATE CONSTRAINT TRIGGER last_word AFTER INSERT ON refused DEFERRABLE INITIALLY DEFERRED
                    FOR EACH ROW WHEN (NEW.id %% 10 = %d AND NEW.id < 20000) EXECUTE FUNCTION refuse_at_the_end();
                    ALTER TABLE refused ADD CONSTRAINT not_here CHECK (id < 20000 OR id %% 10 <> %1$d);
                    """.formatted(shard));
        }
        deployment.addOmnisharded("gated", "refused", "with_defaults");
        deployment.addSticky("flags");
        // Deadlocks are found at once, and not a second after they have come about.
        deployment
                .shards()
                .executeAll("ALTER ROLE app IN DATABASE " + deployment.shards().database()
                        + " SET deadlock_timeout = '20ms'");
    }

    // ---- one answer

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void aWriteHasOneCountAndIsOnEveryShard(Protocol protocol) {
        Client client = client(protocol);
        String code = "c" + numbers.incrementAndGet();
        String other = code + "x";
        assertThat(client.run("INSERT INTO countries (code, name) VALUES ($1, 'one'), ($2, 'two')", code, other)
                        .ok()
                        .tags())
                .containsExactly("INSERT 0 2");
        assertThat(client.run("UPDATE countries SET visits = visits + 1 WHERE code = $1", code)
                        .ok()
                        .tags())
                .containsExactly("UPDATE 1");
        assertThat(counts("countries", "code = '%s' AND visits = 1".formatted(code)))
                .containsOnly(1L);
        assertThat(client.run("DELETE FROM countries WHERE code IN ($1, $2)", code, other)
                        .ok()
                        .tags())
                .containsExactly("DELETE 2");
        assertThat(counts("countries", "code LIKE '" + code + "%'")).containsOnly(0L);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void returningComesFromOneShard(Protocol protocol) {
        Client client = client(protocol);
        String code = "r" + numbers.incrementAndGet();
        Answer answer = client.run(
                        "INSERT INTO countries (code, name) VALUES ($1, 'one'), ($2, 'two') RETURNING code, name",
                        code,
                        code + "x")
                .ok();
        assertThat(answer.sortedRows()).containsExactlyInAnyOrder(code + "|one", code + "x|two");
        assertThat(answer.tags()).containsExactly("INSERT 0 2");
        assertThat(answer.frames().stream().filter(frame -> frame.type() == 'T').count())
                .isEqualTo(protocol == Protocol.PREPARED ? 0 : 1);
        assertThat(client.run("DELETE FROM countries WHERE code LIKE $1 RETURNING code", code + "%")
                        .ok()
                        .rows())
                .hasSize(2);
    }

    /** Drivers limit the rows of a statement from which they expect none; more rows than the limit cannot be fetched. */
    @Test
    void aRowLimitCountsOnlyForRows() {
        WireClient wire = client(Protocol.EXTENDED).wire();
        String code = "l" + numbers.incrementAndGet();
        wire.parse("", "INSERT INTO countries (code) VALUES ($1), ($2)")
                .bind("", "", code + "a", code + "b")
                .describe("")
                .execute("", 1)
                .sync()
                .expect("1", "2", "n", "C INSERT 0 2", "Z I");
        wire.parse("", "UPDATE countries SET name = 'x' WHERE code = $1 RETURNING name")
                .bind("", "", code + "a")
                .describe("")
                .execute("", 1)
                .sync()
                .expect("1", "2", "T*", "D x", "C UPDATE 1", "Z I");
        wire.parse("", "UPDATE countries SET name = 'y' WHERE code IN ($1, $2) RETURNING name")
                .bind("", "", code + "a", code + "b")
                .describe("")
                .execute("", 1)
                .sync()
                .expect("1", "2", "T*", "D y", "E 0A000", "Z I");
        assertThat(counts("countries", "code LIKE '" + code + "%' AND name = 'y'"))
                .containsOnly(0L);
    }

    /** A read sees one copy, in whatever dress, and in a transaction its own writes. */
    @ParameterizedTest
    @EnumSource(Protocol.class)
    @DisplayName("om-read-one-shard")
    void aReadSeesOneCopy(Protocol protocol) {
        Client client = client(protocol);
        String code = "o" + numbers.incrementAndGet();
        client.run("INSERT INTO countries (code) VALUES ($1)", code).ok();
        for (int turn = 0; turn < 6; turn++) {
            assertThat(client.run("SELECT count(*) FROM countries WHERE code = $1", code)
                            .ok()
                            .value())
                    .isEqualTo("1");
            assertThat(client.run(
                                    "SELECT a.code FROM countries a JOIN countries b ON a.code = b.code WHERE a.code = $1",
                                    code)
                            .ok()
                            .rows())
                    .hasSize(1);
            assertThat(client.run("SELECT code FROM countries WHERE code = $1 UNION ALL SELECT 'x'", code)
                            .ok()
                            .rows())
                    .hasSize(2);
        }
        client.run("BEGIN").ok();
        client.run("UPDATE countries SET name = 'mine' WHERE code = $1", code).ok();
        assertThat(client.run("SELECT name FROM countries WHERE code = $1", code)
                        .ok()
                        .value())
                .isEqualTo("mine");
        client.run("COMMIT").ok();
    }

    @Test
    void readsTakeTurnsOverTheShards() {
        Client client = client(Protocol.SIMPLE);
        for (int shard = 0; shard < 3; shard++) {
            shards().execute(shard, "INSERT INTO countries (code, name) VALUES ('where', '" + shard + "')");
        }
        Set<String> seen = IntStream.range(0, 6)
                .mapToObj(turn -> client.run("SELECT name FROM countries WHERE code = 'where'")
                        .ok()
                        .value())
                .collect(Collectors.toSet());
        assertThat(seen).containsExactlyInAnyOrder("0", "1", "2");
    }

    /** A client that may not see the copies differ always reads the same one. */
    @ParameterizedTest
    @EnumSource(Protocol.class)
    @DisplayName("om-sticky-reads")
    void aStickyTableIsReadFromOneShard(Protocol protocol) {
        Client client = client(protocol);
        String code = "f" + numbers.incrementAndGet();
        for (int shard = 0; shard < 3; shard++) {
            shards().execute(shard, "INSERT INTO flags VALUES ('%s', %d)".formatted(code, shard));
        }
        Set<String> seen = IntStream.range(0, 10)
                .mapToObj(turn -> client.run("SELECT shard FROM flags WHERE code = $1", code)
                        .ok()
                        .value())
                .collect(Collectors.toSet());
        assertThat(seen).hasSize(1);
    }

    /** Within a transaction the reads stay on the shard that it has begun on. */
    @ParameterizedTest
    @EnumSource(Protocol.class)
    void aTransactionReadsOneCopy(Protocol protocol) {
        Client client = client(protocol);
        String code = "s" + numbers.incrementAndGet();
        for (int shard = 0; shard < 3; shard++) {
            shards().execute(shard, "INSERT INTO countries (code, name) VALUES ('%s', '%d')".formatted(code, shard));
        }
        client.run("BEGIN").ok();
        Set<String> seen = IntStream.range(0, 10)
                .mapToObj(turn -> client.run("SELECT name FROM countries WHERE code = $1", code)
                        .ok()
                        .value())
                .collect(Collectors.toSet());
        client.run("COMMIT").ok();
        assertThat(seen).hasSize(1);
    }

    // ---- all or nothing

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void aConstraintOfOneShardUndoesTheWriteOnAll(Protocol protocol) {
        Client client = client(protocol);
        for (int shard = 0; shard < 3; shard++) {
            Answer answer = client.run("INSERT INTO refused VALUES ($1)", 20000 + shard);
            assertThat(answer.sqlState()).isEqualTo("23514");
            assertThat(answer.message()).contains("not_here");
            assertThat(answer.frames().stream()
                            .filter(frame -> frame.type() == 'E')
                            .count())
                    .isEqualTo(1);
            assertThat(answer.status()).isEqualTo('I');
            assertThat(answer.tags()).isEmpty();
            assertThat(counts("refused", "true")).containsOnly(0L);
        }
        assertThat(client.run("SELECT count(*) FROM refused").ok().value()).isEqualTo("0");
    }

    /** Shard 0 commits last: if another refuses, nothing is committed; if shard 0 does, the others are. */
    @ParameterizedTest
    @EnumSource(Protocol.class)
    void aRefusalAtCommitUndoesTheWriteOnAllThatHaveNotCommitted(Protocol protocol) {
        Client client = client(protocol);
        Answer first = client.run("INSERT INTO refused VALUES ($1)", 10001);
        assertThat(first.sqlState()).isEqualTo("23514");
        assertThat(first.message()).isEqualTo("refused at commit");
        assertThat(first.tags()).isEmpty();
        assertThat(counts("refused", "true")).containsOnly(0L);

        Answer second = client.run("INSERT INTO refused VALUES ($1)", 10002);
        assertThat(second.sqlState()).isEqualTo("40003");
        assertThat(second.message()).isEqualTo("transaction partially committed");
        assertThat(detail(second))
                .contains("shards [1]")
                .contains("shards [2, 0]")
                .contains("refused at commit");
        assertThat(second.tags()).isEmpty();
        assertThat(second.status()).isEqualTo('I');
        assertThat(counts("refused", "true")).containsExactly(0L, 1L, 0L);

        Answer last = client.run("INSERT INTO refused VALUES ($1)", 10000);
        assertThat(last.sqlState()).isEqualTo("40003");
        assertThat(detail(last)).contains("shards [1, 2]").contains("shards [0]");
        assertThat(counts("refused", "id = 10000")).containsExactly(0L, 1L, 1L);
        backdoor().execute("DELETE FROM refused");
        assertThat(client.run("SELECT 1").ok().value()).isEqualTo("1");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void aBlockThatIsCommittedOnSomeShardsSaysWhichOnes(Protocol protocol) {
        Client client = client(protocol);
        Family family = tenants().family(1);
        client.run("BEGIN").ok();
        client.run("INSERT INTO orders VALUES ($1, 1, 'x')", family.child()).ok();
        client.run("INSERT INTO refused VALUES ($1)", 10002).ok();
        Answer commit = client.run("COMMIT");
        assertThat(commit.sqlState()).isEqualTo("40003");
        assertThat(commit.message()).isEqualTo("transaction partially committed");
        assertThat(detail(commit))
                .contains("shards [1]")
                .contains("shards [2, 0]")
                .contains("refused at commit");
        assertThat(commit.field('H')).isNotNull();
        assertThat(commit.tags()).isEmpty();
        assertThat(commit.status()).isEqualTo('I');
        assertThat(counts("refused", "true")).containsExactly(0L, 1L, 0L);
        assertThat(counts("orders", "tenant_id = '" + family.child() + "'")).isEqualTo(onlyOn(1, 1));
        backdoor().execute("DELETE FROM refused");
        client.run("INSERT INTO orders VALUES ($1, 2, 'x')", family.child()).ok();
    }

    /** The first shard to hold out is told to give up, then the others: nothing stays. */
    @ParameterizedTest
    @EnumSource(Protocol.class)
    void aCancelEndsAWriteOnAllShards(Protocol protocol) {
        for (int shard = 0; shard < 3; shard++) {
            Client client = client(protocol);
            String code = "x" + numbers.incrementAndGet();
            try (Hold hold = Hold.on(shards(), shard, "INSERT INTO countries (code) VALUES ('" + code + "')")) {
                client.send("INSERT INTO countries (code) VALUES ($1)", code).push();
                awaitLockWait(shard, "INSERT INTO countries");
                client.wire().cancel();
                Answer answer = client.answer();
                assertThat(answer.sqlState()).isEqualTo("57014");
                assertThat(answer.status()).isEqualTo('I');
                hold.release();
            }
            assertThat(counts("countries", "code = '" + code + "'")).containsOnly(0L);
            client.run("INSERT INTO countries (code) VALUES ($1)", code).ok();
        }
    }

    /** One shard may have committed: a cancel comes too late for the others. */
    @ParameterizedTest
    @EnumSource(Protocol.class)
    void aCancelDoesNotTearACommitApart(Protocol protocol) {
        for (int shard = 0; shard < 3; shard++) {
            Client client = client(protocol);
            int number = numbers.incrementAndGet();
            try (Hold gate = Hold.on(shards(), shard, "SELECT pg_advisory_xact_lock(" + number + ")")) {
                client.send("INSERT INTO gated VALUES ($1, 'x')", number).push();
                awaitLockWait(shard, "COMMIT");
                client.wire().cancel();
                gate.release();
            }
            assertThat(client.answer().ok().tags()).containsExactly("INSERT 0 1");
            assertThat(counts("gated", "id = " + number)).containsOnly(1L);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void aBlockWhoseCommitIsRefusedSaysSo(Protocol protocol) {
        Client client = client(protocol);
        Family family = tenants().family(2);
        client.run("BEGIN").ok();
        client.run("INSERT INTO orders VALUES ($1, 1, 'x')", family.child()).ok();
        client.run("INSERT INTO refused VALUES ($1)", 10001).ok();
        Answer commit = client.run("COMMIT");
        assertThat(commit.sqlState()).isEqualTo("23514");
        assertThat(commit.tags()).isEmpty();
        assertThat(commit.status()).isEqualTo('I');
        assertThat(counts("refused", "true")).containsOnly(0L);
        assertThat(counts("orders", "tenant_id = '" + family.child() + "'")).containsOnly(0L);
        client.run("INSERT INTO orders VALUES ($1, 1, 'x')", family.child()).ok();
    }

    // ---- order

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void shardZeroIsWrittenFirstAndAlone(Protocol protocol) {
        Client client = client(protocol);
        int number = numbers.incrementAndGet();
        try (Hold hold = Hold.on(shards(), 0, "INSERT INTO gated VALUES (" + number + ")")) {
            client.send("INSERT INTO gated VALUES ($1, 'x')", number).push();
            awaitLockWait(0, "INSERT INTO gated");
            for (int shard = 1; shard < 3; shard++) {
                assertThat(sessions(shard, "xact_start IS NOT NULL AND query LIKE '%INTO gated%'"))
                        .isZero();
            }
            hold.release();
        }
        assertThat(client.answer().ok().tags()).containsExactly("INSERT 0 1");
        assertThat(counts("gated", "id = " + number)).containsOnly(1L);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void shardZeroIsCommittedLast(Protocol protocol) {
        Client client = client(protocol);
        int first = numbers.incrementAndGet();
        try (Hold gate = Hold.on(shards(), 2, "SELECT pg_advisory_lock(" + first + ")")) {
            client.send("INSERT INTO gated VALUES ($1, 'x')", first).push();
            awaitLockWait(2, "COMMIT");
            assertThat(counts("gated", "id = " + first)).containsExactly(0L, 1L, 0L);
            gate.release();
        }
        assertThat(client.answer().ok().tags()).containsExactly("INSERT 0 1");

        int second = numbers.incrementAndGet();
        try (Hold gate = Hold.on(shards(), 0, "SELECT pg_advisory_lock(" + second + ")")) {
            client.send("INSERT INTO gated VALUES ($1, 'x')", second).push();
            awaitLockWait(0, "COMMIT");
            assertThat(counts("gated", "id = " + second)).containsExactly(0L, 1L, 1L);
            gate.release();
        }
        assertThat(client.answer().ok().tags()).containsExactly("INSERT 0 1");
    }

    /** Clients that write the same rows in any order are told of a deadlock, or wait. */
    @Test
    @DisplayName("om-write-order-deadlock")
    void writersInAnyOrderAreToldOfADeadlockOrWait() throws Exception {
        int writers = 8;
        List<String> codes = List.of("d1", "d2");
        Client client = client(Protocol.SIMPLE);
        codes.forEach(code ->
                client.run("INSERT INTO countries (code) VALUES ($1)", code).ok());
        Family family = tenants().family(1);
        AtomicInteger written = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(writers);
        try {
            List<Future<?>> all = IntStream.range(0, writers)
                    .<Future<?>>mapToObj(number -> threads.submit(() -> {
                        Client writer = client(Protocol.values()[number % 4]);
                        for (int round = 0; round < 10; round++) {
                            written.addAndGet(writeBoth(writer, number, codes, family, 10L * number + round));
                        }
                    }))
                    .toList();
            for (Future<?> each : all) {
                each.get(60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(written.get()).isPositive();
        String sum = "SELECT sum(visits) FROM countries WHERE code IN ('d1', 'd2')";
        assertThat(backdoor().longs(sum)).containsOnly(2L * written.get());
    }

    /** 1 if it was committed, 0 if a deadlock undid it. */
    private static int writeBoth(Client writer, int number, List<String> codes, Family family, long order) {
        writer.run("BEGIN").ok();
        List<String> ordered = number % 2 == 0 ? codes : List.of(codes.get(1), codes.get(0));
        for (String code : ordered) {
            Answer answer = writer.run("UPDATE countries SET visits = visits + 1 WHERE code = $1", code);
            if (answer.sqlState() != null) {
                assertThat(answer.sqlState()).isEqualTo("40P01");
                writer.run("ROLLBACK").ok();
                return 0;
            }
        }
        writer.run("SELECT id FROM orders WHERE tenant_id = $1 AND id = $2", family.child(), order)
                .ok();
        writer.run("COMMIT").ok();
        return 1;
    }

    // ---- what would differ from shard to shard

    /** A value that each shard would compute for itself, in each row that it finds, is refused; see ComputedOnceIT. */
    @ParameterizedTest
    @EnumSource(Protocol.class)
    @DisplayName("om-volatile-functions")
    void valuesThatEachShardWouldComputeAreRefused(Protocol protocol) {
        Client client = client(protocol);
        assertThat(client.run("UPDATE tenants SET last_seen = clock_timestamp() WHERE id = $1", "nobody")
                        .sqlState())
                .isEqualTo("0A000");
        for (String value : List.of("gen_random_uuid()::text", "random()::text", "md5(random()::text)")) {
            assertThat(client.run("UPDATE countries SET name = " + value + " WHERE code = $1", "v")
                            .sqlState())
                    .as(value)
                    .isEqualTo("0A000");
        }
        assertThat(client.run("SELECT 1").ok().value()).isEqualTo("1");
    }

    /** Nor may each shard choose rows of its own. */
    @ParameterizedTest
    @EnumSource(Protocol.class)
    void rowsThatEachShardWouldChooseAreRefused(Protocol protocol) {
        Client client = client(protocol);
        for (String sql : List.of(
                "UPDATE countries SET name = 'x' WHERE ctid = '(0,1)'",
                "DELETE FROM countries WHERE ctid IN (SELECT ctid FROM countries LIMIT 1)",
                "DELETE FROM countries WHERE code IN (SELECT code FROM countries LIMIT 1)",
                "UPDATE countries SET name = 'x' WHERE code = (SELECT code FROM countries ORDER BY name LIMIT 1)",
                "INSERT INTO countries (code, name) SELECT 'l' || code, name FROM countries LIMIT 1",
                "INSERT INTO countries (code, visits) SELECT 'l' || code, row_number() OVER () FROM countries")) {
            assertThat(client.run(sql).sqlState()).as(sql).isEqualTo("0A000");
        }
        assertThat(client.run("SELECT 1").ok().value()).isEqualTo("1");
    }

    /** Shards that have come to differ are reported by the first write that finds it out. */
    @ParameterizedTest
    @EnumSource(Protocol.class)
    void shardsThatDifferAreCounted(Protocol protocol) {
        Client client = client(protocol);
        String code = "unlike" + numbers.incrementAndGet();
        client.run("INSERT INTO countries (code) VALUES ($1)", code).ok();
        double before = Metrics.of(port).sum("omni_divergence");
        client.run("UPDATE countries SET visits = 1 WHERE code = $1", code).ok();
        assertThat(Metrics.of(port).sum("omni_divergence")).isEqualTo(before);
        shards().execute(1, "DELETE FROM countries WHERE code = '" + code + "'");
        assertThat(client.run("UPDATE countries SET visits = 2 WHERE code = $1", code)
                        .ok()
                        .tags())
                .containsExactly("UPDATE 1");
        assertThat(Metrics.of(port).sum("omni_divergence")).isEqualTo(before + 1);
    }

    /** The same for a column that is left to its default. */
    @ParameterizedTest
    @EnumSource(Protocol.class)
    void defaultsThatDifferFromShardToShardAreRefused(Protocol protocol) {
        Client client = client(protocol);
        String code = "d" + protocol;
        String given = "'2026-01-01', 1, '550e8400-e29b-41d4-a716-446655440000'";
        for (String sql : List.of(
                "INSERT INTO with_defaults (code) SELECT $1::text",
                "UPDATE with_defaults SET n = DEFAULT WHERE code = $1",
                "UPDATE with_defaults SET token = DEFAULT WHERE code = $1")) {
            assertThat(client.run(sql, code).sqlState()).as(sql).isEqualTo("0A000");
        }
        client.run("INSERT INTO with_defaults (code, at, n, token) VALUES ($1, " + given + ")", code)
                .ok();
        assertThat(counts("with_defaults", "code = '" + code + "' AND n = 1 AND fixed = 7"))
                .containsOnly(1L);
    }

    /** What each shard would compute from its own rows is refused. */
    @ParameterizedTest
    @EnumSource(Protocol.class)
    @DisplayName("om-mixed-sharded-join-write")
    void whatShardedRowsWouldDecideIsRefused(Protocol protocol) {
        Client client = client(protocol);
        for (String sql : List.of(
                "INSERT INTO countries (code, visits) SELECT tenant_id, count(*)::int FROM orders GROUP BY tenant_id",
                "UPDATE countries SET visits = o.id FROM orders o WHERE o.tenant_id = countries.code",
                "DELETE FROM countries WHERE code IN (SELECT tenant_id FROM orders)",
                "DELETE FROM countries USING orders WHERE orders.tenant_id = countries.code")) {
            assertThat(client.run(sql).sqlState()).as(sql).isEqualTo("0A000");
        }
        assertThat(client.run("SELECT 1").ok().value()).isEqualTo("1");
    }

    /** A comment is a comment. */
    @ParameterizedTest
    @EnumSource(Protocol.class)
    @DisplayName("om-hint-does-not-narrow")
    void aCommentDoesNotNarrowAWrite(Protocol protocol) {
        Client client = client(protocol);
        String code = "h" + numbers.incrementAndGet();
        client.run("/* shard: 1 */ INSERT INTO countries (code) VALUES ($1)", code)
                .ok();
        assertThat(counts("countries", "code = '" + code + "'")).containsOnly(1L);
    }

    /** A table that no rule names is refused for writes, as soon as it exists. */
    @Test
    @DisplayName("om-unknown-table-after-ddl")
    void aTableThatNoRuleNamesIsRefusedForWritesAtOnce() {
        Client client = client(Protocol.SIMPLE);
        assertThat(client.run("CREATE TABLE newcomer (n bigint)").ok().tags()).containsExactly("CREATE TABLE");
        assertThat(client.run("INSERT INTO newcomer VALUES (1)").sqlState()).isNotNull();
        assertThat(counts("newcomer", "true")).containsOnly(0L);

        client.run("CREATE TABLE orders_archive (tenant_id varchar, n bigint)").ok();
        Family family = tenants().family(1);
        client.run("INSERT INTO orders_archive VALUES ('" + family.child() + "', 1)")
                .ok();
        assertThat(counts("orders_archive", "true")).isEqualTo(onlyOn(1, 1));

        backdoor().execute("CREATE TABLE behind (tenant_id varchar, n bigint); GRANT ALL ON behind TO app");
        client.run("INSERT INTO behind VALUES ('" + family.child() + "', 1)").ok();
        assertThat(counts("behind", "true")).isEqualTo(onlyOn(1, 1));
    }
}
