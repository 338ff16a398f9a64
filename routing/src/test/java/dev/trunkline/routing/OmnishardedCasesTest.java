package dev.trunkline.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.UnlistedTables;
import org.junit.jupiter.api.Test;

/** Tables with the same rows on every shard, and tables of which nobody says where their rows are. */
class OmnishardedCasesTest {

    private final Fixture db = new Fixture();

    @Test
    void omUnknownTableAfterDdl() {
        assertThat(db.statement("SELECT * FROM new_table").hasUnknownRelation()).isTrue();
        assertThat(db.statement("INSERT INTO new_table VALUES (1)").hasUnknownRelation())
                .isTrue();
        assertThat(db.statement("SELECT new_function(1)").hasUnknownRelation()).isTrue();
        assertThat(db.statement("WITH new_table AS (SELECT 1) SELECT upper('x') FROM new_table")
                        .hasUnknownRelation())
                .isFalse();
        db.expect("0", "SELECT * FROM new_table").expect("42P01", "INSERT INTO new_table VALUES (1)");
    }

    @Test
    void omVolatileFunctions() {
        db.expect("computed", "INSERT INTO tenants (id, last_seen) VALUES ('x', now())")
                .expect("computed", "INSERT INTO tenants (id, last_seen) VALUES ('x', current_timestamp)")
                .expect("computed", "INSERT INTO tenants (id, last_seen) VALUES ('x', clock_timestamp())")
                .expect("computed", "INSERT INTO tenants (id) VALUES (gen_random_uuid())")
                .expect("computed", "INSERT INTO tenants (id) VALUES (random()::text)")
                .expect("computed", "INSERT INTO tenants (id) VALUES (current_database())")
                .expect("0A000", "INSERT INTO tenants (id, last_seen) VALUES ('x', 'now')")
                .expect("0A000", "INSERT INTO tenants (id, last_seen) VALUES ('x', 'today'::date)")
                .expect("0A000", "INSERT INTO tenants (id, last_seen) VALUES ($1, $2)", "x", "Now")
                .expect(
                        "0A000",
                        "INSERT INTO tenants (id, last_seen) VALUES ($1, $2), ($3, $4)",
                        "x",
                        "2024-01-01",
                        "y",
                        "tomorrow")
                .expect(
                        "all",
                        "INSERT INTO tenants (id, last_seen) VALUES ($1, $2), ($3, $4)",
                        "now",
                        "2024-01-01",
                        "y",
                        "2024-01-02")
                .expect("computed", "UPDATE tenants SET last_seen = now()")
                .expect("0A000", "UPDATE tenants SET last_seen = clock_timestamp()")
                .expect("0A000", "UPDATE tenants SET name = gen_random_uuid()::text WHERE last_seen < now()")
                .expect("0A000", "UPDATE tenants SET last_seen = $1", "now")
                .expect("all", "UPDATE tenants SET last_seen = $1, name = 'now'", "2024-01-01")
                .expect("0A000", "ALTER TABLE tenants ADD COLUMN d timestamptz DEFAULT now()")
                .expect("0A000", "ALTER TABLE tenants ADD COLUMN d timestamptz DEFAULT current_timestamp")
                .expect("0A000", "ALTER TABLE tenants ADD COLUMN d bigserial")
                .expect("all", "ALTER TABLE tenants ADD COLUMN d varchar(10) DEFAULT 'x'")
                .expect("all", "INSERT INTO tenants (id, name) VALUES ('x', upper('y') || 'z')");
    }

    @Test
    void omVolatileDefaults() {
        db.expect("computed", "INSERT INTO settings (id, name) VALUES (1, 'x')")
                .expect("computed", "INSERT INTO settings DEFAULT VALUES")
                .expect("computed", "INSERT INTO settings (id, serial_no) VALUES (1, DEFAULT)")
                .expect("computed", "INSERT INTO settings (id, serial_no) VALUES (1, 2), (3, DEFAULT)")
                .expect("0A000", "INSERT INTO settings SELECT 1, 'x'")
                .expect("0A000", "UPDATE settings SET serial_no = DEFAULT")
                .expect("all", "INSERT INTO settings (id, serial_no) VALUES (1, 2), (3, 4)")
                .expect("all", "INSERT INTO settings VALUES (1, 'x', NULL, 2)");
    }

    @Test
    void omHintDoesNotNarrow() {
        db.expect("0A000", "/* pgdog_shard: 1 */ INSERT INTO tenants (id) VALUES ('x')");
    }

    @Test
    void omMixedShardedJoinWrite() {
        db.expect("0A000", "INSERT INTO tenants (id) SELECT count(*)::text FROM orders")
                .expect("0A000", "INSERT INTO tenants (id) SELECT tenant_id FROM orders WHERE tenant_id = 'acme'")
                .expect("0A000", "UPDATE tenants SET name = o.note FROM orders o WHERE o.tenant_id = tenants.id")
                .expect("0A000", "DELETE FROM tenants WHERE id IN (SELECT tenant_id FROM orders)")
                .expect("0A000", "INSERT INTO tenants (id) SELECT id::text FROM notes")
                .expect("all", "UPDATE tenants SET name = s.name FROM settings s WHERE s.name = tenants.id");
    }

    @Test
    void omReadOneShard() {
        db.expect("any", "SELECT count(*) FROM tenants")
                .expect("any", "SELECT * FROM tenants JOIN settings ON settings.name = tenants.id ORDER BY 1 LIMIT 5")
                .expect("any", "SELECT id FROM tenants UNION SELECT name FROM settings");
    }

    @Test
    void omWritesOfDifferentRowsPerShardAreRefused() {
        db.expect("0A000", "UPDATE tenants SET name = 'x' WHERE id IN (SELECT id FROM tenants LIMIT 1)")
                .expect("0A000", "DELETE FROM tenants WHERE ctid = '(0,1)'")
                .expect("0A000", "INSERT INTO tenants (id) SELECT DISTINCT ON (name) id FROM tenants")
                .expect("0A000", "INSERT INTO tenants (id) SELECT row_number() OVER ()::text FROM tenants")
                .expect("0A000", "INSERT INTO tenants (id) SELECT string_agg(id, ',') FROM tenants")
                .expect("all", "INSERT INTO tenants (id) SELECT max(id) FROM tenants");
    }

    @Test
    void writesOfOmnishardedAndShardedTablesAtOnceAreRefused() {
        db.expect(
                        "0A000",
                        "WITH t AS (INSERT INTO tenants (id) VALUES ('x')) INSERT INTO orders (tenant_id) VALUES ('acme')")
                .expect(
                        "0A000",
                        "WITH o AS (DELETE FROM orders WHERE tenant_id = 'acme' RETURNING *)"
                                + " UPDATE tenants SET name = 'x'");
    }

    @Test
    void locksOnOmnishardedRowsAreTakenOnShardZero() {
        db.expect("0", "SELECT * FROM tenants WHERE id = 'x' FOR UPDATE").expect("any", "SELECT 1 FOR UPDATE");
    }

    @Test
    void mergeIntoOmnishardedTables() {
        String merge = "MERGE INTO tenants t USING %s s ON t.name = s.name WHEN MATCHED THEN UPDATE SET name = %s"
                + " WHEN NOT MATCHED THEN INSERT (id) VALUES (s.name)";
        db.expect("all", merge.formatted("settings", "s.name"))
                .expect("computed", merge.formatted("settings", "now()::text"))
                .expect("0A000", merge.formatted("settings", "random()::text"))
                .expect("0A000", merge.formatted("items", "s.name"))
                .expect("0A000", "MERGE INTO items i USING settings s ON i.id = s.id WHEN MATCHED THEN DELETE");
    }

    @Test
    void unlistedTablesAreOneShardsOrRefused() {
        db.expect("0", "SELECT * FROM notes")
                .expect("0A000", "INSERT INTO notes VALUES (1, 'x')")
                .expect("0A000", "DELETE FROM notes")
                .expect("0", "SELECT * FROM notes n JOIN orders o ON o.tenant_id = 'beta'")
                .expect("0A000", "SELECT * FROM notes n JOIN orders o ON o.tenant_id = 'acme'");
        new Fixture()
                .unlisted(UnlistedTables.onShard(1))
                .expect("1", "SELECT * FROM notes")
                .expect("1", "INSERT INTO notes VALUES (1, 'x')");
        new Fixture()
                .unlisted(UnlistedTables.OMNI)
                .expect("any", "SELECT * FROM notes")
                .expect("all", "INSERT INTO notes VALUES (1, 'x')");
    }

    @Test
    void viewsAreWhatTheyRead() {
        db.expect("any", "SELECT * FROM tenant_names")
                .expect("0A000", "SELECT * FROM open_orders")
                .expect("0A000", "SELECT * FROM open_orders WHERE tenant_id = 'acme'")
                .expect("0A000", "UPDATE tenant_names SET name = 'x'")
                .expect("2", "SELECT * FROM tenant_names v JOIN orders o ON o.tenant_id = v.id WHERE v.id = 'acme'");
    }
}
