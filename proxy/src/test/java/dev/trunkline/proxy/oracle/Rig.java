package dev.trunkline.proxy.oracle;

import dev.trunkline.conf.load.ConfigurationLoader;
import dev.trunkline.harness.check.MisrouteGuard;
import dev.trunkline.harness.pg.HarnessException;
import dev.trunkline.harness.pg.PgCluster;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.pg.Ports;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.Trunkline;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The proxy over its shards, and the oracle beside it, both with the same tables and rows. */
final class Rig implements AutoCloseable {

    private static final int POOL_SIZE = 6;
    private static final int SEEDED_TENANTS = 6;

    private final long seed;
    private final PgShards shards;
    private final PgShards oracle;
    private final MisrouteGuard guard;
    private final @Nullable Trunkline proxy;
    private final Mode.Place subjectPlace;
    private final Mode.Place oraclePlace;
    private final Tally tally = new Tally();
    private final List<String> firstRows;

    /**
     * A rig.
     *
     * @param proxied false: the subject is the one shard itself, without a proxy; what differs then is the traffic's fault
     */
    Rig(long seed, PgShards shards, int workers, boolean proxied) {
        this.seed = seed;
        this.shards = shards;
        this.oracle = PgCluster.shared().shards(1);
        this.guard = Schema.create(shards);
        Schema.create(oracle);
        Dice dice = Dice.of(seed, -1);
        this.firstRows = firstRows(dice, workers);
        shards.executeAll(String.join(";", firstRows));
        oracle.execute(0, String.join(";", firstRows));
        this.oraclePlace = new Mode.Place(oracle.port(0), oracle.database(), PgShards.APP);
        if (proxied) {
            int port = Ports.free();
            this.subjectPlace = new Mode.Place(port, "prod", PgShards.APP);
            this.proxy = start(Schema.configuration(shards, port, dice.percent(50), POOL_SIZE));
        } else {
            this.subjectPlace = new Mode.Place(shards.port(0), shards.database(), PgShards.APP);
            this.proxy = null;
        }
    }

    private static Trunkline start(String configuration) {
        try {
            return Trunkline.start(ConfigurationLoader.parse("mixed-traffic", configuration, name -> null))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("the proxy does not start: " + e, e);
        }
    }

    /** Tenants of each worker: roots and their children. */
    private static List<String> firstRows(Dice dice, int workers) {
        List<String> rows = new ArrayList<>();
        for (int worker = 0; worker < workers; worker++) {
            String parent = "NULL";
            for (int number = 0; number < SEEDED_TENANTS; number++) {
                String id = "'" + World.tenantName(worker, number, dice).replace("'", "''") + "'";
                rows.add("INSERT INTO tenants VALUES (%s, %s, 'first', %d, 0)"
                        .formatted(id, number % 2 == 0 ? "NULL" : parent, worker));
                parent = id;
            }
        }
        return rows;
    }

    Tally tally() {
        return tally;
    }

    Connection model() {
        return oracle.connect(0);
    }

    Pair pair(Mode mode) {
        return new Pair(mode, subjectPlace, oraclePlace, tally);
    }

    /** Back to the first rows, by way of the proxy on the subject's side, so that it knows of it. */
    void empty() {
        List<String> statements = new ArrayList<>();
        Schema.BY_TENANT.forEach(table -> statements.add("DELETE FROM " + table));
        Schema.BY_PLAIN_KEY.forEach(table -> statements.add("DELETE FROM " + table));
        Schema.OMNISHARDED.forEach(table -> statements.add("DELETE FROM " + table));
        statements.addAll(firstRows);
        try (WireClient client =
                WireClient.login("127.0.0.1", subjectPlace.port(), subjectPlace.user(), subjectPlace.database())) {
            for (String statement : statements) {
                client.simple(statement).ok();
                oracle.execute(0, statement);
            }
        }
    }

    /** Fails unless both sides hold the same rows, and each row lies where it belongs. */
    void compareTables() {
        List<String> differences = new ArrayList<>();
        for (String table : Schema.BY_TENANT) {
            compareSharded(table, differences);
            differences.addAll(strays(table));
        }
        Schema.BY_PLAIN_KEY.forEach(table -> compareSharded(table, differences));
        Schema.OMNISHARDED.forEach(table -> compareOmnisharded(table, differences));
        if (!differences.isEmpty()) {
            throw new AssertionError(this + "\n" + String.join("\n", differences));
        }
    }

    private void compareSharded(String table, List<String> differences) {
        List<String> union = new ArrayList<>();
        for (int shard = 0; shard < shards.count(); shard++) {
            union.addAll(rows(shards, shard, table));
        }
        Collections.sort(union);
        compare(table + " over all shards", union, rows(oracle, 0, table), differences);
    }

    private void compareOmnisharded(String table, List<String> differences) {
        List<String> right = rows(oracle, 0, table);
        for (int shard = 0; shard < shards.count(); shard++) {
            compare(table + " on shard " + shard, rows(shards, shard, table), right, differences);
        }
    }

    private static void compare(String what, List<String> got, List<String> right, List<String> differences) {
        if (got.equals(right)) {
            return;
        }
        List<String> extra = new ArrayList<>(got);
        right.forEach(extra::remove);
        List<String> missing = new ArrayList<>(right);
        got.forEach(missing::remove);
        differences.add(what + ": extra " + extra + ", missing " + missing);
    }

    private static List<String> rows(PgShards servers, int shard, String table) {
        List<String> rows = new ArrayList<>();
        servers.query(shard, "SELECT r::text FROM " + table + " r")
                .forEach(row -> rows.add(String.valueOf(row.get(0))));
        Collections.sort(rows);
        return rows;
    }

    private List<String> strays(String table) {
        List<Long> strays = guard.strays(table, "tenant_id", "varchar", Schema.LOOKUP_QUERY);
        return strays.stream().allMatch(count -> count == 0)
                ? List.of()
                : List.of("rows of " + table + " that lie on a wrong shard: " + strays);
    }

    /** How many rows there are, so that equality means something. */
    long rowCount() {
        long count = 0;
        for (String table : Schema.BY_TENANT) {
            count += rows(oracle, 0, table).size();
        }
        for (String table : Schema.BY_PLAIN_KEY) {
            count += rows(oracle, 0, table).size();
        }
        return count;
    }

    /** Waits until no client is left on the proxy. */
    void awaitNoClients() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (proxy != null && proxy.clientCount() > 0) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError(proxy.clientCount() + " clients have gone and are still counted");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Override
    public String toString() {
        return "-Dseed=" + seed;
    }

    @Override
    public void close() {
        try {
            if (proxy != null) {
                proxy.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
            }
        } catch (Exception e) {
            throw new HarnessException("the proxy does not stop: " + e, e);
        } finally {
            oracle.close();
        }
    }
}
