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
    void parametersKeepTheirNumbersIfTheirTypesAreGiven() {
        String sql = "INSERT INTO items (id, name) VALUES ($1, $2), ($3, $4)";
        assertThat(parts(
                        sql,
                        Typed.text(PgType.INT8, "5"),
                        Typed.text(PgType.TEXT, "x"),
                        Typed.text(PgType.INT8, "6"),
                        Typed.text(PgType.TEXT, "y")))
                .containsExactly(
                        "0: INSERT INTO items (id, name) VALUES ($3, $4)",
                        "2: INSERT INTO items (id, name) VALUES ($1, $2)");
        db.expect("0A000", sql, Typed.text(PgType.INT8, "5"), "x", Typed.text(PgType.INT8, "6"), "y");
    }

    @Test
    void rowsOfDifferentShapeAreToldApart() {
        assertThat(parts("INSERT INTO items (id, name) VALUES (5, lower('a')), (6, 'b'), (1, NULL)"))
                .containsExactly(
                        "0: INSERT INTO items (id, name) VALUES (6, 'b')",
                        "2: INSERT INTO items (id, name) VALUES (5, lower('a')),(1, NULL)");
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
