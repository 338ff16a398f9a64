package dev.trunkline.harness.pg;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs SQL on a fresh connection each. */
final class Sql {

    private Sql() {}

    /** Runs one or more statements; the rows of the last one are dropped. */
    static void run(String url, String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new HarnessException(e.getMessage() + "\nin: " + sql, e);
        }
    }

    /** The rows of one query as text, in the server's order; a column that is NULL is null. */
    static List<List<@Nullable String>> rows(String url, String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            int columns = result.getMetaData().getColumnCount();
            List<List<@Nullable String>> rows = new ArrayList<>();
            while (result.next()) {
                List<@Nullable String> row = new ArrayList<>();
                for (int column = 1; column <= columns; column++) {
                    row.add(result.getString(column));
                }
                rows.add(row);
            }
            return rows;
        } catch (SQLException e) {
            throw new HarnessException(e.getMessage() + "\nin: " + sql, e);
        }
    }
}
