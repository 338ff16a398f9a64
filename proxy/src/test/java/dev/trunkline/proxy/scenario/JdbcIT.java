package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trunkline.proxy.scenario.Tenants.Family;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** pgjdbc as a client, in each way that it sends statements. */
class JdbcIT extends Scenario {

    private Connection connect(String... parameters) throws SQLException {
        return DriverManager.getConnection(proxy().url(parameters));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "preferQueryMode=simple",
                "preferQueryMode=extended",
                "prepareThreshold=1",
                "prepareThreshold=1&binaryTransfer=true&binaryTransferEnable=20,23,25,1043,2950",
                "prepareThreshold=-1",
                "preferQueryMode=extendedCacheEverything"
            })
    void onePreparedStatementServesEveryShard(String mode) throws SQLException {
        try (Connection connection = connect(mode);
                PreparedStatement insert = connection.prepareStatement("INSERT INTO orders VALUES (?, ?, ?)");
                PreparedStatement select =
                        connection.prepareStatement("SELECT id, note FROM orders WHERE tenant_id = ?")) {
            for (int round = 0; round < 12; round++) {
                Family family = tenants().family(round % 3);
                insert.setString(1, family.child());
                insert.setLong(2, round);
                insert.setString(3, "n" + round);
                assertThat(insert.executeUpdate()).isEqualTo(1);
                select.setString(1, family.child());
                try (ResultSet rows = select.executeQuery()) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getLong(1)).isEqualTo(round);
                    assertThat(rows.getString(2)).isEqualTo("n" + round);
                }
                assertThat(counts("orders", "tenant_id = '" + family.child() + "'"))
                        .isEqualTo(onlyOn(round % 3, 1));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"preferQueryMode=simple", "prepareThreshold=1", "autosave=always"})
    void withoutAutocommit(String mode) throws SQLException {
        try (Connection connection = connect(mode)) {
            connection.setAutoCommit(false);
            Family family = tenants().family(1);
            String fresh = tenants().hashingElsewhere(1);
            update(connection, "INSERT INTO orders VALUES (?, 1, 'x')", family.child());
            update(connection, "INSERT INTO tenants (id, parent_tenant_id) VALUES (?, ?)", fresh, family.parent());
            connection.commit();
            update(connection, "INSERT INTO orders VALUES (?, 2, 'x')", fresh);
            connection.rollback();
            assertThat(counts("orders", "tenant_id = '" + family.child() + "'")).isEqualTo(onlyOn(1, 1));
            assertThat(counts("orders", "tenant_id = '" + fresh + "'")).containsOnly(0L);

            assertThatThrownBy(() -> update(
                            connection,
                            "INSERT INTO orders VALUES (?, 3, 'x')",
                            tenants().hashingTo(0)))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"));
            connection.rollback();
            update(connection, "INSERT INTO orders VALUES (?, 4, 'x')", fresh);
            connection.commit();
            assertThat(counts("orders", "tenant_id = '" + fresh + "'")).isEqualTo(onlyOn(1, 1));
        }
    }

    @Test
    void savepointsAsDriversUseThem() throws SQLException {
        try (Connection connection = connect("prepareThreshold=1")) {
            connection.setAutoCommit(false);
            Family family = tenants().family(0);
            update(connection, "INSERT INTO orders VALUES (?, 1, 'x')", family.child());
            java.sql.Savepoint savepoint = connection.setSavepoint();
            assertThatThrownBy(() -> update(connection, "INSERT INTO orders VALUES (?, 1, 'x')", family.child()))
                    .isInstanceOf(SQLException.class);
            connection.rollback(savepoint);
            update(connection, "INSERT INTO orders VALUES (?, 2, 'x')", family.child());
            connection.commit();
            assertThat(counts("orders", "tenant_id = '" + family.child() + "'")).isEqualTo(onlyOn(0, 2));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"prepareThreshold=1", "prepareThreshold=5", "preferQueryMode=simple"})
    void aBatchForOneShardIsOneTransaction(String mode) throws SQLException {
        try (Connection connection = connect(mode);
                PreparedStatement insert = connection.prepareStatement("INSERT INTO orders VALUES (?, ?, 'x')")) {
            Family family = tenants().family(2);
            for (int i = 0; i < 10; i++) {
                insert.setString(1, i % 2 == 0 ? family.child() : family.parent());
                insert.setLong(2, i);
                insert.addBatch();
            }
            assertThat(insert.executeBatch()).hasSize(10).containsOnly(1);
            assertThat(counts("orders", "tenant_id IN ('%s', '%s')".formatted(family.child(), family.parent())))
                    .isEqualTo(onlyOn(2, 10));
        }
    }

    /** One batch has one Sync and is one transaction. */
    @Test
    void aBatchForSeveralShardsIsStoredWholeOrNotAtAll() throws SQLException {
        try (Connection connection = connect("prepareThreshold=1");
                PreparedStatement insert = connection.prepareStatement("INSERT INTO orders VALUES (?, ?, 'batch')")) {
            List<Family> families = new ArrayList<>();
            for (int shard = 0; shard < 3; shard++) {
                families.add(tenants().family(shard));
            }
            for (int row = 0; row < 9; row++) {
                insert.setString(1, families.get(row % 3).child());
                insert.setLong(2, row);
                insert.addBatch();
            }
            assertThat(insert.executeBatch()).hasSize(9).containsOnly(1);
            assertThat(counts("orders", "note = 'batch'")).containsOnly(3L);
            for (int row = 9; row >= 0; row -= 3) {
                insert.setString(1, families.get(row % 2).child());
                insert.setLong(2, row);
                insert.addBatch();
            }
            assertThatThrownBy(insert::executeBatch)
                    .isInstanceOfSatisfying(
                            BatchUpdateException.class,
                            e -> assertThat(e.getSQLState()).isEqualTo("23505"));
            assertThat(counts("orders", "note = 'batch'")).containsOnly(3L);
            update(
                    connection,
                    "INSERT INTO orders VALUES (?, 100, 'after')",
                    families.get(1).child());
        }
    }

    @Test
    void aBatchOfTextsIsSentOneByOne() throws SQLException {
        try (Connection connection = connect("preferQueryMode=simple");
                Statement statement = connection.createStatement()) {
            Family family = tenants().family(1);
            statement.addBatch("INSERT INTO countries (code) VALUES ('" + family.child() + "')");
            statement.addBatch("INSERT INTO orders VALUES ('" + family.child() + "', 1, 'x')");
            assertThat(statement.executeBatch()).containsExactly(1, 1);
        }
    }

    @Test
    void numbersAndUuidsAsTheDriverSendsThem() throws SQLException {
        UUID device = UUID.randomUUID();
        backdoor()
                .execute("INSERT INTO accounts VALUES (77, 78); INSERT INTO devices VALUES ('%s', '%s')"
                        .formatted(device, UUID.randomUUID()));
        try (Connection connection = connect("prepareThreshold=1");
                PreparedStatement ledger = connection.prepareStatement("INSERT INTO ledger VALUES (?, 1)");
                PreparedStatement readings = connection.prepareStatement("INSERT INTO readings VALUES (?, 1)")) {
            for (int round = 0; round < 3; round++) {
                ledger.setLong(1, 77);
                ledger.executeUpdate();
                ledger.setInt(1, 77);
                ledger.executeUpdate();
                ledger.setShort(1, (short) 77);
                ledger.executeUpdate();
                readings.setObject(1, device);
                readings.executeUpdate();
            }
            assertThat(counts("ledger", "account_id = 77")).containsOnlyOnce(9L);
            assertThat(counts("readings", "device_id = '" + device + "'")).containsOnlyOnce(3L);
        }
    }

    @Test
    void metaDataIsReadFromTheCatalogs() throws SQLException {
        try (Connection connection = connect()) {
            try (ResultSet columns = connection.getMetaData().getColumns(null, "public", "orders", "%")) {
                List<String> names = new ArrayList<>();
                while (columns.next()) {
                    names.add(columns.getString("COLUMN_NAME"));
                }
                assertThat(names).containsExactly("tenant_id", "id", "note");
            }
            try (ResultSet keys = connection.getMetaData().getPrimaryKeys(null, "public", "orders")) {
                assertThat(keys.next()).isTrue();
            }
        }
    }

    @Test
    void statementsOverSeveralShardsWorkWithoutAFetchSize() throws SQLException {
        try (Connection connection = connect("prepareThreshold=1")) {
            for (int shard = 0; shard < 3; shard++) {
                update(
                        connection,
                        "INSERT INTO orders VALUES (?, 1, 'scatter')",
                        tenants().family(shard).child());
            }
            for (int round = 0; round < 3; round++) {
                try (PreparedStatement select =
                                connection.prepareStatement("SELECT tenant_id FROM orders WHERE note = 'scatter'");
                        ResultSet rows = select.executeQuery()) {
                    int count = 0;
                    while (rows.next()) {
                        count++;
                    }
                    assertThat(count).isEqualTo(3);
                }
            }
        }
    }

    private static void update(Connection connection, String sql, String... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            assertThat(statement.executeUpdate()).isEqualTo(1);
        }
    }
}
