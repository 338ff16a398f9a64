package dev.trunkline.proxy.catalog;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.routing.catalog.Catalog;
import dev.trunkline.routing.catalog.Column;
import dev.trunkline.routing.catalog.Function;
import dev.trunkline.routing.catalog.QualifiedName;
import dev.trunkline.routing.catalog.Relation;
import dev.trunkline.routing.catalog.Relation.Kind;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is read from a real server's catalogs. */
@Shards(1)
class CatalogLoaderIT {

    private static final Vertx VERTX = Vertx.vertx();

    private static PgShards shards;
    private static PgConnection connection;
    private static Catalog catalog;

    @BeforeAll
    static void createAndLoad(PgShards given) throws Exception {
        shards = given;
        shards.execute(0, CatalogScript.SQL);
        connection = await(PgConnection.connect(
                VERTX,
                new PgConnectOptions()
                        .setHost(shards.host())
                        .setPort(shards.port(0))
                        .setDatabase(shards.database())
                        .setUser(PgShards.APP)));
        catalog = await(CatalogLoader.load(connection));
    }

    @AfterAll
    static void close() throws Exception {
        await(connection.close());
        await(VERTX.close());
    }

    private static <T> T await(Future<T> future) throws InterruptedException, ExecutionException, TimeoutException {
        return future.toCompletionStage().toCompletableFuture().get(10, SECONDS);
    }

    private static QualifiedName name(String name) {
        int point = name.indexOf('.');
        return point < 0
                ? new QualifiedName("public", name)
                : new QualifiedName(name.substring(0, point), name.substring(point + 1));
    }

    private Relation relation(String name) {
        Relation relation = catalog.relations().get(name(name));
        assertThat(relation).as(name).isNotNull();
        return relation;
    }

    private Column column(String relation, String column) {
        return relation(relation).columns().stream()
                .filter(candidate -> candidate.name().equals(column))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> names(List<QualifiedName> names) {
        return names.stream()
                .map(name -> name.schema().equals("public") ? name.name() : name.toString())
                .toList();
    }

    @Test
    void knowsTheServersVersion() {
        String version = shards.queryOne(0, "SHOW server_version_num");

        assertThat(catalog.serverVersion()).isEqualTo(Integer.parseInt(version));
    }

    @ParameterizedTest
    @CsvSource({
        "tenants, TABLE",
        "measurements, PARTITIONED_TABLE",
        "measurements_low, PARTITIONED_TABLE",
        "measurements_high, TABLE",
        "recent, VIEW",
        "totals, MATERIALIZED_VIEW",
        "remote, FOREIGN_TABLE",
        "counter, SEQUENCE",
        "sales.Orders, TABLE"
    })
    void knowsWhatARelationIs(String name, Kind kind) {
        assertThat(relation(name).kind()).isEqualTo(kind);
    }

    @Test
    void leavesOutTheSystemAndTemporaryTables() throws Exception {
        await(connection.query("CREATE TEMP TABLE short_lived (a int)").execute());

        Catalog withTemporary = await(CatalogLoader.load(connection));

        assertThat(withTemporary.relations().keySet())
                .extracting(QualifiedName::schema)
                .containsOnly("public", "sales");
        assertThat(withTemporary.relations()).isEqualTo(catalog.relations());
    }

    @Test
    void givesALaterReadAGreaterVersion() throws Exception {
        assertThat(await(CatalogLoader.load(connection)).version()).isGreaterThan(catalog.version());
    }

    @Test
    void listsLiveColumnsInOrder() {
        assertThat(relation("holes").columns()).extracting(Column::name).containsExactly("a", "c", "d");
        assertThat(relation("holes").columns()).extracting(Column::position).containsExactly(1, 3, 4);
    }

    @ParameterizedTest
    @CsvSource({
        "plain_int, 23, -1",
        "short_text, 1043, 7",
        "amount, 1700, 655366",
        "positive, 23, -1",
        "code, 1043, 9",
        "nested_code, 1043, 9",
        "label, 25, -1"
    })
    void seesThroughDomains(String column, int typeOid, int typmod) {
        assertThat(column("typed", column).typeOid()).isEqualTo(typeOid);
        assertThat(column("typed", column).typmod()).isEqualTo(typmod);
    }

    @Test
    void knowsWhichColumnsAreComputed() {
        Column twice = column("computed", "twice");
        assertThat(twice.generated()).isTrue();
        assertThat(twice.hasDefault()).isFalse();
        assertThat(twice.volatileDefault()).isFalse();

        Column always = column("computed", "always_id");
        assertThat(always.identityAlways()).isTrue();
        assertThat(always.hasDefault()).isTrue();
        assertThat(always.volatileDefault()).isTrue();

        Column byDefault = column("computed", "default_id");
        assertThat(byDefault.identityAlways()).isFalse();
        assertThat(byDefault.hasDefault()).isTrue();
        assertThat(byDefault.volatileDefault()).isTrue();
        assertThat(byDefault.generated()).isFalse();
    }

    @Test
    void aColumnWithoutDefaultHasNone() {
        assertThat(column("typed", "plain_int").hasDefault()).isFalse();
        assertThat(column("typed", "plain_int").volatileDefault()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "c_constant, false",
        "c_text, false",
        "c_varchar, false",
        "c_numeric, false",
        "c_json, false",
        "c_array, false",
        "c_enum, false",
        "c_sum, false",
        "c_concat, false",
        "c_not, false",
        "c_coalesce, false",
        "c_case, false",
        "c_upper, false",
        "c_braces, false",
        "c_immutable, false",
        "c_domain, false",
        "c_domain_own, false",
        "c_now, true",
        "c_date, true",
        "c_user, true",
        "c_uuid, true",
        "c_random, true",
        "c_nested_now, true",
        "c_sequence, true",
        "c_serial, true",
        "c_volatile, true",
        "c_stable, true",
        "c_operator, true",
        "c_volatile_domain, true",
        "c_setting, true"
    })
    void tellsWhetherADefaultIsTheSameOnEveryShard(String column, boolean isVolatile) {
        assertThat(column("defaults", column).hasDefault()).isTrue();
        assertThat(column("defaults", column).volatileDefault()).isEqualTo(isVolatile);
    }

    /** Under the search path of the read every name is qualified that is not the system's. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "c_constant; ",
                "c_now; now()",
                "c_date; CURRENT_DATE",
                "c_uuid; gen_random_uuid()",
                "c_nested_now; timezone('utc'::text, now())",
                "c_sequence; nextval('public.counter'::regclass)",
                "c_serial; nextval('public.defaults_c_serial_seq'::regclass)",
                "c_volatile; ",
                "c_stable; ",
                "c_operator; ",
                "c_volatile_domain; gen_random_uuid()"
            },
            quoteCharacter = '"')
    void readsTheVolatileDefaultsThatReadNoTables(String column, String expression) {
        assertThat(column("defaults", column).volatileExpression()).isEqualTo(expression);
    }

    @Test
    void readsTheSequencesOfIdentities() {
        assertThat(column("computed", "always_id").volatileExpression())
                .isEqualTo("nextval('public.computed_always_id_seq'::regclass)");
        assertThat(column("computed", "default_id").volatileExpression())
                .isEqualTo("nextval('public.computed_default_id_seq'::regclass)");
        assertThat(column("computed", "twice").volatileExpression()).isNull();
    }

    @Test
    void knowsNondeterministicCollations() {
        assertThat(column("typed", "label").deterministicCollation()).isFalse();
        assertThat(column("typed", "short_text").deterministicCollation()).isTrue();
        assertThat(column("typed", "plain_int").deterministicCollation()).isTrue();
    }

    @Test
    void followsViewsDownToTables() {
        assertThat(names(relation("recent").reads())).containsExactlyInAnyOrder("sales.Orders");
        assertThat(names(relation("recent_by_tenant").reads())).containsExactlyInAnyOrder("sales.Orders", "tenants");
        assertThat(names(relation("hidden").reads())).containsExactlyInAnyOrder("tenants", "measurements");
        assertThat(relation("system_view").reads()).isEmpty();
        assertThat(relation("tenants").reads()).isEmpty();
    }

    @Test
    void aMaterialisedViewEndsTheWay() {
        assertThat(names(relation("totals").reads())).containsExactly("sales.Orders");
        assertThat(names(relation("over_totals").reads())).containsExactly("totals");
    }

    @Test
    void namesTheFunctionsThatAViewCalls() {
        assertThat(names(relation("calling").calls())).containsExactlyInAnyOrder("count_tenants", "add_times");
        assertThat(names(relation("over_calling").calls())).containsExactlyInAnyOrder("count_tenants", "add_times");
        assertThat(relation("recent").calls()).isEmpty();
    }

    @Test
    void knowsAncestorsNearestFirst() {
        assertThat(names(relation("measurements_low_a").ancestors()))
                .containsExactly("measurements_low", "measurements");
        assertThat(names(relation("capitals").ancestors())).containsExactly("cities");
        assertThat(relation("cities").ancestors()).isEmpty();
    }

    @Test
    void followsForeignKeysWithAnAction() {
        assertThat(names(relation("regions").cascadesTo())).containsExactlyInAnyOrder("countries", "towns", "streets");
        assertThat(names(relation("countries").cascadesTo())).containsExactlyInAnyOrder("towns", "streets");
        assertThat(relation("streets").cascadesTo()).isEmpty();
        assertThat(relation("tenants").cascadesTo()).isEmpty();
    }

    @Test
    void followsEveryForeignKeyForTruncate() {
        assertThat(names(relation("tenants").referencedBy())).containsExactly("sales.Orders");
        assertThat(names(relation("regions").referencedBy()))
                .containsExactlyInAnyOrder("countries", "towns", "streets", "visits", "visits_1");
    }

    @Test
    void aSelfReferenceEnds() {
        assertThat(relation("tree").cascadesTo()).isEmpty();
        assertThat(names(relation("left_one").cascadesTo())).containsExactly("right_one");
    }

    @Test
    void cascadesReachPartitionsOfTheReferencingTable() {
        assertThat(names(relation("devices").cascadesTo())).containsExactlyInAnyOrder("readings", "readings_1");
    }

    @Test
    void knowsTriggersAndRules() {
        assertThat(relation("triggered").hasTriggers()).isTrue();
        assertThat(relation("ruled").hasTriggers()).isTrue();
        assertThat(relation("recent").hasTriggers()).isFalse();
        assertThat(relation("streets").hasTriggers()).isFalse(); // those of a foreign key are the server's
    }

    @Test
    void aTriggerOnAPartitionCountsForItsParents() {
        assertThat(relation("measurements_low_a").hasTriggers()).isTrue();
        assertThat(relation("measurements").hasTriggers()).isTrue();
        assertThat(relation("measurements_high").hasTriggers()).isFalse();
    }

    @Test
    void knowsRowSecurity() {
        assertThat(relation("guarded").rowSecurity()).isTrue();
        assertThat(relation("tenants").rowSecurity()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "count_tenants, false, false",
        "add_times, true, false",
        "pinned, false, false",
        "overloaded, false, false",
        "overloaded_well, true, false",
        "act, false, false",
        "harmless_sum, true, false",
        "harmful_sum, false, false",
        "clib, true, true",
        "sales.hidden_helper, false, false"
    })
    void knowsFunctions(String name, boolean immutable, boolean extension) {
        assertThat(catalog.functions().get(name(name))).isEqualTo(new Function(name(name), immutable, extension));
    }

    @Test
    void leavesOutFunctionsOfTheServer() {
        assertThat(catalog.functions().keySet())
                .extracting(QualifiedName::schema)
                .containsOnly("public", "sales");
    }

    @Test
    void readsWhatTheServerSaysOfItself() throws Exception {
        DatabaseProperties properties = await(DatabaseProperties.load(connection));

        assertThat(properties.serverVersion()).isEqualTo(catalog.serverVersion());
        assertThat(properties.encoding()).isEqualTo("UTF8");
        assertThat(properties.collation())
                .isEqualTo(shards.queryOne(0, "SELECT datcollate FROM pg_database WHERE datname = current_database()"));
    }

    @Test
    void isNotMisledByTheSessionsSettings() throws Exception {
        await(connection
                .query("SET search_path = sales; SET standard_conforming_strings = off")
                .execute());
        try {
            assertThat(await(CatalogLoader.load(connection)).relations()).isEqualTo(catalog.relations());
        } finally {
            await(connection.query("RESET ALL").execute());
        }
    }

    @Test
    void aFailedReadLeavesTheConnectionUsable() throws Exception {
        Future<String> failed = Snapshot.read(
                connection, () -> connection.query("SELECT 1 / 0").execute().map("never"));

        assertThat(failed.toCompletionStage().toCompletableFuture())
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .withMessageContaining("division by zero");
        assertThat(await(connection.query("SELECT 1").execute())
                        .iterator()
                        .next()
                        .getInteger(0))
                .isEqualTo(1);
    }
}
