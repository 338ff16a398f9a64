package dev.trunkline.routing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** SQL in, route out, for a statement of every kind; see {@link Fixture} for the tables. */
class RouterTest {

    private final Fixture db = new Fixture();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            SELECT * FROM orders WHERE tenant_id = 'acme'               | 2
            SELECT * FROM orders WHERE tenant_id = 'acme-east'          | 2
            SELECT * FROM orders WHERE 'beta' = tenant_id               | 0
            SELECT * FROM orders WHERE tenant_id IN ('acme', 'beta')    | 0,2
            SELECT * FROM orders WHERE tenant_id = 'nobody'             | ?nobody
            SELECT * FROM orders WHERE tenant_id = 5                    | 0,1,2
            SELECT * FROM orders WHERE tenant_id = 5::text              | ?5
            INSERT INTO orders (id, tenant_id) VALUES (1, 5)            | ?5
            SELECT * FROM orders WHERE tenant_id IN ('acme', 'nobody')  | ?acme,nobody
            SELECT * FROM orders                                        | 0,1,2
            SELECT count(*) FROM orders                                 | 0A000
            SELECT * FROM orders ORDER BY id                            | 0A000
            SELECT * FROM orders LIMIT 1                                | 0A000
            SELECT DISTINCT note FROM orders                            | 0A000
            SELECT note FROM orders GROUP BY note                       | 0A000
            SELECT tenant_id, count(*) FROM orders GROUP BY tenant_id   | 0,1,2
            SELECT count(*) FROM orders WHERE tenant_id = 'acme'        | 2
            SELECT * FROM items WHERE id = 5                            | 2
            SELECT * FROM items WHERE id = 5 OR id = 6                  | 0,2
            INSERT INTO items VALUES (5, 'x', 1)                        | 2
            INSERT INTO items (name, id) VALUES ('x', 5)                | 2
            INSERT INTO items (name, id) VALUES ('x', 5), ('y', 5)      | 2
            INSERT INTO items (name, id) VALUES ('x', 5), ('y', 6)      | split 0,2
            INSERT INTO items (name) VALUES ('x')                       | 22004
            INSERT INTO items (id) VALUES (NULL)                        | 22004
            INSERT INTO items (id) VALUES (DEFAULT)                     | 22004
            INSERT INTO events VALUES (3, 'x')                          | 22023
            INSERT INTO events VALUES (1, 'x')                          | 0
            INSERT INTO events VALUES (150, 'x')                        | 1
            SELECT * FROM events WHERE id = 3                           | 0,1,2
            UPDATE items SET n = 1 WHERE id = 5                         | 2
            UPDATE items SET n = 1                                      | 0,1,2
            DELETE FROM items WHERE id = 6                              | 0
            DELETE FROM items                                           | 0,1,2
            SELECT * FROM tenants                                       | any
            INSERT INTO tenants VALUES ('x', NULL, 'n', NULL)           | all
            UPDATE tenants SET last_seen = now()                        | computed
            UPDATE tenants SET name = 'x'                               | all
            SELECT 1                                                    | any
            SELECT now()                                                | any
            SELECT * FROM pg_class                                      | sticky
            SELECT * FROM notes                                         | 0
            INSERT INTO notes VALUES (1, 'x')                           | 0A000
            SELECT * FROM open_orders                                   | 0A000
            SELECT * FROM tenant_names                                  | any
            CREATE TABLE x (id int)                                     | all
            TRUNCATE orders                                             | all
            CREATE TEMP TABLE x (id int)                                | 0A000
            SELEC 1                                                     | unproven
            LISTEN x                                                    | 0A000
            SHOW search_path                                            | any
            """)
    void routes(String sql, String route) {
        assertThat(db.outcome(sql)).isEqualTo(route);
    }
}
