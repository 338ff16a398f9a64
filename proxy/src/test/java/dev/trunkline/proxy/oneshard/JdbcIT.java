package dev.trunkline.proxy.oneshard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.proxy.fixture.TestProxy;
import dev.trunkline.proxy.fixture.WithProxy;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Properties;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/** pgjdbc in each of its ways to send statements, two connections of it over one of the server's. */
@Shards(1)
@WithProxy
class JdbcIT {

    private final PgShards shards;
    private final TestProxy proxy;

    JdbcIT(PgShards shards, TestProxy proxy) {
        this.shards = shards;
        this.proxy = proxy;
    }

    @BeforeEach
    void table() {
        shards.execute(
                0,
                "DROP TABLE IF EXISTS j; CREATE TABLE j (id int PRIMARY KEY, name text, key uuid);"
                        + " GRANT ALL ON j TO PUBLIC");
    }

    private Connection connect(String mode) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", PgShards.APP);
        properties.setProperty("preferQueryMode", mode);
        properties.setProperty("prepareThreshold", mode.equals("simple") ? "0" : "2");
        properties.setProperty("socketTimeout", "20");
        return DriverManager.getConnection(
                "jdbc:postgresql://" + proxy.host() + ":" + proxy.port() + "/" + TestProxy.DATABASE, properties);
    }

    private static void insert(Connection connection, int id) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO j VALUES (?, ?, ?)")) {
            insert.setInt(1, id);
            insert.setString(2, "it's \\ " + id);
            insert.setObject(3, new UUID(0, id));
            assertThat(insert.executeUpdate()).isEqualTo(1);
        }
    }

    private static int count(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT count(*) FROM j")) {
            assertThat(result.next()).isTrue();
            return result.getInt(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"simple", "extended", "extendedForPrepared", "extendedCacheEverything"})
    void writesAndReads(String mode) throws SQLException {
        try (Connection one = connect(mode);
                Connection two = connect(mode)) {
            for (int i = 0; i < 8; i++) {
                insert(i % 2 == 0 ? one : two, i);
            }
            for (Connection each : new Connection[] {one, two, one, two}) {
                try (PreparedStatement select =
                        each.prepareStatement("SELECT name, key FROM j WHERE id = ? AND name LIKE ?")) {
                    for (int i = 0; i < 8; i++) {
                        select.setInt(1, i);
                        select.setString(2, "it%");
                        try (ResultSet result = select.executeQuery()) {
                            assertThat(result.next()).isTrue();
                            assertThat(result.getString(1)).isEqualTo("it's \\ " + i);
                            assertThat(result.getObject(2, UUID.class)).isEqualTo(new UUID(0, i));
                            assertThat(result.next()).isFalse();
                        }
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"simple", "extended", "extendedCacheEverything"})
    void keepsTransactionsApart(String mode) throws SQLException {
        try (Connection connection = connect(mode);
                Connection other = connect(mode)) {
            connection.setAutoCommit(false);
            insert(connection, 1);
            Savepoint savepoint = connection.setSavepoint();
            assertThatThrownBy(() -> insert(connection, 1))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23505"));
            assertThatThrownBy(() -> count(connection))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25P02"));
            connection.rollback(savepoint);
            insert(connection, 2);
            connection.commit();
            assertThat(count(other)).isEqualTo(2);
            connection.setReadOnly(true);
            assertThatThrownBy(() -> insert(connection, 3))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25006"));
            connection.rollback();
            insert(other, 3);
            connection.setReadOnly(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            assertThat(count(connection)).isEqualTo(3);
            connection.rollback();
            assertThat(other.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"simple", "extended", "extendedCacheEverything"})
    void sendsBatches(String mode) throws SQLException {
        try (Connection connection = connect(mode)) {
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO j (id, name) VALUES (?, ?)")) {
                for (int round = 0; round < 3; round++) {
                    for (int i = 0; i < 500; i++) {
                        insert.setInt(1, round * 1_000 + i);
                        insert.setString(2, "x".repeat(300));
                        insert.addBatch();
                    }
                    assertThat(Arrays.stream(insert.executeBatch()).sum()).isEqualTo(500);
                }
                connection.setAutoCommit(false);
                for (int i = 498; i < 503; i++) {
                    insert.setInt(1, i);
                    insert.setString(2, "again");
                    insert.addBatch();
                }
                assertThatThrownBy(insert::executeBatch).isInstanceOf(BatchUpdateException.class);
                connection.rollback();
            }
            assertThat(count(connection)).isEqualTo(1_500);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"extended", "extendedCacheEverything"})
    void fetchesInPortions(String mode) throws SQLException {
        try (Connection connection = connect(mode);
                Connection other = connect(mode)) {
            connection.setAutoCommit(false);
            for (int round = 0; round < 3; round++) {
                try (PreparedStatement select = connection.prepareStatement("SELECT generate_series(1, ?)")) {
                    select.setFetchSize(7);
                    select.setInt(1, 100);
                    try (ResultSet result = select.executeQuery()) {
                        int sum = 0;
                        while (result.next()) {
                            sum += result.getInt(1);
                        }
                        assertThat(sum).isEqualTo(5_050);
                    }
                }
                connection.commit();
                assertThat(count(other)).isZero();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"simple", "extended"})
    void copiesBothWays(String mode) throws SQLException, IOException {
        try (Connection connection = connect(mode)) {
            var copy = connection.unwrap(PGConnection.class).getCopyAPI();
            assertThat(copy.copyIn("COPY j (id, name) FROM STDIN", new StringReader("1\ta\n2\tb\n")))
                    .isEqualTo(2);
            assertThatThrownBy(() -> copy.copyIn("COPY j (id, name) FROM STDIN", new StringReader("x\ta\n")))
                    .isInstanceOf(SQLException.class);
            StringWriter out = new StringWriter();
            assertThat(copy.copyOut("COPY (SELECT id, name FROM j ORDER BY id) TO STDOUT", out))
                    .isEqualTo(2);
            assertThat(out).hasToString("1\ta\n2\tb\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"simple", "extended"})
    void readsTheCatalogAndCancels(String mode) throws SQLException {
        try (Connection connection = connect(mode)) {
            try (ResultSet columns = connection.getMetaData().getColumns(null, "public", "j", "%")) {
                int found = 0;
                while (columns.next()) {
                    found++;
                }
                assertThat(found).isEqualTo(3);
            }
            try (Statement statement = connection.createStatement()) {
                statement.setQueryTimeout(1);
                assertThatThrownBy(() -> statement.execute("SELECT pg_sleep(20)"))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo("57014"));
            }
            assertThat(count(connection)).isZero();
        }
    }
}
