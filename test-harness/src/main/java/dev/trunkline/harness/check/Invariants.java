package dev.trunkline.harness.check;

import dev.trunkline.harness.pg.PgShards;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * What must hold on every shard once a test has ended: no session is in a transaction, no transaction is prepared, no
 * advisory lock is held.
 *
 * <p>A proxy may need a moment to clean up after a client that vanished, so a breach counts only if it lasts. It is
 * cleared away then, for the tests that follow. Thread-safe.
 */
public final class Invariants {

    private static final Duration LONGEST_CLEANUP = Duration.ofSeconds(5);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

    private static final String IN_TRANSACTION = """
            SELECT 'session in a transaction: ' || usename || ' ' || state || ' since ' || xact_start || ': ' || query
            FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
              AND state <> 'idle'
            UNION ALL
            SELECT 'prepared transaction: ' || gid || ' of ' || owner FROM pg_prepared_xacts
            WHERE database = current_database()
            UNION ALL
            SELECT 'advisory lock: ' || classid || ' ' || objid || ' of process ' || pid FROM pg_locks
            WHERE locktype = 'advisory'
              AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
              AND pid NOT IN (SELECT pid FROM pg_stat_activity WHERE application_name = 'trunkline liveness')
            """;

    private static final String END_SESSIONS = """
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
            """;

    private final PgShards shards;
    private final List<Check> checks = new ArrayList<>();

    public Invariants(PgShards shards) {
        this.shards = shards;
        checks.add(this::onShards);
    }

    /** Something else that must hold, for instance that no lease is out. */
    @FunctionalInterface
    public interface Check {

        /** One line per breach; empty when all is well. Called repeatedly, from the test's thread. */
        List<String> breaches();
    }

    /** Adds a check, from now on and until the test class ends. */
    public synchronized void add(Check check) {
        checks.add(check);
    }

    /** Fails if any invariant is still broken after five seconds; servers that are stopped are not asked. */
    public void assertHold() {
        long deadline = System.nanoTime() + LONGEST_CLEANUP.toNanos();
        List<String> breaches = breaches();
        while (!breaches.isEmpty() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
            breaches = breaches();
        }
        if (!breaches.isEmpty()) {
            clearAway();
            throw new AssertionError("broken after the test:\n" + String.join("\n", breaches));
        }
    }

    private synchronized List<String> breaches() {
        List<String> breaches = new ArrayList<>();
        checks.forEach(check -> breaches.addAll(check.breaches()));
        return breaches;
    }

    private List<String> onShards() {
        List<String> breaches = new ArrayList<>();
        for (int shard = 0; shard < shards.count(); shard++) {
            if (shards.server(shard).isRunning()) {
                for (List<?> row : shards.query(shard, IN_TRANSACTION)) {
                    breaches.add("shard " + shard + ": " + row.get(0));
                }
            }
        }
        return breaches;
    }

    private void clearAway() {
        for (int shard = 0; shard < shards.count(); shard++) {
            if (shards.server(shard).isRunning()) {
                clearAway(shard);
            }
        }
    }

    private void clearAway(int shard) {
        shards.execute(shard, END_SESSIONS);
        String prepared = "SELECT gid FROM pg_prepared_xacts WHERE database = current_database()";
        for (List<?> row : shards.query(shard, prepared)) {
            shards.execute(
                    shard, "ROLLBACK PREPARED '" + String.valueOf(row.get(0)).replace("'", "''") + "'");
        }
    }
}
