package dev.trunkline.harness.pg;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One fresh database of the same name on each of several servers: the shards of a test.
 *
 * <p>The helpers run as superuser on connections of their own; what they create, every role may use. Safe for any
 * thread.
 */
public final class PgShards implements AutoCloseable {

    /** The role that a proxy under test logs in with: no superuser, no password needed. */
    public static final String APP = "app";

    private static final String SUPERUSER = "postgres";

    private final List<PgServer> servers;
    private final String database;

    PgShards(List<PgServer> servers, String database) {
        this.servers = List.copyOf(servers);
        this.database = database;
        String create = "CREATE DATABASE " + database + " TEMPLATE template1 OWNER " + APP;
        servers.parallelStream().forEach(server -> Sql.run(server.url("postgres", SUPERUSER), create));
    }

    /** The number of shards. */
    public int count() {
        return servers.size();
    }

    /** The database's name, the same on each shard. */
    public String database() {
        return database;
    }

    public PgServer server(int shard) {
        return servers.get(shard);
    }

    public String host() {
        return "127.0.0.1";
    }

    public int port(int shard) {
        return server(shard).port();
    }

    /** A JDBC URL straight to a shard, past any proxy. */
    public String url(int shard, String user) {
        return server(shard).url(database, user);
    }

    /** A new connection straight to a shard as superuser; the caller closes it. */
    public Connection connect(int shard) {
        try {
            return DriverManager.getConnection(url(shard, SUPERUSER));
        } catch (SQLException e) {
            throw new HarnessException("cannot connect to shard " + shard + ": " + e.getMessage(), e);
        }
    }

    /** Runs one or more statements on one shard. */
    public void execute(int shard, String sql) {
        Sql.run(url(shard, SUPERUSER), sql);
    }

    /** Runs the same statements on every shard, shard 0 first. */
    public void executeAll(String sql) {
        for (int shard = 0; shard < count(); shard++) {
            execute(shard, sql);
        }
    }

    /** The rows of a query on one shard as text, in the server's order; a column that is NULL is null. */
    public List<List<@Nullable String>> query(int shard, String sql) {
        return Sql.rows(url(shard, SUPERUSER), sql);
    }

    /** The one value of a query of one row and one column; null if it is NULL. */
    public @Nullable String queryOne(int shard, String sql) {
        List<List<@Nullable String>> rows = query(shard, sql);
        if (rows.size() != 1 || rows.get(0).size() != 1) {
            throw new HarnessException("not one row of one column: " + rows + "\nof: " + sql);
        }
        return rows.get(0).get(0);
    }

    /** A number from each shard, for instance how many rows of a table lie where. */
    public List<Long> queryLongs(String sql) {
        return servers.stream()
                .map(server -> Long.valueOf(String.valueOf(
                        Sql.rows(server.url(database, SUPERUSER), sql).get(0).get(0))))
                .toList();
    }

    /** Drops the database on every server that runs, with the sessions in it. */
    @Override
    public void close() {
        for (PgServer server : servers) {
            if (server.isRunning()) {
                Sql.run(server.url("postgres", SUPERUSER), "DROP DATABASE IF EXISTS " + database + " WITH (FORCE)");
            }
        }
    }
}
