package dev.trunkline.harness.check;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one statement came to, as far as two servers must agree on it.
 *
 * @param rows as text, columns apart by {@code |}, NULL as {@code \N}
 * @param updateCount -1 where there are rows or an error
 * @param sqlState of the error; null if there is none
 * @param message of the error; not compared
 */
public record Outcome(
        List<String> rows,
        long updateCount,
        @Nullable String sqlState,
        @Nullable String message) {

    private static final String NOT_SUPPORTED = "0A000";

    /** True if the statement was refused as not supported. */
    public boolean isRefused() {
        return NOT_SUPPORTED.equals(sqlState);
    }

    boolean agreesWith(Outcome other) {
        return rows.equals(other.rows) && updateCount == other.updateCount && Objects.equals(sqlState, other.sqlState);
    }

    Outcome sorted() {
        List<String> sorted = new ArrayList<>(rows);
        sorted.sort(Comparator.naturalOrder());
        return new Outcome(sorted, updateCount, sqlState, message);
    }

    static Outcome of(PreparedStatement statement, @Nullable Object[] values) {
        try {
            for (int index = 0; index < values.length; index++) {
                statement.setObject(index + 1, values[index]);
            }
            if (statement.execute()) {
                try (ResultSet result = statement.getResultSet()) {
                    return new Outcome(rows(result), -1, null, null);
                }
            }
            return new Outcome(List.of(), statement.getLargeUpdateCount(), null, null);
        } catch (SQLException e) {
            return failed(e);
        }
    }

    static Outcome failed(SQLException failure) {
        return new Outcome(List.of(), -1, failure.getSQLState(), failure.getMessage());
    }

    private static List<String> rows(ResultSet result) throws SQLException {
        int columns = result.getMetaData().getColumnCount();
        List<String> rows = new ArrayList<>();
        while (result.next()) {
            List<String> row = new ArrayList<>();
            for (int column = 1; column <= columns; column++) {
                String value = result.getString(column);
                row.add(value == null ? "\\N" : value);
            }
            rows.add(String.join("|", row));
        }
        return Collections.unmodifiableList(rows);
    }
}
