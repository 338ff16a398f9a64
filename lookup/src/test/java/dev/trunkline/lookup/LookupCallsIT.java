package dev.trunkline.lookup;

import static dev.trunkline.lookup.LookupFixture.await;
import static dev.trunkline.lookup.LookupFixture.options;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.lookup.source.QueryReads;
import dev.trunkline.routing.key.KeyType;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A lookup query computes by immutable functions of PostgreSQL alone; all others are found out by name. */
@Shards(1)
class LookupCallsIT {

    private final PgShards shards;

    LookupCallsIT(PgShards shards) {
        this.shards = shards;
    }

    @BeforeEach
    void create() {
        shards.execute(0, """
                DROP SCHEMA IF EXISTS calls CASCADE;
                CREATE SCHEMA calls;
                CREATE TYPE calls.kind AS ENUM ('a', 'b');
                CREATE TABLE calls.t (id text, parent text, n int, big numeric, u uuid, since date, at timestamptz,
                    kind calls.kind, list int[]);
                CREATE FUNCTION calls.mine(text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT $1';
                CREATE FUNCTION calls.equal(text, text) RETURNS bool IMMUTABLE LANGUAGE sql AS 'SELECT $1 < $2';
                CREATE OPERATOR calls.=== (LEFTARG = text, RIGHTARG = text, FUNCTION = calls.equal);
                CREATE AGGREGATE calls.last(text) (SFUNC = textcat, STYPE = text);
                CREATE VIEW calls.inner_view AS SELECT id, calls.mine(parent) AS parent, now() AS read_at FROM calls.t;
                CREATE VIEW calls.outer_view AS SELECT id, parent, read_at FROM calls.inner_view;
                CREATE MATERIALIZED VIEW calls.kept AS SELECT id, now() AS at, parent FROM calls.t;
                GRANT USAGE ON SCHEMA calls TO app;
                GRANT SELECT ON ALL TABLES IN SCHEMA calls TO app
                """);
    }

    private List<String> notImmutable(String query) {
        LookupDefinition definition = LookupFixture.definition(KeyType.VARCHAR, query);
        try (LookupFixture fixture = LookupFixture.on(shards, options(LookupMiss.PROBE), definition)) {
            QueryReads reads = await(fixture.lookups().reads(0));
            return reads.notImmutable();
        }
    }

    static Stream<Arguments> calls() {
        return Stream.of(
                Arguments.of("SELECT id, now()::text FROM calls.t", List.of("now", "timestamptz_out")),
                Arguments.of("SELECT id, parent FROM calls.t WHERE at > now()", List.of("now")),
                Arguments.of("SELECT id, random()::text FROM calls.t", List.of("random")),
                Arguments.of("SELECT id, parent FROM calls.t ORDER BY random() LIMIT 1", List.of("random")),
                Arguments.of("SELECT id, current_setting('a.b') FROM calls.t", List.of("current_setting")),
                Arguments.of("SELECT id, concat(id, parent) FROM calls.t", List.of("concat")),
                Arguments.of("SELECT id, to_char(at, 'YYYY') FROM calls.t", List.of("to_char")),
                Arguments.of("SELECT id, CURRENT_USER::text FROM calls.t", List.of("CURRENT_USER")),
                Arguments.of("SELECT id, parent FROM calls.t WHERE id <> SESSION_USER", List.of("SESSION_USER")),
                Arguments.of("SELECT id, CURRENT_SCHEMA::text FROM calls.t", List.of("CURRENT_SCHEMA")),
                Arguments.of("SELECT id, parent FROM calls.t WHERE since < CURRENT_DATE", List.of("CURRENT_DATE")),
                Arguments.of(
                        "SELECT id, parent FROM calls.t WHERE at < LOCALTIMESTAMP",
                        List.of("LOCALTIMESTAMP", "timestamptz_lt_timestamp")),
                Arguments.of("SELECT id, calls.mine(parent) FROM calls.t", List.of("calls.mine")),
                Arguments.of(
                        "SELECT id, parent FROM calls.t WHERE id OPERATOR(calls.===) parent", List.of("calls.equal")),
                Arguments.of("SELECT id, calls.last(parent) FROM calls.t GROUP BY id", List.of("calls.last")),
                Arguments.of("SELECT id, (SELECT calls.mine(id)) FROM calls.t", List.of("calls.mine")),
                Arguments.of(
                        "WITH c AS (SELECT id, calls.mine(parent) FROM calls.t) SELECT * FROM c",
                        List.of("calls.mine")),
                Arguments.of(
                        "SELECT id, parent FROM calls.t UNION SELECT id, calls.mine(id) FROM calls.t",
                        List.of("calls.mine")),
                Arguments.of("SELECT t.id, f FROM calls.t JOIN calls.mine('x') AS f ON true", List.of("calls.mine")),
                Arguments.of("SELECT id, parent FROM calls.outer_view", List.of("calls.mine", "now")),
                Arguments.of("SELECT id, parent FROM calls.t TABLESAMPLE system (50)", List.of("TABLESAMPLE")),
                // Made a text by settings of the session, or by names that may change.
                Arguments.of("SELECT id, since FROM calls.t", List.of("date_out")),
                Arguments.of("SELECT at, id FROM calls.t", List.of("timestamptz_out")),
                Arguments.of("SELECT CASE WHEN n > 1 THEN at END, id FROM calls.t", List.of("timestamptz_out")),
                Arguments.of("SELECT (SELECT max(since) FROM calls.t), id FROM calls.t", List.of("date_out")),
                Arguments.of("SELECT kind, id FROM calls.t", List.of("enum_out")),
                Arguments.of("SELECT list, id FROM calls.t", List.of("array_out")),
                Arguments.of(
                        "SELECT id, xmlserialize(content xmlelement(name a, id) AS text) FROM calls.t",
                        List.of("xmlexpr")));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void whatIsNotImmutableIsNamed(String query, List<String> names) {
        assertThat(notImmutable(query)).containsExactlyInAnyOrderElementsOf(names);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT id, COALESCE(parent, id) FROM calls.t",
                "SELECT id, CASE WHEN parent IS NULL THEN id ELSE parent END FROM calls.t -- a comment",
                "SELECT n, n + 1 FROM calls.t WHERE n BETWEEN 1 AND 5 AND id IN ('a', 'b') AND NOT (n = ANY (list))",
                "SELECT n::text || '-' || u::text, lower(id) FROM calls.t WHERE row(n, id) < row(5, 'x')",
                "SELECT big, u FROM calls.t WHERE id LIKE 'a%' AND id IS DISTINCT FROM parent",
                "SELECT NULLIF(id, 'x')::varchar(5), GREATEST(id, parent) COLLATE \"C\" FROM calls.t",
                "SELECT id, max(parent) FROM calls.t GROUP BY id HAVING count(*) = 1 ORDER BY id",
                "SELECT DISTINCT ON (id) id, first_value(parent) OVER (PARTITION BY id ORDER BY n) FROM calls.t",
                "SELECT id, string_agg(parent, ',' ORDER BY n) FILTER (WHERE n > 0) FROM calls.t GROUP BY id",
                "SELECT n = 1, (ARRAY[id, parent])[2] FROM calls.t",
                "SELECT a.id, b.parent FROM calls.t a LEFT JOIN calls.t b USING (id) WHERE EXISTS (SELECT FROM calls.t)",
                "SELECT id, parent FROM calls.t UNION ALL (SELECT id, id FROM calls.t EXCEPT SELECT id, id FROM calls.t)",
                "WITH RECURSIVE up (id, root) AS (SELECT id, id FROM calls.t WHERE parent IS NULL UNION ALL"
                        + " SELECT t.id, up.root FROM calls.t JOIN up ON t.parent = up.id) SELECT id, root FROM up",
                "SELECT id, parent FROM calls.kept WHERE at IS NOT NULL",
                "SELECT g, g + 1 FROM generate_series(1, 5) AS g",
                "SELECT '{a b ( \\ }', ':x <> \"y' FROM calls.t",
                "VALUES ('a', 'p'), ('b', 'q')"
            })
    void whatIsImmutableIsLeftAlone(String query) {
        assertThat(notImmutable(query)).isEmpty();
    }

    /** A name may hold what means something in a tree. */
    @Test
    void namesAreNoPartOfTheTree() {
        shards.execute(0, """
                CREATE TABLE calls."{ :funcid 1299 (" (" } ) :x" text, "\\ 'now()" text);
                GRANT SELECT ON ALL TABLES IN SCHEMA calls TO app
                """);
        assertThat(notImmutable("SELECT \" } ) :x\", \"\\ 'now()\" FROM calls.\"{ :funcid 1299 (\""))
                .isEmpty();
    }

    /** The role may have more trees reported, or nothing at all. */
    @Test
    void settingsOfTheRoleDoNotMatter() {
        shards.execute(
                0, "ALTER ROLE app SET client_min_messages TO error; ALTER ROLE app SET debug_print_parse TO on");
        try {
            assertThat(notImmutable("SELECT id, calls.mine(parent) FROM calls.t"))
                    .containsExactly("calls.mine");
        } finally {
            shards.execute(0, "ALTER ROLE app RESET client_min_messages; ALTER ROLE app RESET debug_print_parse");
        }
    }
}
