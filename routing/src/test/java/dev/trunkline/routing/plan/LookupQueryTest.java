package dev.trunkline.routing.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a lookup query is made of. */
class LookupQueryTest {

    private static @Nullable String keyOf(String query) {
        return Objects.requireNonNull(LookupQuery.of(query)).key();
    }

    @Test
    void onlyAQueryThatMakesEachEntryOfOneRowOnlyGrows() {
        assertThat(keyOf("SELECT id, COALESCE(parent_id, id) FROM tenants")).isEqualTo("id");
        assertThat(keyOf("SELECT t.id, t.parent_id FROM tenants AS t WHERE t.name <> '' ORDER BY 1"))
                .isEqualTo("id");
        for (String query : List.of(
                "SELECT DISTINCT id, parent_id FROM tenants",
                "SELECT id, max(parent_id) FROM tenants GROUP BY id",
                "SELECT id, first_value(id) OVER (ORDER BY name) FROM tenants",
                "SELECT id, parent_id FROM tenants LIMIT 10",
                "SELECT t.id, p.id FROM tenants t JOIN tenants p ON p.id = t.parent_id",
                "SELECT id, (SELECT name FROM settings) FROM tenants",
                "SELECT id, parent_id FROM tenants t WHERE NOT EXISTS (SELECT FROM tenants o WHERE o.parent_id = t.id)",
                "SELECT lower(id), parent_id FROM tenants",
                "SELECT id, id FROM tenants UNION ALL SELECT name, id FROM tenants",
                "WITH t AS (SELECT id, parent_id FROM tenants) SELECT id, parent_id FROM t",
                "SELECT * FROM tenants")) {
            assertThat(keyOf(query)).as(query).isNull();
        }
    }
}
