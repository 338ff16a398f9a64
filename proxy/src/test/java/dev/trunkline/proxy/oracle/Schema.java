package dev.trunkline.proxy.oracle;

import dev.trunkline.harness.check.MisrouteGuard;
import dev.trunkline.harness.pg.PgShards;
import java.util.List;

/**
 * The tables of the traffic: {@code tenants} and {@code settings} on every shard; {@code orders}, {@code users} and
 * {@code archive.orders} by a translated tenant; four tables by plain keys of each type. The {@code worker} of a row is
 * the one worker that reads and writes it while several work at once.
 */
final class Schema {

    static final String LOOKUP_QUERY = "SELECT id, COALESCE(parent_tenant_id, id) FROM tenants";

    static final List<String> OMNISHARDED = List.of("tenants", "settings");
    static final List<String> BY_TENANT = List.of("users", "orders", "archive.orders");
    static final List<String> BY_PLAIN_KEY = List.of("events", "readings", "docs", "labels");

    private static final String TABLES = """
            CREATE TABLE tenants (id varchar(64) PRIMARY KEY, parent_tenant_id varchar(64), name text, worker int,
                plan smallint);
            CREATE TABLE settings (key text PRIMARY KEY, value text, worker int, n bigint);
            CREATE TABLE users (tenant_id varchar(64) REFERENCES tenants, id int, worker int NOT NULL, email text,
                age smallint, active boolean DEFAULT true, PRIMARY KEY (tenant_id, id), UNIQUE (tenant_id, email));
            CREATE TABLE orders (id int, tenant_id varchar(64) REFERENCES tenants, worker int NOT NULL, user_id int,
                status text DEFAULT 'new', total numeric(10, 2) CHECK (total >= 0), note varchar(20),
                at timestamptz DEFAULT '2024-05-01 12:00:00+00', PRIMARY KEY (tenant_id, id));
            CREATE SCHEMA archive;
            CREATE TABLE archive.orders (tenant_id varchar(64) REFERENCES tenants, total numeric(10, 2), id int,
                worker int NOT NULL, user_id int, status text DEFAULT 'old', note text,
                at timestamptz DEFAULT '2020-01-01 00:00:00+00', PRIMARY KEY (tenant_id, id));
            CREATE TABLE events (kind smallint, id bigint PRIMARY KEY, worker int NOT NULL, payload text, weight float8);
            CREATE TABLE readings (sensor smallint, taken int, worker int NOT NULL, value real,
                PRIMARY KEY (sensor, taken));
            CREATE TABLE docs (id uuid PRIMARY KEY, worker int NOT NULL, title text, body jsonb, raw bytea);
            CREATE TABLE labels (code varchar(12) PRIMARY KEY, worker int NOT NULL, n int);
            GRANT ALL ON SCHEMA archive TO PUBLIC;
            ALTER TABLE tenants OWNER TO app;
            ALTER TABLE settings OWNER TO app;
            ALTER TABLE users OWNER TO app;
            ALTER TABLE orders OWNER TO app;
            ALTER TABLE archive.orders OWNER TO app;
            ALTER TABLE events OWNER TO app;
            ALTER TABLE readings OWNER TO app;
            ALTER TABLE docs OWNER TO app;
            ALTER TABLE labels OWNER TO app;
            DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET lock_timeout = 8000', current_database()); END $$;
            """;

    private Schema() {}

    /** Creates the tables, and on several servers the guards. */
    static MisrouteGuard create(PgShards shards) {
        shards.executeAll(TABLES);
        MisrouteGuard guard = new MisrouteGuard(shards);
        if (shards.count() > 1) {
            BY_TENANT.forEach(table -> guard.translated(table, "tenant_id", "varchar", LOOKUP_QUERY));
            guard.plain("events", "id", "bigint");
            guard.plain("readings", "sensor", "bigint");
            guard.plain("docs", "id", "uuid");
            guard.plain("labels", "code", "varchar");
        }
        return guard;
    }

    /** The proxy's configuration for these tables. */
    static String configuration(PgShards shards, int port, boolean probe, int poolSize) {
        StringBuilder servers = new StringBuilder();
        for (int shard = 0; shard < shards.count(); shard++) {
            servers.append(
                    "%s{\"name\": \"prod\", \"host\": \"%s\", \"port\": %d, \"database_name\": \"%s\", \"shard\": %d}"
                            .formatted(
                                    shard == 0 ? "" : ", ",
                                    shards.host(),
                                    shards.port(shard),
                                    shards.database(),
                                    shard));
        }
        return """
                {"general": {"host": "127.0.0.1", "port": %d, "auth_type": "trust", "lookup_miss": "%s",
                    "lookup_reload_interval": 20},
                 "databases": [%s],
                 "users": [{"name": "app", "database": "prod", "pool_size": %d}],
                 "sharded_tables": [
                    {"database": "prod", "column": "tenant_id", "data_type": "varchar", "lookup": "tenants",
                     "query": "%s"},
                    {"database": "prod", "name": "events", "column": "id"},
                    {"database": "prod", "name": "readings", "column": "sensor", "data_type": "bigint"},
                    {"database": "prod", "name": "docs", "column": "id", "data_type": "uuid"},
                    {"database": "prod", "name": "labels", "column": "code", "data_type": "varchar"}],
                 "omnisharded_tables": [{"database": "prod", "tables": ["tenants", "settings"]}]}
                """.formatted(port, probe ? "probe" : "reload", servers, poolSize, LOOKUP_QUERY);
    }
}
