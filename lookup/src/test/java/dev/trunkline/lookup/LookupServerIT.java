package dev.trunkline.lookup;

import static dev.trunkline.lookup.LookupFixture.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.harness.fault.Cut;
import dev.trunkline.harness.fault.Direction;
import dev.trunkline.harness.fault.TcpRelay;
import dev.trunkline.harness.pg.PgCluster;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import io.vertx.core.Future;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that goes away, hangs or comes back, and a network that does: an error in bounded time, then all is well. */
class LookupServerIT {

    private static final Duration WAIT = Duration.ofSeconds(3);

    private static PgCluster cluster;
    private PgShards shards;
    private CountedTenants tenants;

    @BeforeAll
    static void start() {
        cluster = PgCluster.start(1);
    }

    @AfterAll
    static void end() {
        cluster.close();
    }

    @BeforeEach
    void create() {
        shards = cluster.shards(1);
        tenants = CountedTenants.create(shards);
    }

    private LookupFixture fixture(LookupMiss miss, int port) {
        LookupOptions hasty = new LookupOptions(WAIT, Duration.ofMillis(50), miss, true, 1 << 30);
        return LookupFixture.on(port, shards, hasty, tenants.definition());
    }

    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void aServerThatIsDownIsAnErrorUntilItIsBack(LookupMiss miss) {
        try (LookupFixture fixture = fixture(miss, shards.port(0))) {
            shards.server(0).stop();
            assertFailsInTime(fixture, "child", "The primary of shard 0 cannot be reached.");
            shards.server(0).start();
            awaitTranslation(fixture, "child", "root");
            shards.server(0).stopFast();
            assertThat(fixture.hit(ShardingKey.ofText("child"))).hasToString("root");
            assertFailsInTime(fixture, "new", "The primary of shard 0 cannot be reached.");
            shards.server(0).start();
            tenants.insert("new", "root");
            awaitTranslation(fixture, "new", "root");
        }
    }

    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void aRestartBetweenTwoStatementsIsNotNoticed(LookupMiss miss) {
        try (TcpRelay relay = TcpRelay.to(shards.host(), shards.port(0));
                LookupFixture fixture = fixture(miss, relay.port())) {
            assertThat(fixture.translate("child")).isEqualTo("root");
            tenants.insert("new", "root");
            relay.cutAll(Cut.RST);
            assertThat(fixture.translate("new")).isEqualTo("root");
        }
    }

    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void aServerThatHangsIsAnErrorUntilItGoesOn(LookupMiss miss) {
        try (LookupFixture fixture = fixture(miss, shards.port(0))) {
            assertThat(fixture.translate("child")).isEqualTo("root");
            tenants.insert("new", "root");
            shards.server(0).freeze();
            try {
                assertFailsInTime(fixture, "new", "");
            } finally {
                shards.server(0).thaw();
            }
            awaitTranslation(fixture, "new", "root");
        }
    }

    /** The reads are lost on the way; the connections stay open. */
    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void aConnectionThatSwallowsEverythingIsGivenUpAndReplaced(LookupMiss miss) {
        try (TcpRelay relay = TcpRelay.to(shards.host(), shards.port(0));
                LookupFixture fixture = fixture(miss, relay.port())) {
            assertThat(fixture.translate("child")).isEqualTo("root");
            tenants.insert("new", "root");
            relay.freeze(Direction.TO_CLIENT);
            assertFailsInTime(fixture, "new", "");
            relay.cutAll(Cut.FIN);
            relay.thaw(Direction.TO_CLIENT);
            awaitTranslation(fixture, "new", "root");
        }
    }

    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void aBackendThatIsTerminatedInTheMiddleCostsNobodyMoreThanAnError(LookupMiss miss) throws Exception {
        try (LookupFixture fixture = fixture(miss, shards.port(0));
                var locker = shards.connect(0)) {
            locker.setAutoCommit(false);
            locker.createStatement().execute("LOCK TABLE tenants IN ACCESS EXCLUSIVE MODE");
            Future<KeyTranslation> answer = fixture.verifyAsync(ShardingKey.ofText("child"));
            tenants.awaitReaderWaitsForLock();
            shards.execute(
                    0,
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'trunkline%'");
            assertThatThrownBy(() -> await(answer)).isInstanceOf(PgException.class);
            locker.rollback();
            awaitTranslation(fixture, "child", "root");
        }
    }

    @Test
    void logsInWithAPasswordAndDoesNotTellClientsWhyItMayNot() {
        try (LookupFixture fixture =
                LookupFixture.as("app_scram", "secret", shards, LookupFixture.OPTIONS, tenants.definition())) {
            assertThat(fixture.translate("child")).isEqualTo("root");
        }
        try (LookupFixture fixture =
                LookupFixture.as("app_scram", "wrong", shards, LookupFixture.OPTIONS, tenants.definition())) {
            assertFailsInTime(fixture, "child", "The primary of shard 0 cannot be reached.");
        }
    }

    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void aKeyColumnThatChangesItsTypeIsLookedAtAgain(LookupMiss miss) {
        shards.execute(0, "CREATE TABLE typed (k int, v int); INSERT INTO typed VALUES (1, 1)");
        LookupOptions hasty = new LookupOptions(WAIT, Duration.ofMillis(50), miss, true, 1 << 30);
        LookupDefinition definition = LookupFixture.definition(KeyType.BIGINT, "SELECT k, v FROM typed");
        try (LookupFixture fixture = LookupFixture.on(shards, hasty, definition)) {
            assertThat(fixture.verify(ShardingKey.ofLong(1))).isNotNull();
            shards.execute(0, "INSERT INTO typed VALUES (2, 1)");
            assertThat(fixture.verify(ShardingKey.ofLong(2))).isNotNull();
            shards.execute(0, "ALTER TABLE typed ALTER k TYPE text; INSERT INTO typed VALUES ('007', 1)");
            ShardingKey seven = ShardingKey.ofLong(7);
            assertThat(seven.translatedBy(fixture.verify(seven))).hasToString("1");
        }
    }

    @Test
    void twoConnectionsAreAllThatALookupUses() {
        try (LookupFixture fixture = fixture(LookupMiss.PROBE, shards.port(0))) {
            assertThat(fixture.translate("child")).isEqualTo("root");
            for (int i = 0; i < 20; i++) {
                tenants.insert("new" + i, "root");
                assertThat(fixture.translate("new" + i)).isEqualTo("root");
            }
            assertThat(shards.queryOne(
                            0, "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'trunkline%'"))
                    .isEqualTo("2");
        }
        Conditions.await(
                "the end of the connections",
                () -> "0"
                        .equals(shards.queryOne(
                                0, "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'trunkline%'")));
    }

    private static void assertFailsInTime(LookupFixture fixture, String key, String detail) {
        long start = System.nanoTime();
        assertThatThrownBy(() -> fixture.translate(key)).isInstanceOfSatisfying(PgException.class, e -> {
            assertThat(e.state().code()).isEqualTo("40001");
            assertThat(e.text()).startsWith("sharding key lookup failed:");
            assertThat(e.detail()).contains(detail);
        });
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(WAIT.plusMillis(500));
    }

    private static void awaitTranslation(LookupFixture fixture, String key, String value) {
        Conditions.await("the translation", () -> {
            try {
                return value.equals(fixture.translate(key));
            } catch (PgException notYet) {
                return false;
            }
        });
    }
}
