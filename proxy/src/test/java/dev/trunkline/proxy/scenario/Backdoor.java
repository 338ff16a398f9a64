package dev.trunkline.proxy.scenario;

import dev.trunkline.harness.pg.PgShards;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** One connection straight to each shard as superuser, kept open: past every proxy. Safe for any thread. */
final class Backdoor implements AutoCloseable {

    private static final int LONGEST_PING_SECONDS = 5;

    private final PgShards shards;
    private final List<Connection> connections = new ArrayList<>();

    Backdoor(PgShards shards) {
        this.shards = shards;
        for (int shard = 0; shard < shards.count(); shard++) {
            connections.add(shards.connect(shard));
        }
    }

    /** Replaces connections that were lost: a test that failed had all sessions ended. */
    synchronized void repair() {
        for (int shard = 0; shard < connections.size(); shard++) {
            try {
                if (!connections.get(shard).isValid(LONGEST_PING_SECONDS)) {
                    connections.set(shard, shards.connect(shard));
                }
            } catch (SQLException e) {
                throw new AssertionError(e.getMessage(), e);
            }
        }
    }

    /** Runs the same statements on every shard. */
    synchronized void execute(String sql) {
        for (Connection connection : connections) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            } catch (SQLException e) {
                throw new AssertionError(e.getMessage() + "\nin: " + sql, e);
            }
        }
    }

    /** A number from each shard: the one value of a query. */
    synchronized List<Long> longs(String sql) {
        List<Long> longs = new ArrayList<>();
        for (int shard = 0; shard < connections.size(); shard++) {
            longs.add(number(shard, sql));
        }
        return longs;
    }

    /** A number from one shard: the one value of a query. */
    synchronized long number(int shard, String sql) {
        try (Statement statement = connections.get(shard).createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            if (!result.next()) {
                throw new AssertionError("no row: " + sql);
            }
            return result.getLong(1);
        } catch (SQLException e) {
            throw new AssertionError(e.getMessage() + "\nin: " + sql, e);
        }
    }

    @Override
    public synchronized void close() {
        for (Connection connection : connections) {
            try {
                connection.close();
            } catch (SQLException e) {
                throw new AssertionError(e.getMessage(), e);
            }
        }
    }
}
