package dev.trunkline.proxy.oracle;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/** A connection of pgjdbc: transactions by the driver's own means. */
final class JdbcSide implements Side {

    private final Connection connection;

    JdbcSide(Mode.Place place, String parameters) {
        String url = "jdbc:postgresql://127.0.0.1:" + place.port() + "/" + place.database() + parameters;
        try {
            String more = (parameters.isEmpty() ? "?" : "&") + "user=" + place.user() + "&socketTimeout=10";
            this.connection = DriverManager.getConnection(url + more);
        } catch (SQLException e) {
            throw new AssertionError("cannot connect: " + e.getMessage(), e);
        }
    }

    @Override
    public Said ask(Request request) {
        try {
            if (request.how() == Request.How.CONTROL && control(request.form())) {
                return new Said(List.of("done", status()), null, null);
            }
            return run(request.sql(), request.ordered());
        } catch (SQLException e) {
            return failed(e);
        }
    }

    private boolean control(Form form) throws SQLException {
        switch (form) {
            case BEGIN -> {
                if (connection.getAutoCommit()) {
                    connection.setAutoCommit(false);
                    return true;
                }
                return false;
            }
            case COMMIT, ROLLBACK -> {
                return !connection.getAutoCommit() && end(form);
            }
            default -> {
                return false;
            }
        }
    }

    private boolean end(Form form) throws SQLException {
        try {
            if (form == Form.COMMIT) {
                connection.commit();
            } else {
                connection.rollback();
            }
            return true;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private Said run(Sql sql, boolean ordered) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.marked())) {
            for (int i = 0; i < sql.values().size(); i++) {
                sql.values().get(i).set(statement, i + 1);
            }
            List<String> lines = new ArrayList<>();
            boolean rows = statement.execute();
            while (rows || statement.getUpdateCount() >= 0) {
                if (rows) {
                    rows(statement.getResultSet(), ordered, lines);
                } else {
                    lines.add("count " + statement.getLargeUpdateCount());
                }
                rows = statement.getMoreResults();
            }
            for (SQLWarning warning = statement.getWarnings(); warning != null; warning = warning.getNextWarning()) {
                lines.add("warning " + warning.getSQLState() + " " + warning.getMessage());
            }
            lines.add(status());
            return new Said(List.copyOf(lines), null, null);
        }
    }

    private static void rows(@Nullable ResultSet result, boolean ordered, List<String> lines) throws SQLException {
        if (result == null) {
            return;
        }
        ResultSetMetaData columns = result.getMetaData();
        StringBuilder head = new StringBuilder("columns");
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            head.append(' ')
                    .append(columns.getColumnLabel(i))
                    .append(':')
                    .append(columns.getColumnTypeName(i))
                    .append(':')
                    .append(columns.getPrecision(i));
        }
        lines.add(head.toString());
        List<String> rows = new ArrayList<>();
        while (result.next()) {
            StringBuilder row = new StringBuilder("row");
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                row.append('|').append(text(result, i));
            }
            rows.add(row.toString());
        }
        if (!ordered) {
            Collections.sort(rows);
        }
        lines.addAll(rows);
    }

    private static @Nullable String text(ResultSet result, int column) throws SQLException {
        byte[] bytes = result.getMetaData().getColumnTypeName(column).equals("bytea") ? result.getBytes(column) : null;
        return bytes == null ? result.getString(column) : HexFormat.of().formatHex(bytes);
    }

    private Said failed(SQLException failure) {
        try {
            if (connection.isClosed()) {
                return Said.broken(failure);
            }
        } catch (SQLException e) {
            return Said.broken(e);
        }
        String line = "error " + failure.getSQLState() + " " + failure.getMessage();
        return new Said(List.of(line, status()), failure.getSQLState(), failure.getMessage());
    }

    private String status() {
        return "block " + block();
    }

    @Override
    public Block block() {
        try {
            TransactionState state = connection.unwrap(BaseConnection.class).getTransactionState();
            if (state == TransactionState.FAILED) {
                return Block.FAILED;
            }
            return connection.getAutoCommit() ? Block.NONE : Block.OPEN;
        } catch (SQLException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    @Override
    public void follow(Block other) {
        if (other == Block.FAILED && block() == Block.OPEN) {
            try (PreparedStatement statement = connection.prepareStatement("SELECT 1/0")) {
                boolean unused = statement.execute();
            } catch (SQLException expected) {
                // It is to fail.
            }
        }
        if (block() != other) {
            throw new AssertionError("the blocks have parted: " + block() + " beside " + other);
        }
    }

    @Override
    public void sendUnanswered(Request request) {
        throw new UnsupportedOperationException("a driver waits for answers");
    }

    @Override
    public void vanish(Step.Way way) {
        try {
            if (way == Step.Way.TERMINATE) {
                connection.close();
            } else {
                connection.abort(Runnable::run);
            }
        } catch (SQLException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        vanish(Step.Way.TERMINATE);
    }
}
