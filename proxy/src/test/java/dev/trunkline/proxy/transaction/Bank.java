package dev.trunkline.proxy.transaction;

import dev.trunkline.harness.pg.PgCluster;
import dev.trunkline.harness.pg.PgServer;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.pg.Ports;
import dev.trunkline.proxy.twophase.DecisionTable;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Accounts on shards of their own servers, which a test may break, and the configuration of proxies over them. A transfer
 * changes two balances and leaves an entry of its number with each of the two accounts, so that it can be told afterwards
 * whether it took place.
 */
final class Bank implements AutoCloseable {

    static final String DATABASE = "bank";

    /** Accounts are numbered from 1. */
    static final int ACCOUNTS = 60;

    static final long FUNDS = 1_000;

    /** Servers recover, prepared transactions are found every two seconds: on a busy machine that takes a while. */
    private static final Duration LONGEST_RECOVERY = Duration.ofSeconds(60);

    private static final String TABLES = """
            CREATE TABLE account (account_id bigint PRIMARY KEY, balance bigint NOT NULL);
            CREATE TABLE entry (account_id bigint, transfer bigint, amount bigint NOT NULL,
                PRIMARY KEY (account_id, transfer));
            GRANT ALL ON account, entry TO PUBLIC;
            CREATE TABLE home (k bigint) PARTITION BY HASH (k);
            """;

    private final PgCluster cluster;
    private final PgShards shards;
    private final List<List<Integer>> accounts = new ArrayList<>();

    Bank(int count) {
        cluster = PgCluster.start(count);
        shards = cluster.shards(count);
        shards.executeAll(TABLES);
        shards.executeAll(DecisionTable.CREATE);
        // Who waits for what a dead proxy has left prepared gives up before its client does.
        shards.executeAll("ALTER ROLE app IN DATABASE " + shards.database() + " SET lock_timeout = '3s'");
        for (int shard = 0; shard < count; shard++) {
            shards.execute(
                    shard,
                    "INSERT INTO account SELECT k, %d FROM generate_series(1, %d) k WHERE satisfies_hash_partition('home'::regclass, %d, %d, k::bigint)"
                            .formatted(FUNDS, ACCOUNTS, count, shard));
            accounts.add(shards.query(shard, "SELECT account_id FROM account ORDER BY 1").stream()
                    .map(row -> Integer.valueOf(String.valueOf(row.get(0))))
                    .toList());
        }
    }

    PgShards shards() {
        return shards;
    }

    PgServer server(int shard) {
        return cluster.server(shard);
    }

    /** An account that lies on a shard. */
    int accountOn(int shard) {
        return accounts.get(shard).get(0);
    }

    /** A configuration of a proxy that reaches the shards at these ports. */
    JsonObject configuration(String instance, List<Integer> ports) {
        JsonArray databases = new JsonArray();
        for (int shard = 0; shard < shards.count(); shard++) {
            databases.add(new JsonObject()
                    .put("name", DATABASE)
                    .put("host", shards.host())
                    .put("port", ports.get(shard))
                    .put("database_name", shards.database())
                    .put("shard", shard));
        }
        return new JsonObject()
                .put(
                        "general",
                        new JsonObject()
                                .put("instance_id", instance)
                                .put("host", "127.0.0.1")
                                .put("port", Ports.free())
                                .put("workers", 2)
                                .put("auth_type", "trust")
                                .put("min_pool_size", 0)
                                .put("default_pool_size", 20)
                                .put("connect_timeout", 2_000)
                                .put("checkout_timeout", 3_000)
                                .put("two_phase_commit", true))
                .put("databases", databases)
                .put(
                        "users",
                        new JsonArray().add(new JsonObject().put("name", "app").put("database", DATABASE)))
                .put(
                        "sharded_tables",
                        new JsonArray()
                                .add(new JsonObject()
                                        .put("database", DATABASE)
                                        .put("column", "account_id")
                                        .put("data_type", "bigint")));
    }

    JsonObject configuration(String instance) {
        return configuration(
                instance, cluster.servers().stream().map(PgServer::port).toList());
    }

    /** Returns when nothing is prepared on any shard; fails if something stays. */
    void awaitSettled() {
        long deadline = System.nanoTime() + LONGEST_RECOVERY.toNanos();
        List<Long> left = prepared();
        while (!left.stream().allMatch(count -> count == 0)) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("prepared on the shards: " + left);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            left = prepared();
        }
    }

    private List<Long> prepared() {
        return shards.queryLongs("SELECT count(*) FROM pg_prepared_xacts");
    }

    /** On how many accounts a transfer has left its entry: 0 or 2, if all is well. */
    long entries(long transfer) {
        return shards.queryLongs("SELECT count(*) FROM entry WHERE transfer = " + transfer).stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** The same for every transfer that has left any, by its number. */
    Map<Long, Long> entries() {
        Map<Long, Long> entries = new HashMap<>();
        for (int shard = 0; shard < shards.count(); shard++) {
            shards.query(shard, "SELECT transfer, count(*) FROM entry GROUP BY transfer")
                    .forEach(row -> entries.merge(
                            Long.valueOf(String.valueOf(row.get(0))),
                            Long.valueOf(String.valueOf(row.get(1))),
                            Long::sum));
        }
        return entries;
    }

    /** The sum of all balances. */
    long total() {
        return shards.queryLongs("SELECT COALESCE(sum(balance), 0)::bigint FROM account").stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** How many accounts have a balance that their entries do not explain. */
    long unexplained() {
        String sql = "SELECT count(*) FROM account a WHERE balance <> " + FUNDS
                + " + (SELECT COALESCE(sum(amount), 0) FROM entry e WHERE e.account_id = a.account_id)";
        return shards.queryLongs(sql).stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public void close() {
        cluster.close();
    }
}
