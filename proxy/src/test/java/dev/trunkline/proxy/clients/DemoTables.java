package dev.trunkline.proxy.clients;

import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.routing.shard.PartitionHash;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The demo's tables and rows: tenants on each shard, their users and orders where their root hashes to. */
final class DemoTables {

    private static final String SCHEMA = """
            CREATE TABLE tenants (
                id varchar PRIMARY KEY, parent_tenant_id varchar REFERENCES tenants, name varchar NOT NULL);
            CREATE TABLE users (
                tenant_id varchar NOT NULL REFERENCES tenants, id bigint NOT NULL, email varchar NOT NULL,
                PRIMARY KEY (tenant_id, id));
            CREATE TABLE orders (
                tenant_id varchar NOT NULL REFERENCES tenants, id bigint NOT NULL, user_id bigint,
                item varchar NOT NULL, cents bigint NOT NULL, PRIMARY KEY (tenant_id, id));
            ALTER TABLE tenants OWNER TO app;
            ALTER TABLE users OWNER TO app;
            ALTER TABLE orders OWNER TO app;
            """;

    private static final List<String> TENANTS =
            List.of("acme", "acme-berlin", "acme-tokyo", "wayne", "wayne-labs", "initech");
    private static final Map<String, String> PARENTS =
            Map.of("acme-berlin", "acme", "acme-tokyo", "acme", "wayne-labs", "wayne");

    private DemoTables() {}

    static void load(PgShards shards) {
        shards.executeAll(SCHEMA);
        for (String tenant : TENANTS) {
            String parent = PARENTS.get(tenant);
            shards.executeAll("INSERT INTO tenants VALUES ('" + tenant + "', "
                    + (parent == null ? "NULL" : "'" + parent + "'") + ", initcap('" + tenant + "'))");
            byte[] root = (parent == null ? tenant : parent).getBytes(StandardCharsets.UTF_8);
            int shard = PartitionHash.shard(PartitionHash.ofBytes(root, 0, root.length), shards.count());
            shards.execute(shard, """
                    INSERT INTO users VALUES ('%1$s', 1, 'wile@%1$s.example');
                    INSERT INTO orders VALUES ('%1$s', 1, 1, 'anvil', 1999), ('%1$s', 2, 1, 'rocket skates', 3998),
                        ('%1$s', 3, 1, 'giant magnet', 5997)
                    """.formatted(tenant));
        }
    }

    /** The rule by which the rows lie where they lie. */
    static JsonObject rule(String database) {
        return new JsonObject()
                .put("database", database)
                .put("column", "tenant_id")
                .put("data_type", "varchar")
                .put("lookup", "tenants")
                .put("query", "SELECT id, COALESCE(parent_tenant_id, id) FROM tenants");
    }
}
