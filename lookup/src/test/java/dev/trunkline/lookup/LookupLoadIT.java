package dev.trunkline.lookup;

import static dev.trunkline.lookup.LookupFixture.await;
import static dev.trunkline.lookup.LookupFixture.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import io.vertx.core.Future;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Loads and misses against a real server. */
@Shards(1)
class LookupLoadIT {

    private static final Duration SHORT_WAIT = Duration.ofMillis(1200);

    private final PgShards shards;
    private CountedTenants tenants;

    LookupLoadIT(PgShards shards) {
        this.shards = shards;
    }

    @BeforeEach
    void create() {
        tenants = CountedTenants.create(shards);
    }

    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void aHundredStatementsOnAColdMapCostOneLoad(LookupMiss miss) {
        try (LookupFixture fixture = LookupFixture.on(shards, options(miss), tenants.definition())) {
            List<Future<KeyTranslation>> answers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                answers.add(fixture.verifyAsync(ShardingKey.ofText("child")));
            }
            answers.forEach(answer -> assertThat(ShardingKey.ofText("child").translatedBy(await(answer)))
                    .hasToString("root"));
            assertThat(tenants.executions()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void aRowThatAnotherInstanceInsertedIsFoundOnFirstUse(LookupMiss miss) {
        try (LookupFixture fixture = LookupFixture.on(shards, options(miss), tenants.definition())) {
            assertThat(fixture.translate("child")).isEqualTo("root");
            for (int i = 0; i < 3; i++) {
                tenants.insert("new" + i, "root");
                assertThat(fixture.translate("new" + i)).isEqualTo("root");
                assertThat(fixture.hit(ShardingKey.ofText("new" + i))).hasToString("root");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void aStormOfUnknownKeysCostsABoundedNumberOfQueries(LookupMiss miss) {
        try (LookupFixture fixture = LookupFixture.on(shards, options(miss), tenants.definition())) {
            assertThat(fixture.translate("child")).isEqualTo("root");
            long before = tenants.executions();
            long start = System.nanoTime();
            List<Future<KeyTranslation>> answers = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                answers.add(fixture.verifyAsync(ShardingKey.ofText("unknown" + i)));
                Conditions.awaitNanos(start + TimeUnit.MILLISECONDS.toNanos(i));
            }
            answers.forEach(answer -> assertThatThrownBy(() -> await(answer)).isInstanceOf(PgException.class));
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            long bound = miss == LookupMiss.PROBE ? millis / 10 + 2 : millis / 1000 + 2;
            assertThat(tenants.executions() - before).isBetween(1L, bound);
        }
    }

    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void whoWaitsForALockedTableIsRefusedInTimeAndServedLater(LookupMiss miss) throws Exception {
        try (LookupFixture fixture = LookupFixture.on(shards, options(miss, SHORT_WAIT), tenants.definition())) {
            try (Connection locker = shards.connect(0)) {
                lock(locker);
                long start = System.nanoTime();
                assertThatThrownBy(() -> fixture.translate("child")).isInstanceOfSatisfying(PgException.class, e -> {
                    assertThat(e.state().code()).isEqualTo("40001");
                    assertThat(e.text()).startsWith("sharding key lookup failed: timed out");
                });
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SHORT_WAIT.plusMillis(300));
                locker.rollback();
            }
            assertThat(fixture.translate("child")).isEqualTo("root");
        }
    }

    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void aLoadThatWaitedForALockTooLongIsTriedAgainInTime(LookupMiss miss) throws Exception {
        Duration wait = Duration.ofSeconds(4);
        try (LookupFixture fixture = LookupFixture.on(shards, options(miss, wait), tenants.definition());
                Connection locker = shards.connect(0)) {
            lock(locker);
            Future<KeyTranslation> answer = fixture.verifyAsync(ShardingKey.ofText("child"));
            tenants.awaitReaderWaitsForLock();
            String first = tenants.loadStart();
            Conditions.await("a second load", () -> tenants.isLoading() && !first.equals(tenants.loadStart()));
            locker.rollback();
            assertThat(ShardingKey.ofText("child").translatedBy(await(answer))).hasToString("root");
        }
    }

    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void whatIsCommittedBeforeTheReadIsSentIsFound(LookupMiss miss) throws Exception {
        try (LookupFixture fixture = LookupFixture.on(shards, options(miss), tenants.definition())) {
            assertThat(fixture.translate("child")).isEqualTo("root");
            try (Connection writer = shards.connect(0)) {
                lock(writer);
                writer.createStatement().execute("INSERT INTO tenants VALUES ('late', 'root')");
                Future<KeyTranslation> answer = fixture.verifyAsync(ShardingKey.ofText("late"));
                tenants.awaitReaderWaitsForLock();
                assertThat(answer.isComplete()).isFalse();
                writer.commit();
                assertThat(ShardingKey.ofText("late").translatedBy(await(answer)))
                        .hasToString("root");
            }
        }
    }

    @Test
    void aLoadBehindATruncateReadsWhatCameAfterItWhateverTheDefaultIsolation() throws Exception {
        String role = "ALTER ROLE app IN DATABASE " + shards.database();
        shards.execute(
                0,
                role + " SET default_transaction_isolation = 'repeatable read';" + role
                        + " SET default_transaction_read_only = on");
        try (LookupFixture fixture = LookupFixture.on(shards, options(LookupMiss.RELOAD), tenants.definition());
                Connection writer = shards.connect(0)) {
            writer.setAutoCommit(false);
            writer.createStatement().execute("TRUNCATE tenants");
            writer.createStatement().execute("INSERT INTO tenants VALUES ('child', 'second')");
            Future<KeyTranslation> answer = fixture.verifyAsync(ShardingKey.ofText("child"));
            tenants.awaitReaderWaitsForLock();
            assertThat(answer.isComplete()).isFalse();
            writer.commit();
            assertThat(ShardingKey.ofText("child").translatedBy(await(answer))).hasToString("second");
        } finally {
            shards.execute(0, role + " RESET ALL");
        }
    }

    @Test
    void aSlowLoadUnderConstantWritesServesEverybody() {
        String slow = "SELECT id, COALESCE(parent_id, id) FROM tenants, (SELECT pg_sleep(0.5)) AS slow";
        LookupDefinition definition = LookupFixture.definition(KeyType.VARCHAR, slow);
        try (LookupFixture fixture = LookupFixture.on(shards, options(LookupMiss.RELOAD), definition)) {
            List<Future<KeyTranslation>> answers = new ArrayList<>();
            long start = System.nanoTime();
            for (int i = 0; i < 20; i++) {
                Conditions.awaitNanos(start + TimeUnit.MILLISECONDS.toNanos(100) * i);
                answers.add(fixture.verifyAsync(ShardingKey.ofText("child")));
                LookupWrite write = fixture.lookups().beginWrite(1, false);
                write.commitSent();
                write.committed();
            }
            answers.forEach(answer -> assertThat(ShardingKey.ofText("child").translatedBy(await(answer)))
                    .hasToString("root"));
        }
    }

    @Test
    void aSlowLoadIsNotTakenForAHungOne() {
        String slow =
                "SELECT id, COALESCE(parent_id, id) FROM tenants, (SELECT pg_sleep(2)) AS slow WHERE (SELECT counted())";
        LookupDefinition definition = LookupFixture.definition(KeyType.VARCHAR, slow);
        try (LookupFixture fixture =
                LookupFixture.on(shards, options(LookupMiss.RELOAD, Duration.ofSeconds(1)), definition)) {
            assertThatThrownBy(() -> fixture.translate("child")).isInstanceOf(PgException.class);
            Conditions.await("the map", () -> fixture.hit(ShardingKey.ofText("child")) != null);
            assertThat(tenants.executions()).isEqualTo(1);
        }
    }

    private static void lock(Connection connection) throws Exception {
        connection.setAutoCommit(false);
        connection.createStatement().execute("LOCK TABLE tenants IN ACCESS EXCLUSIVE MODE");
    }
}
