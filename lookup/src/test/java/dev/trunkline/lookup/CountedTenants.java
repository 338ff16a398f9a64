package dev.trunkline.lookup;

import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.routing.key.KeyType;

/** A lookup table on shard 0 whose query counts how often it is executed. */
final class CountedTenants {

    /** The condition is evaluated once per execution, and not at all by one that fetches no row. */
    static final String QUERY = "SELECT id, COALESCE(parent_id, id) FROM tenants WHERE (SELECT counted())";

    private static final String READERS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            + " AND application_name LIKE 'trunkline lookup%'";

    private final PgShards shards;

    private CountedTenants(PgShards shards) {
        this.shards = shards;
    }

    static CountedTenants create(PgShards shards) {
        shards.execute(0, """
                DROP TABLE IF EXISTS tenants CASCADE;
                DROP FUNCTION IF EXISTS counted CASCADE;
                DROP SEQUENCE IF EXISTS executions CASCADE;
                CREATE TABLE tenants (id text PRIMARY KEY, parent_id text);
                INSERT INTO tenants VALUES ('root', NULL), ('child', 'root'), ('7', NULL), ('007', 'root');
                CREATE SEQUENCE executions;
                CREATE FUNCTION counted() RETURNS boolean VOLATILE LANGUAGE sql SECURITY DEFINER
                    AS $$ SELECT nextval('executions') > 0 $$;
                """);
        return new CountedTenants(shards);
    }

    LookupDefinition definition() {
        return LookupFixture.definition(KeyType.VARCHAR, QUERY);
    }

    /** How often the query has been executed. */
    long executions() {
        return Long.parseLong(
                shards.queryOne(0, "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM executions"));
    }

    void insert(String id, String parent) {
        shards.execute(0, "INSERT INTO tenants VALUES ('" + id + "', '" + parent + "')");
    }

    /** Returns when a load or a probe waits for a lock. */
    void awaitReaderWaitsForLock() {
        Conditions.await(
                "a reader that waits for a lock",
                () -> !"0".equals(shards.queryOne(0, READERS + " AND wait_event_type = 'Lock'")));
    }

    boolean isLoading() {
        return !"0".equals(shards.queryOne(0, READERS + " AND state = 'active'"));
    }

    /** When the transaction of the load under way began. */
    String loadStart() {
        return String.valueOf(shards.queryOne(
                0, "SELECT max(xact_start) FROM pg_stat_activity WHERE application_name = 'trunkline lookup load'"));
    }
}
