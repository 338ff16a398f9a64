package dev.trunkline.harness.check;

import dev.trunkline.harness.pg.PgCluster;
import dev.trunkline.harness.pg.PgShards;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One unsharded PostgreSQL beside the shards that gets the same statements: what it says is right.
 *
 * <p>A statement that the subject refuses with 0A000 is not put to the oracle, and counted.
 */
public final class Oracle implements AutoCloseable {

    private final PgShards database = PgCluster.shared().shards(1);

    /** Runs statements on the oracle alone, for instance to create its tables. */
    public void execute(String sql) {
        database.execute(0, sql);
    }

    /** A pair of connections: one to the subject by the given JDBC URL, one to the oracle as the role app. */
    public Session session(String subjectUrl) {
        return new Session(subjectUrl, database.url(0, PgShards.APP));
    }

    @Override
    public void close() {
        database.close();
    }

    /** Two connections that stay in step; one thread at a time. */
    public static final class Session implements AutoCloseable {

        private final Connection subject;
        private final Connection oracle;
        private int statements;
        private int refused;

        private Session(String subjectUrl, String oracleUrl) {
            try {
                this.subject = DriverManager.getConnection(subjectUrl);
                this.oracle = DriverManager.getConnection(oracleUrl);
            } catch (SQLException e) {
                throw new AssertionError("cannot connect: " + e.getMessage(), e);
            }
        }

        /** Fails unless both agree on rows as a multiset, on the update count or on the SQLSTATE; the subject's. */
        public Outcome same(String sql, @Nullable Object... values) {
            return compare(sql, values, false);
        }

        /** As {@link #same}, and the rows come in the same order. */
        public Outcome sameInOrder(String sql, @Nullable Object... values) {
            return compare(sql, values, true);
        }

        /** Begins a transaction on both, which {@link #commit} or {@link #rollback} ends. */
        public void begin() {
            both(connection -> connection.setAutoCommit(false));
        }

        public void commit() {
            both(connection -> {
                connection.commit();
                connection.setAutoCommit(true);
            });
        }

        public void rollback() {
            both(connection -> {
                connection.rollback();
                connection.setAutoCommit(true);
            });
        }

        /** Statements so far, and how many of them the subject refused. */
        public int statements() {
            return statements;
        }

        public int refused() {
            return refused;
        }

        @Override
        public void close() {
            both(Connection::close);
        }

        private Outcome compare(String sql, @Nullable Object[] values, boolean ordered) {
            statements++;
            Outcome got = run(subject, sql, values);
            if (got.isRefused()) {
                refused++;
                failTransaction();
                return got;
            }
            Outcome right = run(oracle, sql, values);
            boolean agree = ordered ? got.agreesWith(right) : got.sorted().agreesWith(right.sorted());
            if (!agree) {
                throw new AssertionError("differs from one PostgreSQL: " + sql + " with " + Arrays.toString(values)
                        + "\n  subject: " + got + "\n  oracle:  " + right);
            }
            return got;
        }

        /** A refusal fails the subject's transaction: so must the oracle's. */
        private void failTransaction() {
            both(connection -> {
                if (connection == oracle && !connection.getAutoCommit()) {
                    Outcome unused = run(connection, "SELECT 1/0", new Object[0]);
                }
            });
        }

        private static Outcome run(Connection connection, String sql, @Nullable Object[] values) {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                return Outcome.of(statement, values);
            } catch (SQLException e) {
                return Outcome.failed(e);
            }
        }

        private void both(Step step) {
            try {
                step.run(subject);
                step.run(oracle);
            } catch (SQLException e) {
                throw new AssertionError(e.getMessage(), e);
            }
        }
    }

    private interface Step {
        void run(Connection connection) throws SQLException;
    }
}
