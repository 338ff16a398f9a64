package dev.trunkline.proxy.scenario;

import dev.trunkline.harness.check.Invariants;
import dev.trunkline.harness.check.MisrouteGuard;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.pg.Ports;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Shards with the tables of the scenarios, each sharded table guarded against rows that are not its shard's, and the
 * proxies in front of them.
 */
final class Deployment implements AutoCloseable {

    /** The database as clients know it. */
    static final String DATABASE = "prod";

    static final String TENANTS = "SELECT id, COALESCE(parent_tenant_id, id) FROM tenants";
    static final String ACCOUNTS = "SELECT id, root FROM accounts";
    static final String DEVICES = "SELECT id, owner FROM devices";

    private static final String TABLES = """
            CREATE TABLE tenants (id varchar PRIMARY KEY, parent_tenant_id varchar, name text, last_seen timestamptz);
            CREATE TABLE accounts (id bigint PRIMARY KEY, root bigint NOT NULL);
            CREATE TABLE devices (id uuid PRIMARY KEY, owner uuid NOT NULL);
            CREATE TABLE countries (code text PRIMARY KEY, name text, visits int NOT NULL DEFAULT 0);
            CREATE TABLE orders (tenant_id varchar NOT NULL, id bigint NOT NULL, note text, PRIMARY KEY (tenant_id, id));
            CREATE TABLE users (tenant_id varchar NOT NULL, id bigint NOT NULL, email text);
            CREATE TABLE ledger (account_id bigint NOT NULL, amount int NOT NULL);
            CREATE TABLE readings (device_id uuid NOT NULL, celsius int NOT NULL);
            CREATE TABLE events (id bigint NOT NULL, note text);
            """;

    private final PgShards shards;
    private final Invariants invariants;
    private final MisrouteGuard guard;
    private final Backdoor backdoor;
    private final Tenants tenants;
    private final List<Instance> instances = new ArrayList<>();
    private final int[] ports;
    private JsonArray shardedTables = new JsonArray()
            .add(translated("tenant_id", "varchar", "tenants", TENANTS))
            .add(translated("account_id", "bigint", "accounts", ACCOUNTS))
            .add(translated("device_id", "uuid", "devices", DEVICES))
            .add(new JsonObject()
                    .put("database", DATABASE)
                    .put("name", "events")
                    .put("column", "id")
                    .put("data_type", "bigint"));
    private JsonObject admin = new JsonObject();
    private JsonArray omnishardedTables = omnisharded("tenants", "accounts", "devices", "countries");

    Deployment(PgShards shards, Invariants invariants) {
        this.shards = shards;
        this.invariants = invariants;
        this.ports = new int[shards.count()];
        for (int shard = 0; shard < ports.length; shard++) {
            ports[shard] = shards.port(shard);
            // Object identifiers must not be equal on all shards, or a catalog query that jumps would go unseen.
            shards.execute(shard, "CREATE TABLE unequal (n int); DROP TABLE unequal;".repeat(shard));
        }
        shards.executeAll(TABLES);
        guard = new MisrouteGuard(shards);
        guard.translated("orders", "tenant_id", "varchar", TENANTS);
        guard.translated("users", "tenant_id", "varchar", TENANTS);
        guard.translated("ledger", "account_id", "bigint", ACCOUNTS);
        guard.translated("readings", "device_id", "uuid", DEVICES);
        guard.plain("events", "id", "bigint");
        backdoor = new Backdoor(shards);
        tenants = new Tenants(shards, backdoor);
    }

    /** A rule for every table that has the column. */
    static JsonObject translated(String column, String type, String lookup, String query) {
        return new JsonObject()
                .put("database", DATABASE)
                .put("column", column)
                .put("data_type", type)
                .put("lookup", lookup)
                .put("query", query);
    }

    static JsonArray omnisharded(String... tables) {
        return new JsonArray()
                .add(new JsonObject().put("database", DATABASE).put("tables", new JsonArray(List.of((Object[])
                        tables))));
    }

    PgShards shards() {
        return shards;
    }

    Invariants invariants() {
        return invariants;
    }

    MisrouteGuard guard() {
        return guard;
    }

    Backdoor backdoor() {
        return backdoor;
    }

    Tenants tenants() {
        return tenants;
    }

    /** Replaces the rules, for the proxies that are started from now on. */
    void rules(JsonArray sharded, JsonArray omnisharded) {
        shardedTables = sharded;
        omnishardedTables = omnisharded;
    }

    /** Lists further omnisharded tables of which a client always reads the same copy. */
    void addSticky(String table) {
        omnishardedTables.add(new JsonObject()
                .put("database", DATABASE)
                .put("tables", List.of(table))
                .put("sticky", true));
    }

    /** Lists further omnisharded tables, for the proxies that are started from now on. */
    void addOmnisharded(String... tables) {
        omnisharded(tables).forEach(omnishardedTables::add);
    }

    /** Lets the proxies that are started from now on reach a shard at another port of 127.0.0.1: that of a relay. */
    void reachShard(int shard, int port) {
        ports[shard] = port;
    }

    /** Starts a proxy with these settings beside what every test needs. */
    Instance start(Map<String, Object> general) {
        return keep(Instance.start(configuration(general)));
    }

    /** The same for a proxy whose pools are too small to tell whether it takes clients on both event loops. */
    Instance startNarrow(Map<String, Object> general) {
        return keep(Instance.startNarrow(configuration(general)));
    }

    private Instance keep(Instance instance) {
        instances.add(instance);
        invariants.add(instance::remains);
        return instance;
    }

    /** A whole configuration with these settings beside what every test needs. */
    JsonObject configuration(Map<String, Object> general) {
        JsonObject settings = new JsonObject()
                .put("host", "127.0.0.1")
                .put("port", Ports.free())
                .put("workers", 2)
                .put("clients_per_worker", 1)
                .put("auth_type", "trust")
                .put("default_pool_size", 10);
        general.forEach(settings::put);
        return new JsonObject()
                .put("general", settings)
                .put("databases", databases())
                .put(
                        "users",
                        new JsonArray().add(new JsonObject().put("name", "app").put("database", DATABASE)))
                .put("sharded_tables", shardedTables)
                .put("omnisharded_tables", omnishardedTables)
                .put("admin", admin);
    }

    /** Opens the admin database of the proxies that start from now on. */
    void admin(String password) {
        admin = new JsonObject().put("password", password);
    }

    private JsonArray databases() {
        JsonArray databases = new JsonArray();
        for (int shard = 0; shard < shards.count(); shard++) {
            databases.add(new JsonObject()
                    .put("name", DATABASE)
                    .put("host", shards.host())
                    .put("port", ports[shard])
                    .put("database_name", shards.database())
                    .put("shard", shard));
        }
        return databases;
    }

    void closeClients() {
        instances.forEach(Instance::closeClients);
    }

    @Override
    public void close() {
        instances.forEach(Instance::close);
        backdoor.close();
    }
}
