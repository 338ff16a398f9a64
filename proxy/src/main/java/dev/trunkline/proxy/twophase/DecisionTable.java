package dev.trunkline.proxy.twophase;

/**
 * The SQL around {@code trunkline.decision}, which lies on every shard.
 *
 * <p>A row {@code commit} is inserted by the deciding shard's own transaction, so it stands if and only if that
 * transaction has committed. A row {@code abort} is inserted by whoever gives a transaction up: the key is unique, so
 * the two exclude each other, and the second insert waits for the first one's transaction to end.
 */
public final class DecisionTable {

    private DecisionTable() {}

    /** Creates what two-phase commit needs on a shard; may be repeated. */
    public static final String CREATE = """
            CREATE SCHEMA IF NOT EXISTS trunkline;
            CREATE TABLE IF NOT EXISTS trunkline.decision (
              gid text PRIMARY KEY,
              outcome text NOT NULL DEFAULT 'commit' CHECK (outcome IN ('commit', 'abort')),
              decided_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp());
            GRANT USAGE ON SCHEMA trunkline TO PUBLIC;
            GRANT SELECT, INSERT, DELETE ON trunkline.decision TO PUBLIC;
            """;

    static final String CHECK = "SELECT pg_catalog.current_setting('max_prepared_transactions')::int, "
            + "pg_catalog.to_regclass('trunkline.decision') IS NOT NULL";

    static final String GIVE_UP =
            "INSERT INTO trunkline.decision (gid, outcome) VALUES ($1, 'abort') ON CONFLICT (gid) DO NOTHING";

    static final String OUTCOME = "SELECT outcome FROM trunkline.decision WHERE gid = $1";

    static final String FORGET = "DELETE FROM trunkline.decision WHERE outcome = 'commit' AND gid = ANY ($1)";

    /** Decisions of owners that have gone before they could forget them. */
    static final String FORGET_OLD = "DELETE FROM trunkline.decision WHERE outcome = 'commit' AND gid <> ALL ($1) "
            + "AND decided_at < pg_catalog.clock_timestamp() - interval '1 hour'";

    static final String PREPARED = "SELECT gid, owner::text FROM pg_catalog.pg_prepared_xacts "
            + "WHERE database = pg_catalog.current_database() AND gid LIKE 'trunkline:%'";

    static final String OWNER = "SELECT owner::text FROM pg_catalog.pg_prepared_xacts "
            + "WHERE database = pg_catalog.current_database() AND gid = $1";

    static final String TRY_LOCK = "SELECT pg_catalog.pg_try_advisory_lock($1)";

    static final String UNLOCK = "SELECT pg_catalog.pg_advisory_unlock($1)";

    /** Enters the decision into the deciding shard's transaction. */
    public static String decide(GlobalTransaction transaction) {
        return "INSERT INTO trunkline.decision (gid) VALUES ('" + transaction.key() + "')";
    }
}
