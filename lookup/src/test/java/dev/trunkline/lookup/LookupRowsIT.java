package dev.trunkline.lookup;

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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the rows of a lookup query may be and what they may not. */
@Shards(1)
class LookupRowsIT {

    private final PgShards shards;

    LookupRowsIT(PgShards shards) {
        this.shards = shards;
    }

    private LookupFixture fixture(LookupMiss miss, KeyType type, String query) {
        LookupOptions options = options(miss);
        LookupOptions hasty =
                new LookupOptions(options.waitTimeout(), Duration.ofMillis(20), miss, true, options.maxBytes());
        return LookupFixture.on(shards, hasty, LookupFixture.definition(type, query));
    }

    static Stream<Arguments> faults() {
        String twoValues = "one key has two different values";
        String columns = "the query must return two columns";
        return Stream.of(
                Arguments.of(KeyType.VARCHAR, "VALUES ('a', 'p'), ('c', 'p'), ('c', 'q')", twoValues),
                Arguments.of(KeyType.BIGINT, "VALUES ('7', '1'), ('007', '2')", twoValues),
                Arguments.of(KeyType.VARCHAR, "VALUES ('a', 'p'), ('c', NULL)", "a value is NULL"),
                Arguments.of(KeyType.BIGINT, "VALUES ('7', 'q')", "a value is not of the configured data type"),
                Arguments.of(KeyType.VARCHAR, "SELECT 'c', 'p', 'x'", columns),
                Arguments.of(KeyType.VARCHAR, "SELECT 'c'", columns),
                Arguments.of(KeyType.VARCHAR, "SELECT id, id FROM nowhere", "relation \"nowhere\" does not exist"),
                Arguments.of(KeyType.VARCHAR, "SELECT 'c', (1 / (random() * 0)::int)::text", "SQLSTATE 22012"),
                Arguments.of(KeyType.VARCHAR, "SELECT 'c', FROM", "syntax error"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aFaultOfTheQueryFailsTheStatementAndNamesTheCause(KeyType type, String query, String cause) {
        for (LookupMiss miss : LookupMiss.values()) {
            try (LookupFixture fixture = fixture(miss, type, query)) {
                ShardingKey key = type == KeyType.BIGINT ? ShardingKey.ofLong(7) : ShardingKey.ofText("c");
                for (int i = 0; i < 2; i++) {
                    assertThatThrownBy(() -> fixture.verify(key)).isInstanceOfSatisfying(PgException.class, e -> {
                        assertThat(e.state().code()).isEqualTo("40001");
                        assertThat(e.text())
                                .isEqualTo("sharding key lookup failed: the map could not be loaded"
                                        + " (table \"tenants\", column \"tenant_id\")");
                        assertThat(e.detail()).containsIgnoringCase(cause);
                        assertThat(e.schemaName()).isEqualTo("public");
                        assertThat(e.tableName()).isEqualTo("tenants");
                        assertThat(e.columnName()).isEqualTo("tenant_id");
                    });
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void aFaultThatComesLaterFailsOnlyWhatTheMapDoesNotHold(LookupMiss miss) {
        shards.execute(
                0,
                "DROP TABLE IF EXISTS later; CREATE TABLE later (k text, v text); INSERT INTO later VALUES ('c', 'p')");
        try (LookupFixture fixture = fixture(miss, KeyType.VARCHAR, "SELECT k, v FROM later")) {
            assertThat(fixture.translate("c")).isEqualTo("p");
            shards.execute(0, "INSERT INTO later VALUES ('new', 'p'), ('new', 'q')");
            assertThatThrownBy(() -> fixture.translate("new"))
                    .isInstanceOfSatisfying(
                            PgException.class, e -> assertThat(e.detail()).contains("two different values"));
            assertThat(fixture.hit(ShardingKey.ofText("c"))).hasToString("p");
            shards.execute(0, "DELETE FROM later WHERE v = 'q'");
            Conditions.await("the end of the failure", () -> "p".equals(orFailure(fixture, "new")));
        }
    }

    private static String orFailure(LookupFixture fixture, String key) {
        try {
            return fixture.translate(key);
        } catch (PgException e) {
            return e.text();
        }
    }

    @Test
    void aMapThatIsTooLargeFailsToLoad() {
        String query = "SELECT g::text, 'p' FROM generate_series(1, 30000) AS g";
        LookupOptions small =
                new LookupOptions(Duration.ofSeconds(5), Duration.ofSeconds(1), LookupMiss.RELOAD, true, 300_000);
        try (LookupFixture fixture =
                LookupFixture.on(shards, small, LookupFixture.definition(KeyType.VARCHAR, query))) {
            assertThatThrownBy(() -> fixture.translate("7"))
                    .isInstanceOfSatisfying(
                            PgException.class, e -> assertThat(e.detail()).contains("The map is too large"));
        }
    }

    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void rowsThatNoStatementCanMeanAreIgnored(LookupMiss miss) {
        try (LookupFixture fixture =
                fixture(miss, KeyType.BIGINT, "VALUES (NULL, NULL), ('slug', 'x'), ('7', '1'), ('007', '1')")) {
            assertThat(ShardingKey.ofLong(7).translatedBy(fixture.verify(ShardingKey.ofLong(7))))
                    .isEqualTo(ShardingKey.ofLong(1));
            assertThat(fixture.lookups().all().get(0).map().current().base().size())
                    .isEqualTo(1);
        }
    }

    static Stream<Arguments> keys() {
        ShardingKey uuid = ShardingKey.ofUuid(0xa0eebc999c0b4ef8L, 0xbb6d6bb9bd380a11L);
        ShardingKey big = ShardingKey.ofLong(Long.MIN_VALUE);
        return Stream.of(
                Arguments.of(KeyType.BIGINT, "int8", "'-9223372036854775808'", big),
                Arguments.of(KeyType.BIGINT, "int4", "'007'", ShardingKey.ofLong(7)),
                Arguments.of(KeyType.BIGINT, "int2", "7", ShardingKey.ofLong(7)),
                Arguments.of(KeyType.BIGINT, "text", "'007'", ShardingKey.ofLong(7)),
                Arguments.of(KeyType.BIGINT, "numeric", "7", ShardingKey.ofLong(7)),
                Arguments.of(KeyType.VARCHAR, "text", "'007'", ShardingKey.ofText("007")),
                Arguments.of(KeyType.VARCHAR, "varchar(36)", "'trailing  '", ShardingKey.ofText("trailing  ")),
                Arguments.of(KeyType.VARCHAR, "char(10)", "'abc'", ShardingKey.ofText("abc")),
                Arguments.of(KeyType.VARCHAR, "int4", "7", ShardingKey.ofText("7")),
                Arguments.of(
                        KeyType.VARCHAR,
                        "uuid",
                        "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'",
                        ShardingKey.ofText(uuid.toString())),
                Arguments.of(KeyType.VARCHAR, "text", "''", ShardingKey.ofText("")),
                Arguments.of(
                        KeyType.VARCHAR,
                        "text",
                        "'it''s \"q\" \\ {,} NULL'",
                        ShardingKey.ofText("it's \"q\" \\ {,} NULL")),
                Arguments.of(KeyType.VARCHAR, "text", "'NULL'", ShardingKey.ofText("NULL")),
                Arguments.of(KeyType.VARCHAR, "text", "'größe 日本 😀'", ShardingKey.ofText("größe 日本 😀")),
                Arguments.of(KeyType.VARCHAR, "text COLLATE \"C\"", "'x'", ShardingKey.ofText("x")),
                Arguments.of(KeyType.UUID, "uuid", "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'", uuid),
                Arguments.of(KeyType.UUID, "text", "'{a0eebc999c0b4ef8bb6d6bb9bd380a11}'", uuid));
    }

    /** The row comes after the map was loaded, so that a probe (or what stands in for it) must find it. */
    @ParameterizedTest
    @MethodSource("keys")
    void keysAreComparedByTheConfiguredTypeWhateverTheColumnsType(
            KeyType type, String columnType, String literal, ShardingKey key) {
        boolean uuids = columnType.equals("uuid") || type == KeyType.UUID;
        String other = uuids ? "'00000000-0000-0000-0000-000000000001'" : "'1'";
        for (LookupMiss miss : LookupMiss.values()) {
            shards.execute(
                    0,
                    "DROP TABLE IF EXISTS typed; CREATE TABLE typed (k " + columnType + ", v " + columnType + ");"
                            + "INSERT INTO typed VALUES (" + other + ", " + other + ")");
            try (LookupFixture fixture = fixture(miss, type, "SELECT k, v FROM typed -- all of it")) {
                ShardingKey first = switch (type) {
                    case BIGINT -> ShardingKey.ofLong(1);
                    case VARCHAR -> ShardingKey.ofText(other.replace("'", ""));
                    case UUID -> ShardingKey.ofUuid(0, 1);
                };
                assertThat(first.translatedBy(fixture.verify(first))).isEqualTo(first);
                shards.execute(0, "INSERT INTO typed VALUES (" + literal + ", " + literal + ")");
                assertThat(key.translatedBy(fixture.verify(key))).isEqualTo(key);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void leadingZerosMeanNothingToIntegersAndEverythingToTexts(LookupMiss miss) {
        String query = "VALUES ('7', '1'), ('008', '2')";
        try (LookupFixture integers = fixture(miss, KeyType.BIGINT, query);
                LookupFixture texts = fixture(miss, KeyType.VARCHAR, query)) {
            assertThat(ShardingKey.ofLong(8).translatedBy(integers.verify(ShardingKey.ofLong(8))))
                    .isEqualTo(ShardingKey.ofLong(2));
            assertThat(texts.translate("008")).isEqualTo("2");
            assertThatThrownBy(() -> texts.translate("8")).isInstanceOf(PgException.class);
            assertThatThrownBy(() -> texts.translate("007")).isInstanceOf(PgException.class);
        }
    }

    /** A case-insensitive collation must not answer for a key that is spelled otherwise. */
    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void anotherSpellingThatTheServerHoldsForEqualIsAnotherKey(LookupMiss miss) {
        shards.execute(0, """
                DROP TABLE IF EXISTS folded;
                CREATE COLLATION IF NOT EXISTS folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
                CREATE TABLE folded (k text COLLATE folding, v text);
                INSERT INTO folded VALUES ('a', 'p')
                """);
        try (LookupFixture fixture = fixture(miss, KeyType.VARCHAR, "SELECT k, v FROM folded")) {
            assertThat(fixture.translate("a")).isEqualTo("p");
            shards.execute(0, "INSERT INTO folded VALUES ('B', 'q')");
            assertThat(fixture.translate("B")).isEqualTo("q");
            assertThatThrownBy(() -> fixture.translate("b")).isInstanceOf(PgException.class);
        }
    }

    /** What no table can hold is not there, and does not spoil the batch that others are in. */
    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void textsThatCannotBeStoredAreMissingAndHarmless(LookupMiss miss) {
        shards.execute(
                0,
                "DROP TABLE IF EXISTS plain; CREATE TABLE plain (k text, v text); INSERT INTO plain VALUES ('a', 'p')");
        try (LookupFixture fixture = fixture(miss, KeyType.VARCHAR, "SELECT k, v FROM plain")) {
            assertThat(fixture.translate("a")).isEqualTo("p");
            shards.execute(0, "INSERT INTO plain VALUES ('b', 'p')");
            byte[] zero = "a\0b".getBytes(StandardCharsets.UTF_8);
            byte[] broken = {(byte) 0xC3, 0x28};
            var good = fixture.verifyAsync(ShardingKey.ofText("b"));
            var bad = List.of(
                    fixture.verifyAsync(ShardingKey.ofText(zero, 0, zero.length)),
                    fixture.verifyAsync(ShardingKey.ofText(broken, 0, broken.length)));
            assertThat(ShardingKey.ofText("b").translatedBy(LookupFixture.await(good)))
                    .hasToString("p");
            bad.forEach(each -> assertThatThrownBy(() -> LookupFixture.await(each))
                    .isInstanceOfSatisfying(
                            PgException.class, e -> assertThat(e.text()).contains("no row for a value")));
        }
    }

    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void severalKeysAreAnsweredByOneSnapshotOrNotAtAll(LookupMiss miss) {
        try (LookupFixture fixture =
                fixture(miss, KeyType.VARCHAR, "VALUES ('c1', 'p1'), ('c2', 'p1'), ('p1', 'p1')")) {
            ShardingKey[] all = {ShardingKey.ofText("c1"), ShardingKey.ofText("c2"), ShardingKey.ofText("p1")};
            KeyTranslation snapshot = fixture.verify(all);
            assertThat(all[0].translatedBy(snapshot)).hasToString("p1").isSameAs(all[1].translatedBy(snapshot));
            assertThatThrownBy(() -> fixture.verify(all[0], ShardingKey.ofText("who"), ShardingKey.ofText("that")))
                    .isInstanceOfSatisfying(
                            PgException.class,
                            e -> assertThat(e.detail())
                                    .isEqualTo("The lookup query returns no row for \"who\", \"that\"."));
        }
    }

    @Test
    void rowSecurityFailsTheLoadInsteadOfHidingRows() {
        shards.execute(0, """
                DROP TABLE IF EXISTS secured;
                CREATE TABLE secured (k text, v text);
                INSERT INTO secured VALUES ('a', 'p');
                GRANT SELECT ON secured TO app;
                ALTER TABLE secured ENABLE ROW LEVEL SECURITY;
                CREATE POLICY nothing ON secured USING (false)
                """);
        try (LookupFixture fixture = fixture(LookupMiss.RELOAD, KeyType.VARCHAR, "SELECT k, v FROM secured")) {
            assertThatThrownBy(() -> fixture.translate("a"))
                    .isInstanceOfSatisfying(
                            PgException.class, e -> assertThat(e.detail()).contains("row-level security"));
        }
    }

    @Test
    void manyRowsAreAssembledOffTheEventLoop() {
        String query = "SELECT 'key-' || g, 'root-' || g % 1000 FROM generate_series(1, 30000) AS g";
        try (LookupFixture fixture = fixture(LookupMiss.RELOAD, KeyType.VARCHAR, query)) {
            assertThat(fixture.translate("key-29999")).isEqualTo("root-999");
            assertThat(fixture.hit(ShardingKey.ofText("key-1"))).hasToString("root-1");
            assertThat(fixture.hit(ShardingKey.ofText("key-4097"))).hasToString("root-97");
            assertThat(fixture.lookups().all().get(0).map().current().base().size())
                    .isEqualTo(30_000);
        }
    }

    @Test
    void aFaultInTheMiddleOfManyRowsEndsTheLoadAndTheNextOneWorks() {
        shards.execute(0, "DROP TABLE IF EXISTS hole; CREATE TABLE hole (v text); INSERT INTO hole VALUES (NULL)");
        String query = "SELECT 'key-' || g, CASE WHEN g = 20000 THEN (SELECT v FROM hole) ELSE 'root' END"
                + " FROM generate_series(1, 30000) AS g";
        try (LookupFixture fixture = fixture(LookupMiss.RELOAD, KeyType.VARCHAR, query)) {
            assertThatThrownBy(() -> fixture.translate("key-1"))
                    .isInstanceOfSatisfying(
                            PgException.class, e -> assertThat(e.detail()).contains("key-20000"));
            shards.execute(0, "UPDATE hole SET v = 'filled'");
            Conditions.await("the end of the failure", () -> "filled".equals(orFailure(fixture, "key-20000")));
        }
    }
}
