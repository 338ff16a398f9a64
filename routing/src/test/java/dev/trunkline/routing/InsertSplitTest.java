package dev.trunkline.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.routing.Fixture.Typed;
import dev.trunkline.routing.key.PgType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An INSERT of rows of several shards. Items 5, 1 and 3 live on shard 2, 6 and 2 on shard 0, -5 on shard 1. */
class InsertSplitTest {

    private final Fixture db = new Fixture();

    private List<String> parts(String sql, Object... parameters) {
        Route.Split split = (Route.Split) db.route(sql, parameters);
        return split.parts().stream()
                .map(part -> part.shard() + ": " + new String(part.text(), StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void eachShardGetsItsRowsInTheirOrder() {
        assertThat(
                        parts(
                                "INSERT INTO items (id, name) VALUES (5, 'a,('), (6, 'b') , (1, f('(', 2)), (-5, $$)$$) RETURNING id"))
                .containsExactly(
                        "0: INSERT INTO items (id, name) VALUES (6, 'b') RETURNING id",
                        "1: INSERT INTO items (id, name) VALUES (-5, $$)$$) RETURNING id",
                        "2: INSERT INTO items (id, name) VALUES (5, 'a,('),(1, f('(', 2)) RETURNING id");
        Route.Split split = (Route.Split) db.route("INSERT INTO items (id) VALUES (5), (6), (1), (-5), (2)");
        assertThat(split.rowParts()).containsExactly(2, 0, 2, 1, 0);
    }

    @Test
    void whatStandsAroundTheRowsStays() {
        assertThat(parts("/* c */ INSERT INTO items AS i (id, n) OVERRIDING SYSTEM VALUE VALUES (5, 1), (6, 2)"
                        + " ON CONFLICT (id) DO UPDATE SET n = excluded.n WHERE i.n IN (VALUES (1), (2)) -- end"))
                .containsExactly(
                        "0: /* c */ INSERT INTO items AS i (id, n) OVERRIDING SYSTEM VALUE VALUES (6, 2)"
                                + " ON CONFLICT (id) DO UPDATE SET n = excluded.n WHERE i.n IN (VALUES (1), (2)) -- end",
                        "2: /* c */ INSERT INTO items AS i (id, n) OVERRIDING SYSTEM VALUE VALUES (5, 1)"
                                + " ON CONFLICT (id) DO UPDATE SET n = excluded.n WHERE i.n IN (VALUES (1), (2)) -- end");
    }

    @Test
    void aMissingColumnListIsPutIn() {
        assertThat(parts("INSERT INTO items VALUES (5, 'a'), (6, 'b')"))
                .containsExactly(
                        "0: INSERT INTO items (\"id\", \"name\") VALUES (6, 'b')",
                        "2: INSERT INTO items (\"id\", \"name\") VALUES (5, 'a')");
    }

    @Test
    void eachPartNumbersTheParametersThatItUses() {
        String sql = "INSERT INTO items (id, name) VALUES ($1, $2), ($3 , lower($4)), (1, $2) RETURNING $5::text";
        Route.Split split = (Route.Split) db.route(sql, "5", "x", "6", "y", "z");
        assertThat(split.parts().get(0).parameters()).containsExactly(3, 4, 5);
        assertThat(split.parts().get(1).parameters()).containsExactly(1, 2, 5);
        assertThat(parts(sql, "5", "x", "6", "y", "z"))
                .containsExactly(
                        "0: INSERT INTO items (id, name) VALUES ($1 , lower($2)) RETURNING $3::text",
                        "2: INSERT INTO items (id, name) VALUES ($1, $2),(1, $2) RETURNING $3::text");
    }

    /** PostgreSQL takes the type of a parameter from the first place where it stands. */
    @Test
    void aParameterThatMightChangeItsTypeIsNotSplit() {
        String sql = "INSERT INTO items (id, name) VALUES (5, $1), (6, lower($1))";
        db.expect("0A000", sql, "x")
                .expect("split 0,2", sql, Typed.text(PgType.TEXT, "x"))
                .expect("split 0,2", "INSERT INTO items (id, name) VALUES (5, $1), (6, $1)", "x")
                .expect("split 0,2", "INSERT INTO items (id, name) VALUES (5, f(1, $1)), (6, 'x')", "x")
                .expect("0A000", "INSERT INTO items (id, n, name) VALUES (5, $1, 'x'), (6, 2, $1)", "7")
                .expect("0A000", "INSERT INTO items (id, n) VALUES (5, $1), (6, 2) RETURNING n + $1", "7")
                .expect("0A000", "INSERT INTO items (id, n) VALUES (5, ARRAY[1, $1, 2]), (6, $1)", "7");
    }

    @Test
    void aPositionIsFoundAgainInTheClientsText() {
        String sql = "INSERT INTO items VALUES (5, 'ä€😀' || n), ($1, y) RETURNING z";
        byte[] source = ("; ä;" + sql).getBytes(StandardCharsets.UTF_8);
        List<Statement> statements = db.analyze("; ä;" + sql);
        Route.Split split = (Route.Split) db.route(statements.get(1), "6");
        for (Route.Part part : split.parts()) {
            String text = new String(part.text(), StandardCharsets.UTF_8);
            for (String word : List.of("items", "'ä", "n)", "$", "y)", "z")) {
                if (text.contains(word)) {
                    assertThat(part.sourcePosition(source, characters(text, word)))
                            .as(word)
                            .isEqualTo(characters("; ä;" + sql, word));
                }
            }
            assertThat(part.sourcePosition(source, characters(text, "\"name\"")))
                    .isZero();
            assertThat(part.sourcePosition(source, 1_000)).isZero();
        }
    }

    private static int characters(String text, String word) {
        return text.codePointCount(0, text.indexOf(word)) + 1;
    }

    @Test
    void rowsOfDifferentShapeAreToldApart() {
        assertThat(parts("INSERT INTO items (id, name) VALUES (5, lower('a')), (6, 'b'), (1, NULL)"))
                .containsExactly(
                        "0: INSERT INTO items (id, name) VALUES (6, 'b')",
                        "2: INSERT INTO items (id, name) VALUES (5, lower('a')),(1, NULL)");
    }

    /** PostgreSQL takes {@code VALUES (generate_series(1, 3))} as one row only, and rows of one length only. */
    @Test
    void listsThatPostgreSqlMightRefuseAreParsedFirst() {
        assertThat(parseFirst("INSERT INTO items (id, name) VALUES (5, 'a'), (6, ('b'))"))
                .isFalse();
        assertThat(parseFirst("INSERT INTO items (id, name) VALUES (5, 'a'), (6, f('b'))"))
                .isTrue();
        assertThat(parseFirst("INSERT INTO items (id, name) VALUES (5, f('a')), (1, 'b'), (6, 'c')"))
                .isFalse();
        assertThat(parseFirst("INSERT INTO items (id, name) VALUES (5, 'a'), (6)"))
                .isTrue();
        assertThat(parseFirst("INSERT INTO items (id, name) VALUES (5, ARRAY[1, 2]), (6, ROW (1, 2, 3))"))
                .isTrue();
        assertThat(parseFirst("INSERT INTO items (id, name) VALUES (5, ARRAY[1, 2]), (6, (1))"))
                .isFalse();
    }

    private boolean parseFirst(String sql) {
        return ((Route.Split) db.route(sql)).parseFirst();
    }

    @Test
    void whatLooksAtOtherRowsIsNotSplit() {
        db.expect(
                        "0A000",
                        "INSERT INTO items (id, n) VALUES (5, (SELECT max(id) FROM parts WHERE item_id = 5)), (6, 1)")
                .expect("0A000", "WITH x AS (SELECT 1) INSERT INTO items (id) VALUES (5), (6)")
                .expect("0A000", "EXPLAIN INSERT INTO items (id) VALUES (5), (6)")
                .expect("0A000", "INSERT INTO items (id) VALUES (5), (6) ON CONFLICT (id) DO UPDATE SET id = 5")
                .expect("?acme,nobody", "INSERT INTO orders (tenant_id) VALUES ('acme'), ('nobody')")
                .expect("split 0,2", "INSERT INTO orders (tenant_id) VALUES ('acme'), ('beta')");
    }

    @Test
    void strictModeRefuses() {
        db.crossShardDisabled().expect("0A000", "INSERT INTO items (id) VALUES (5), (6)");
    }
}
