package dev.trunkline.proxy.scenario;

import dev.trunkline.harness.pg.PgShards;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** An open transaction straight on a shard, which holds what its statements have locked until it is released. */
final class Hold implements AutoCloseable {

    private final Connection connection;

    private Hold(Connection connection) {
        this.connection = connection;
    }

    /** Begins a transaction on a shard and runs statements in it. */
    static Hold on(PgShards shards, int shard, String sql) {
        Connection connection = shards.connect(shard);
        try (Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(sql);
            return new Hold(connection);
        } catch (SQLException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    /** Nobody can touch the table, not even to read it. */
    static Hold table(PgShards shards, int shard, String table) {
        return on(shards, shard, "LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE");
    }

    /** Ends the transaction without a trace. */
    void release() {
        try {
            connection.rollback();
            connection.close();
        } catch (SQLException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try {
            if (!connection.isClosed()) {
                release();
            }
        } catch (SQLException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }
}
