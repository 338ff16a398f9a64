package dev.trunkline.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.catalog.Column;
import dev.trunkline.routing.key.PgType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What one shard is asked to compute for all, and what all of them get then. */
class OnceTextTest {

    private static final String NEXT = "nextval('public.id_seq'::regclass)";

    private final Fixture db = new Fixture()
            .table(
                    "people",
                    Fixture.generated("id"),
                    Fixture.text("name"),
                    Fixture.computed("created", PgType.TIMESTAMPTZ, "now()"),
                    new Column("fixed", 1, PgType.INT8, -1, false, false, true, false, true, false))
            .table("tickets", Fixture.identity("id"), Fixture.text("title"))
            .table("tokens", Fixture.computed("token", PgType.UUID, "public.uuid_generate_v4()"), Fixture.text("name"))
            .table(
                    "hidden",
                    new Column("id", 1, PgType.INT8, -1, false, false, true, true, true, false),
                    Fixture.text("name"))
            .omnisharded("people", "tickets", "tokens", "hidden");

    /** The questions and the statement, one a line; or the SQLSTATE. */
    private List<String> texts(String sql, Object... parameters) {
        try {
            Route route = db.route(sql, parameters);
            if (!(route instanceof Route.Computed computed)) {
                return List.of(db.outcome(sql, parameters));
            }
            List<String> texts = new ArrayList<>();
            computed.questions().forEach(question -> texts.add(text(question.part())));
            texts.add(text(computed.part()));
            return texts;
        } catch (PgException e) {
            return List.of(e.state().code());
        }
    }

    private static String text(Route.Part part) {
        return new String(part.text(), StandardCharsets.UTF_8)
                + (part.parameters().isEmpty() ? "" : " " + part.parameters());
    }

    private void expect(String sql, String... texts) {
        assertThat(texts(sql)).as(sql).containsExactly(texts);
    }

    @Test
    void omittedDefaultsAreComputed() {
        expect(
                "INSERT INTO people (name) VALUES ('x') RETURNING id",
                "SELECT " + NEXT + ", now()",
                "INSERT INTO people (name, \"id\", \"created\") VALUES ('x', $1, $2) RETURNING id [1, 2]");
        expect(
                "INSERT INTO people(name)VALUES('x'),('y')",
                "SELECT " + NEXT + ", now(), " + NEXT,
                "INSERT INTO people(name, \"id\", \"created\")VALUES('x', $1, $2),('y', $3, $4) [1, 2, 3, 2]");
        expect(
                "INSERT INTO public.people AS p DEFAULT VALUES",
                "SELECT " + NEXT + ", now()",
                "INSERT INTO public.people AS p (\"id\", \"created\") VALUES ($1, $2) [1, 2]");
        expect(
                "INSERT INTO people VALUES (1, 'x')",
                "SELECT now()",
                "INSERT INTO people (\"id\", \"name\", \"created\") VALUES (1, 'x', $1) [1]");
    }

    @Test
    void defaultsThatAreAskedForAreComputed() {
        expect(
                "INSERT INTO people (created, id, name, fixed) VALUES (DEFAULT, DEFAULT, 'x', DEFAULT)",
                "SELECT " + NEXT + ", now()",
                "INSERT INTO people (created, id, name, fixed) VALUES ($1, $2, 'x', DEFAULT) [2, 1]");
        expect(
                "INSERT INTO people (id, created) VALUES (7, '2020-01-01'), (DEFAULT, '2020-01-01')",
                "SELECT " + NEXT,
                "INSERT INTO people (id, created) VALUES (7, '2020-01-01'), ($1, '2020-01-01') [1]");
        assertThat(texts("INSERT INTO people (id, created) VALUES (7, '2020-01-01')"))
                .containsExactly("all");
    }

    @Test
    void valuesOfRowsAreComputedWhole() {
        expect(
                "INSERT INTO people (id, name, created) VALUES (1, md5(random()::text), now()), (2, upper('b'), now())",
                "SELECT md5(random()::text), now()",
                "INSERT INTO people (id, name, created) VALUES (1, $1, $2), (2, upper('b'), $3) [1, 2, 2]");
        // A function may make several rows of one.
        expect(
                "INSERT INTO people (name, id) VALUES (generate_series(1, 3)::text, 4)",
                "SELECT (generate_series(1, 3)::text) IS NULL, now()",
                "INSERT INTO people (name, id, \"created\") VALUES (generate_series(1, 3)::text, 4, $1) [2]");
        expect(
                "INSERT INTO people (id, created, name) VALUES (1, now()::timestamp(0), nextval('s')::character varying(9))",
                "SELECT nextval('s')::character varying(9), now()::timestamp(0)",
                "INSERT INTO people (id, created, name) VALUES (1, $1, $2) [2, 1]");
        assertThat(texts("INSERT INTO people (name) VALUES (lower((SELECT 'X')))"))
                .containsExactly("0A000");
        expect(
                "INSERT INTO people (id, created, name) VALUES (1, CURRENT_TIMESTAMP(0), (SELECT max(id) FROM tenants))",
                "SELECT CURRENT_TIMESTAMP(0)",
                "INSERT INTO people (id, created, name) VALUES (1, $1, (SELECT max(id) FROM tenants)) [1]");
    }

    @Test
    void parametersAreRenumbered() {
        assertThat(texts("INSERT INTO people (name, created) VALUES ($2, now() + $1::interval)", "1 day", "x"))
                .containsExactly(
                        "SELECT " + NEXT + ", now() + $1::interval [1]",
                        "INSERT INTO people (name, created, \"id\") VALUES ($1, $2, $3) [2, 4, 3]");
        // What type it has, its first place says.
        assertThat(texts("INSERT INTO people (name, created) VALUES ($1, now() + $1)", "x"))
                .containsExactly("0A000");
        assertThat(texts("INSERT INTO people (name) VALUES ($1)")).containsExactly("42P02");
        assertThat(texts("INSERT INTO people (name) VALUES ($2)", "x")).containsExactly("42P02");
    }

    @Test
    void theTimeIsComputedWhereverItStands() {
        expect(
                "UPDATE people SET created = now(), name = 'x' WHERE created < pg_catalog.now() - interval '1 day'",
                "SELECT now(), pg_catalog.now()",
                "UPDATE people SET created = $1, name = 'x' WHERE created < $2 - interval '1 day' [1, 2]");
        expect(
                "DELETE FROM people WHERE created < CURRENT_DATE",
                "SELECT CURRENT_DATE",
                "DELETE FROM people WHERE created < $1 [1]");
        expect(
                "INSERT INTO people (id, name, created) SELECT 1, name, now() FROM settings",
                "SELECT now()",
                "INSERT INTO people (id, name, created) SELECT 1, name, $1 FROM settings [1]");
        expect(
                "UPDATE people SET name = 'x', created = DEFAULT WHERE id = 1",
                "SELECT now()",
                "UPDATE people SET name = 'x', created = $1 WHERE id = 1 [1]");
        expect(
                "INSERT INTO people (id, created) VALUES (1, '2020-01-01') ON CONFLICT (id)"
                        + " DO UPDATE SET created = DEFAULT, name = now()::text",
                "SELECT now()",
                "INSERT INTO people (id, created) VALUES (1, '2020-01-01') ON CONFLICT (id)"
                        + " DO UPDATE SET created = $1, name = $2::text [1, 1]");
    }

    @Test
    void anIdentityTakesWhatWasComputed() {
        expect(
                "INSERT INTO tickets (title) VALUES ('x')",
                "SELECT " + NEXT,
                "INSERT INTO tickets (title, \"id\") OVERRIDING SYSTEM VALUE VALUES ('x', $1) [1]");
        expect(
                "INSERT INTO tickets DEFAULT VALUES",
                "SELECT " + NEXT,
                "INSERT INTO tickets (\"id\") OVERRIDING SYSTEM VALUE VALUES ($1) [1]");
        expect(
                "INSERT INTO tickets (id, title) OVERRIDING SYSTEM VALUE VALUES (DEFAULT, 'x'), (4, 'y')",
                "SELECT " + NEXT,
                "INSERT INTO tickets (id, title) OVERRIDING SYSTEM VALUE VALUES ($1, 'x'), (4, 'y') [1]");
        // PostgreSQL refuses a value of the client's, and shall.
        expect(
                "INSERT INTO tickets (id, title) VALUES (DEFAULT, 'x'), (4, 'y')",
                "SELECT " + NEXT,
                "INSERT INTO tickets (id, title) VALUES ($1, 'x'), (4, 'y') [1]");
        assertThat(texts("INSERT INTO tickets (title) OVERRIDING USER VALUE VALUES ('x')"))
                .containsExactly("0A000");
    }

    @Test
    void whatIsComputedForEachRowThatIsFoundIsRefused() {
        for (String sql : List.of(
                "UPDATE people SET name = random()::text",
                "UPDATE people SET id = DEFAULT",
                "UPDATE people SET (created, name) = (DEFAULT, 'x')",
                "DELETE FROM people WHERE random() < 0.5",
                "INSERT INTO people (id, created) SELECT nextval('s'), now() FROM tenants",
                "INSERT INTO people (name) SELECT name FROM tenants",
                "INSERT INTO people (name) VALUES ('x') LIMIT 1",
                "INSERT INTO people (name) VALUES ((SELECT random()::text))",
                "INSERT INTO people (name) VALUES (set_config('a.b', 'x', true))",
                "INSERT INTO people (name) VALUES (setval('s', 1)::text)",
                "INSERT INTO people (name) VALUES (reads())",
                "INSERT INTO people (id, created) VALUES (1, '2020-01-01') RETURNING now()",
                "INSERT INTO people (id, created) VALUES (1, '2020-01-01') ON CONFLICT (id) DO UPDATE SET name = random()::text",
                "WITH p AS (INSERT INTO people (name) VALUES ('x') RETURNING id) SELECT id FROM p",
                "INSERT INTO hidden (name) VALUES ('x')",
                "EXPLAIN ANALYZE INSERT INTO people (name) VALUES ('x')")) {
            assertThat(texts(sql)).as(sql).containsExactly("0A000");
        }
        assertThat(texts("EXPLAIN INSERT INTO people (name) VALUES ('x')")).containsExactly("any");
        assertThat(db.refusal("UPDATE people SET name = random()::text"))
                .contains("calls function \"random\"")
                .contains("Compute the value in the application");
    }

    @Test
    void functionsOfExtensionsAreComputed() {
        expect(
                "INSERT INTO tokens (name) VALUES ('x')",
                "SELECT public.uuid_generate_v4()",
                "INSERT INTO tokens (name, \"token\") VALUES ('x', $1) [1]");
        expect(
                "WITH t AS (SELECT 'y' AS n) INSERT INTO tokens (token, name) VALUES (gen_random_uuid(), (SELECT n FROM t))",
                "SELECT gen_random_uuid()",
                "WITH t AS (SELECT 'y' AS n) INSERT INTO tokens (token, name) VALUES ($1, (SELECT n FROM t)) [1]");
    }

    /** A row that goes to one shard needs nothing. */
    @Test
    void shardedTablesComputeForThemselves() {
        assertThat(texts("INSERT INTO orders (tenant_id, note) VALUES ('acme', now()::text)"))
                .containsExactly("2");
        assertThat(texts("UPDATE orders SET note = random()::text WHERE tenant_id = 'acme'"))
                .containsExactly("2");
    }

    @Test
    void manyRowsHaveOneShape() {
        StringBuilder sql = new StringBuilder("INSERT INTO people (name) VALUES ('r0')");
        for (int row = 1; row < 2_000; row++) {
            sql.append(", ('r").append(row).append("')");
        }
        Route.Computed route = (Route.Computed) db.route(sql.toString());
        assertThat(route.questions()).hasSize(2);
        assertThat(route.questions().stream().mapToInt(Route.Question::columns).sum())
                .isEqualTo(2_001);
        assertThat(route.part().parameters()).hasSize(4_000);
        sql.append(", ('x')".repeat(32_000));
        assertThat(texts(sql.toString())).containsExactly("54000");
    }
}
