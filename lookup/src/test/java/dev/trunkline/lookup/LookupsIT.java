package dev.trunkline.lookup;

import static dev.trunkline.lookup.LookupFixture.await;
import static dev.trunkline.lookup.LookupFixture.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.lookup.LookupStatus.State;
import dev.trunkline.lookup.source.LookupServer;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.catalog.QualifiedName;
import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What operators see of lookups and do to them. */
@Shards(1)
class LookupsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final PgShards shards;
    private CountedTenants tenants;

    LookupsIT(PgShards shards) {
        this.shards = shards;
    }

    @BeforeEach
    void create() {
        tenants = CountedTenants.create(shards);
    }

    @Test
    void aPauseWaitsForWritersWarmsTheMapAndRefusesNewOnes() {
        try (LookupFixture fixture = LookupFixture.on(shards, options(LookupMiss.PROBE), tenants.definition())) {
            Lookups lookups = fixture.lookups();
            LookupWrite open = lookups.beginWrite(1, false);
            Future<Void> pause = lookups.pauseWrites(0, PATIENCE);
            Conditions.await("the pause", () -> lookups.status().get(0).paused());
            assertThatThrownBy(() -> lookups.beginWrite(1, true))
                    .isInstanceOfSatisfying(
                            PgException.class, e -> assertThat(e.state().code()).isEqualTo("55P03"));
            assertThat(pause.isComplete()).isFalse();
            open.commitSent();
            open.committed();
            await(pause);
            assertThat(fixture.hit(ShardingKey.ofText("child"))).hasToString("root");
            assertThat(tenants.executions()).isEqualTo(1);

            lookups.resumeWrites(0);
            lookups.beginWrite(1, false).rolledBack();
        }
    }

    @Test
    void aPauseThatCannotBeHadInTimePausesNothing() {
        try (LookupFixture fixture = LookupFixture.on(shards, options(LookupMiss.PROBE), tenants.definition())) {
            Lookups lookups = fixture.lookups();
            LookupWrite open = lookups.beginWrite(1, false);
            assertThatThrownBy(() -> await(lookups.pauseWrites(0, Duration.ofMillis(50))))
                    .isInstanceOfSatisfying(PgException.class, e -> {
                        assertThat(e.state().code()).isEqualTo("55P03");
                        assertThat(e.text()).isEqualTo("writes to lookup table \"tenants\" could not be paused");
                    });
            assertThat(lookups.status().get(0).paused()).isFalse();
            open.rolledBack();

            shards.execute(0, "ALTER TABLE tenants RENAME TO hidden");
            assertThatThrownBy(() -> await(lookups.pauseWrites(0, PATIENCE)))
                    .isInstanceOfSatisfying(
                            PgException.class, e -> assertThat(e.state().code()).isEqualTo("40001"));
            assertThat(lookups.status().get(0).paused()).isFalse();
        }
    }

    @Test
    void theStatusCountsWhatHappened() {
        try (LookupFixture fixture = LookupFixture.on(shards, options(LookupMiss.PROBE), tenants.definition())) {
            Lookups lookups = fixture.lookups();
            assertThat(lookups.status()).singleElement().satisfies(status -> {
                assertThat(status.state()).isEqualTo(State.EMPTY);
                assertThat(status.ageMillis()).isEqualTo(-1);
            });
            assertThat(fixture.translate("child")).isEqualTo("root");
            assertThatThrownBy(() -> fixture.translate("nobody")).isInstanceOf(PgException.class);
            tenants.insert("new", "root");
            assertThat(fixture.translate("new")).isEqualTo("root");
            LookupStatus loaded = lookups.status().get(0);
            assertThat(loaded.state()).isEqualTo(State.LOADED);
            assertThat(loaded.entries()).isEqualTo(5);
            assertThat(loaded.bytes()).isPositive();
            assertThat(loaded.ageMillis()).isNotNegative();
            assertThat(List.of(loaded.loads(), loaded.probes(), loaded.misses(), loaded.unmapped()))
                    .containsExactly(1L, 2L, 3L, 1L);

            LookupWrite write = lookups.beginWrite(1, false);
            assertThat(lookups.status().get(0).writers()).isEqualTo(1);
            write.commitSent();
            assertThat(lookups.status().get(0).state()).isEqualTo(State.CLOSED);
            write.committed();
            lookups.flush();
            LookupStatus flushed = lookups.status().get(0);
            assertThat(flushed.state()).isEqualTo(State.EMPTY);
            assertThat(flushed.invalidations()).isEqualTo(2);
            assertThat(flushed.generation()).isGreaterThan(loaded.generation());
            assertThat(flushed.writers()).isZero();
        }
    }

    @Test
    void theStatusNamesTheLastError() {
        LookupDefinition broken = LookupFixture.definition(KeyType.VARCHAR, "VALUES ('secret', NULL)");
        try (LookupFixture fixture = LookupFixture.on(shards, options(LookupMiss.PROBE), broken)) {
            assertThatThrownBy(() -> fixture.translate("child")).isInstanceOf(PgException.class);
            LookupStatus status = fixture.lookups().status().get(0);
            assertThat(status.lastError()).isEqualTo("a value is NULL");
            assertThat(status.loadErrors()).isEqualTo(1);
        }
    }

    @Test
    void relationsBehindAQueryAreFoundThroughViewsAndPartitions() {
        shards.execute(0, """
                CREATE SCHEMA IF NOT EXISTS deep;
                CREATE TABLE deep.parts (id text, root text) PARTITION BY LIST (id);
                CREATE TABLE deep.part_a PARTITION OF deep.parts FOR VALUES IN ('a');
                CREATE TABLE "Quoted ""name" (id text);
                CREATE VIEW deep.inner_view AS SELECT p.id, p.root FROM deep.parts p;
                CREATE VIEW outer_view AS SELECT v.id, v.root FROM deep.inner_view v;
                GRANT USAGE ON SCHEMA deep TO app;
                GRANT SELECT ON ALL TABLES IN SCHEMA deep, public TO app
                """);
        String query = "SELECT id, root FROM outer_view WHERE EXISTS (SELECT FROM tenants)"
                + " UNION ALL SELECT id, id FROM \"Quoted \"\"name\" WHERE false";
        LookupDefinition definition = LookupFixture.definition(KeyType.VARCHAR, query);
        try (LookupFixture fixture = LookupFixture.on(shards, options(LookupMiss.PROBE), definition)) {
            assertThat(await(fixture.lookups().reads(0)).relations())
                    .containsExactlyInAnyOrder(
                            new QualifiedName("public", "outer_view"),
                            new QualifiedName("deep", "inner_view"),
                            new QualifiedName("deep", "parts"),
                            new QualifiedName("deep", "part_a"),
                            new QualifiedName("public", "tenants"),
                            new QualifiedName("public", "Quoted \"name"));
        }
    }

    @Test
    void withoutAVerticleEveryVerificationFails() {
        Vertx vertx = Vertx.vertx();
        try {
            Lookups lookups = new Lookups(
                    vertx,
                    "prod",
                    List.of(tenants.definition()),
                    LookupFixture.OPTIONS,
                    new LookupServer("127.0.0.1", 1, "x", "x", ""));
            assertThatThrownBy(() -> await(lookups.verify(0, List.of(ShardingKey.ofText("child")))))
                    .isInstanceOfSatisfying(
                            PgException.class, e -> assertThat(e.text()).contains("the lookup is not running"));
            LookupWrite write = lookups.beginWrite(1, false);
            write.commitSent();
            write.committed();
        } finally {
            await(vertx.close());
        }
    }

    @Test
    void severalLookupsOfADatabaseAreKeptApart() {
        shards.execute(
                0,
                "DROP TABLE IF EXISTS accounts; CREATE TABLE accounts (id int, root int);"
                        + "INSERT INTO accounts VALUES (1, 2)");
        LookupDefinition accounts = new LookupDefinition(
                "prod", 1, null, "accounts", "SELECT id, root FROM accounts", KeyType.BIGINT, "account_id");
        try (LookupFixture fixture =
                LookupFixture.on(shards, options(LookupMiss.PROBE), tenants.definition(), accounts)) {
            assertThat(fixture.translate("child")).isEqualTo("root");
            ShardingKey one = ShardingKey.ofLong(1);
            assertThat(one.translatedBy(await(fixture.lookups().verify(1, List.of(one)))))
                    .hasToString("2");
            LookupWrite write = fixture.lookups().beginWrite(0b10, false);
            write.commitSent();
            write.committed();
            assertThat(fixture.hit(ShardingKey.ofText("child"))).hasToString("root");
            assertThat(one.translatedBy(fixture.lookups().translation(1))).isNull();
        }
    }

    @Test
    void theAnswerComesOnTheCallersEventLoop() {
        try (LookupFixture fixture = LookupFixture.on(shards, options(LookupMiss.PROBE), tenants.definition())) {
            Boolean sameContext = await(fixture.onAnEventLoop(context -> fixture.lookups()
                    .verify(0, List.of(ShardingKey.ofText("child")))
                    .map(ignored -> Vertx.currentContext() == context)));
            assertThat(sameContext).isTrue();
        }
    }
}
