package dev.trunkline.lookup;

import static dev.trunkline.lookup.LookupFixture.await;
import static dev.trunkline.lookup.LookupFixture.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.fault.Direction;
import dev.trunkline.harness.fault.TcpRelay;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import io.vertx.core.Future;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What users of systems with lookup tables have reported, each under its name, as far as it concerns the map alone. */
@Shards(2)
class LookupCasesIT {

    private static final ShardingKey CHILD = ShardingKey.ofText("child");

    private final PgShards shards;
    private CountedTenants tenants;

    LookupCasesIT(PgShards shards) {
        this.shards = shards;
    }

    @BeforeEach
    void create() {
        tenants = CountedTenants.create(shards);
    }

    private LookupFixture fixture(LookupMiss miss) {
        return LookupFixture.on(shards, options(miss), tenants.definition());
    }

    /** Several keys of one statement: one snapshot, distinct targets, and one unknown key fails them all. */
    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void lkInListTranslation(LookupMiss miss) {
        try (LookupFixture fixture = fixture(miss)) {
            ShardingKey root = ShardingKey.ofText("root");
            KeyTranslation snapshot = fixture.verify(CHILD, root, ShardingKey.ofText("7"));
            assertThat(CHILD.translatedBy(snapshot)).isSameAs(root.translatedBy(snapshot));
            assertThat(ShardingKey.ofText("7").translatedBy(snapshot)).hasToString("7");
            assertThatThrownBy(() -> fixture.verify(CHILD, ShardingKey.ofText("unknown")))
                    .isInstanceOf(PgException.class);
        }
    }

    /** The load's rows are held on the way while a writer commits: they must not be installed afterwards. */
    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void lkInvalidateLoadRace(LookupMiss miss) {
        try (TcpRelay relay = TcpRelay.to(shards.host(), shards.port(0));
                LookupFixture fixture = LookupFixture.on(relay.port(), shards, options(miss), tenants.definition())) {
            assertThat(fixture.translate("child")).isEqualTo("root");
            fixture.lookups().flush();
            relay.holdBefore(Direction.TO_CLIENT, "child");
            Future<KeyTranslation> before = fixture.verifyAsync(CHILD);
            relay.awaitHold(Direction.TO_CLIENT);

            LookupWrite write = fixture.lookups().beginWrite(1, false);
            write.commitSent();
            shards.execute(0, "UPDATE tenants SET parent_id = '7' WHERE id = 'child'");
            write.committed();
            Future<KeyTranslation> after = fixture.verifyAsync(CHILD);
            assertThat(fixture.hit(CHILD)).isNull();
            relay.thaw(Direction.TO_CLIENT);

            assertThat(CHILD.translatedBy(await(before))).isNotNull();
            assertThat(CHILD.translatedBy(await(after))).hasToString("7");
            Conditions.await("the new map", () -> fixture.hit(CHILD) != null);
            assertThat(fixture.hit(CHILD)).hasToString("7");
        }
    }

    /** The row stays where it was; the statement that needs it fails instead of going astray. */
    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void lkMappingChangeStrandsRows(LookupMiss miss) {
        try (LookupFixture fixture = fixture(miss)) {
            assertThat(fixture.translate("child")).isEqualTo("root");
            LookupWrite write = fixture.lookups().beginWrite(1, false);
            write.commitSent();
            shards.execute(0, "DELETE FROM tenants WHERE id = 'child'");
            write.committed();
            assertThatThrownBy(() -> fixture.translate("child"))
                    .isInstanceOfSatisfying(
                            PgException.class, e -> assertThat(e.text()).contains("no row"));
        }
    }

    /** Shard 1 has committed, shard 0 has not: nothing is published, and nobody is told that the row is missing. */
    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void lkOmniHalfCommittedLoad(LookupMiss miss) {
        shards.execute(1, "DROP TABLE IF EXISTS tenants; CREATE TABLE tenants (id text, parent_id text)");
        try (LookupFixture fixture = fixture(miss)) {
            assertThat(fixture.translate("child")).isEqualTo("root");
            LookupWrite write = fixture.lookups().beginWrite(1, false);
            write.commitSent();
            shards.execute(1, "INSERT INTO tenants VALUES ('half', 'root')");
            Future<KeyTranslation> half = fixture.verifyAsync(ShardingKey.ofText("half"));
            assertThat(fixture.translate("child")).isEqualTo("root");
            assertThat(fixture.hit(CHILD)).isNull();
            assertThat(half.isComplete()).isFalse();
            shards.execute(0, "INSERT INTO tenants VALUES ('half', 'root')");
            write.committed();
            assertThat(ShardingKey.ofText("half").translatedBy(await(half))).hasToString("root");
        }
    }

    /** A row that another process inserted is found on first use; a changed one after a flush. */
    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void lkOtherProxyInstance(LookupMiss miss) {
        try (LookupFixture one = fixture(miss);
                LookupFixture other = fixture(miss)) {
            assertThat(one.translate("child")).isEqualTo("root");
            assertThat(other.translate("child")).isEqualTo("root");
            LookupWrite write = one.lookups().beginWrite(1, true);
            write.commitSent();
            tenants.insert("fresh", "root");
            write.committed();
            assertThat(other.translate("fresh")).isEqualTo("root");
            assertThat(one.translate("fresh")).isEqualTo("root");

            shards.execute(0, "UPDATE tenants SET parent_id = '7' WHERE id = 'child'");
            other.lookups().flush();
            assertThat(other.translate("child")).isEqualTo("7");
        }
    }

    /** Whoever starts after the writer was told must see what it wrote; without a pause in between. */
    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void lkReadYourCommit(LookupMiss miss) throws Exception {
        LookupOptions hasty = new LookupOptions(
                Duration.ofSeconds(5), Duration.ofMillis(1), miss, false, LookupFixture.OPTIONS.maxBytes());
        try (LookupFixture fixture = LookupFixture.on(shards, hasty, tenants.definition());
                var connection = shards.connect(0);
                var statement = connection.createStatement()) {
            for (int i = 0; i < 300; i++) {
                boolean insert = i % 2 == 0;
                String parent = i % 3 == 0 ? "root" : "7";
                LookupWrite write = fixture.lookups().beginWrite(1, insert);
                write.commitSent();
                statement.execute(
                        insert
                                ? "INSERT INTO tenants VALUES ('n" + i + "', '" + parent + "')"
                                : "UPDATE tenants SET parent_id = '" + parent + "' WHERE id = 'n" + (i - 1) + "'");
                write.committed();
                String key = insert ? "n" + i : "n" + (i - 1);
                ShardingKey hit = fixture.hit(ShardingKey.ofText(key));
                assertThat(hit == null ? fixture.translate(key) : hit.toString())
                        .isEqualTo(parent);
            }
        }
    }

    /** What a transaction wrote and took back has never been there for anybody. */
    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void lkRollbackLeavesMap(LookupMiss miss) throws Exception {
        try (LookupFixture fixture = fixture(miss);
                var writer = shards.connect(0);
                var statement = writer.createStatement()) {
            assertThat(fixture.translate("child")).isEqualTo("root");
            writer.setAutoCommit(false);
            LookupWrite write = fixture.lookups().beginWrite(1, false);
            statement.execute("UPDATE tenants SET parent_id = '7' WHERE id = 'child'");
            statement.execute("INSERT INTO tenants VALUES ('mine', 'root')");
            assertThat(fixture.hit(CHILD)).hasToString("root");
            assertThatThrownBy(() -> fixture.translate("mine")).isInstanceOf(PgException.class);
            writer.rollback();
            write.rolledBack();
            assertThat(fixture.hit(CHILD)).hasToString("root");
            fixture.lookups().flush();
            assertThat(fixture.translate("child")).isEqualTo("root");
        }
    }

    /** A duplicate key rolls the transaction back: the map is as it was. */
    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void lkConsistentInsertDup(LookupMiss miss) {
        try (LookupFixture fixture = fixture(miss)) {
            assertThat(fixture.translate("child")).isEqualTo("root");
            LookupWrite write = fixture.lookups().beginWrite(1, true);
            assertThatThrownBy(() -> tenants.insert("child", "7")).hasMessageContaining("duplicate key");
            write.rolledBack();
            assertThat(fixture.hit(CHILD)).hasToString("root");
            assertThat(tenants.executions()).isEqualTo(1);
        }
    }

    /** Both columns are brought into the configured type; a value that is not of it is a fault and not a miss. */
    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void lkTypeTextVsNumber(LookupMiss miss) {
        LookupDefinition texts = LookupFixture.definition(KeyType.BIGINT, "VALUES ('007', ' 42 '), ('8', '0008')");
        try (LookupFixture fixture = LookupFixture.on(shards, options(miss), texts)) {
            ShardingKey seven = ShardingKey.ofLong(7);
            assertThat(seven.translatedBy(fixture.verify(seven))).isEqualTo(ShardingKey.ofLong(42));
            ShardingKey eight = ShardingKey.ofLong(8);
            assertThat(eight.translatedBy(fixture.verify(eight))).isEqualTo(ShardingKey.ofLong(8));
        }
        LookupDefinition broken = LookupFixture.definition(KeyType.BIGINT, "VALUES ('7', 'forty-two')");
        try (LookupFixture fixture = LookupFixture.on(shards, options(miss), broken)) {
            assertThatThrownBy(() -> fixture.verify(ShardingKey.ofLong(7)))
                    .isInstanceOfSatisfying(
                            PgException.class,
                            e -> assertThat(e.detail())
                                    .contains("\"forty-two\"")
                                    .contains("not a BIGINT"));
        }
    }

    /** The cap is a load error that says so; hits of the map before go on. */
    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void lkMemoryOfWholeMap(LookupMiss miss) {
        shards.execute(0, "DROP TABLE IF EXISTS many; CREATE TABLE many (k text); INSERT INTO many VALUES ('a')");
        LookupOptions small = new LookupOptions(Duration.ofSeconds(5), Duration.ofMillis(10), miss, true, 200_000);
        try (LookupFixture fixture =
                LookupFixture.on(shards, small, LookupFixture.definition(KeyType.VARCHAR, "SELECT k, k FROM many"))) {
            assertThat(fixture.translate("a")).isEqualTo("a");
            shards.execute(0, "INSERT INTO many SELECT 'key-' || g FROM generate_series(1, 20000) AS g");
            fixture.lookups().flush();
            assertThatThrownBy(() -> fixture.translate("a"))
                    .isInstanceOfSatisfying(
                            PgException.class, e -> assertThat(e.detail()).contains("The map is too large"));
            assertThat(fixture.lookups().status().get(0).lastError()).isEqualTo("the map is too large");
        }
    }
}
