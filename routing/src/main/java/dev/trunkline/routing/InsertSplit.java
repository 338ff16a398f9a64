package dev.trunkline.routing;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.key.Parameters;
import dev.trunkline.routing.key.PgType;
import dev.trunkline.routing.plan.Destination;
import dev.trunkline.routing.plan.RoutingErrors;
import dev.trunkline.routing.sql.Keyword;
import dev.trunkline.routing.sql.TokenKind;
import dev.trunkline.routing.sql.Tokens;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Splits an INSERT by the shards of its rows: the client's own text, but each time with a part of the rows. */
final class InsertSplit {

    /** A row of the VALUES list, by its two parentheses. */
    private record Row(int open, int close) {}

    /** Not a value of a row by itself. */
    private static final int NO_COLUMN = -1;

    private final Statement statement;
    private final Tokens tokens;
    private final List<Row> rows = new ArrayList<>();

    private InsertSplit(Statement statement) {
        this.statement = statement;
        this.tokens = statement.tokens();
        findRows();
    }

    /**
     * The route of an INSERT.
     *
     * @throws PgException 0A000 if it cannot be split
     */
    static Route route(Statement statement, @Nullable Parameters parameters, Destination.Rows rows) {
        InsertSplit split = new InsertSplit(statement);
        boolean splits = split.rows.size() == rows.rowShards().size() && !split.hasWith();
        if (!splits || parameters != null && !split.keepsTypes(parameters)) {
            throw RoutingErrors.severalShardsInsert(rows.table());
        }
        Map<Integer, List<Row>> rowsByShard = new TreeMap<>();
        for (int row = 0; row < rows.rowShards().size(); row++) {
            rowsByShard
                    .computeIfAbsent(rows.rowShards().get(row), shard -> new ArrayList<>())
                    .add(split.rows.get(row));
        }
        List<Route.Part> parts = new ArrayList<>();
        rowsByShard.forEach((shard, some) -> parts.add(split.part(shard, some, parameters != null)));
        List<Integer> shards = List.copyOf(rowsByShard.keySet());
        return new Route.Split(
                parts,
                rows.rowShards().stream().map(shards::indexOf).toList(),
                split.differInLength() || split.mayReturnSets(rowsByShard.values()));
    }

    /** What a common table expression does would be done on every shard. */
    private boolean hasWith() {
        return tokens.is(0, Keyword.WITH);
    }

    // ---- what PostgreSQL refuses in a list of rows

    private boolean differInLength() {
        return rows.stream().mapToInt(this::length).distinct().count() > 1;
    }

    private int length(Row row) {
        int commas = 0;
        int depth = 0;
        for (int i = row.open + 1; i < row.close; i++) {
            depth += InsertForm.opens(tokens, i) ? 1 : InsertForm.closes(tokens, i) ? -1 : 0;
            if (depth == 0 && tokens.is(i, TokenKind.COMMA)) {
                commas++;
            }
        }
        return commas + 1;
    }

    /** A row that stands alone may call functions that return sets. */
    private boolean mayReturnSets(Collection<List<Row>> parts) {
        return parts.stream().anyMatch(part -> part.size() == 1 && calls(part.get(0)));
    }

    private boolean calls(Row row) {
        for (int i = row.open + 2; i < row.close; i++) {
            if (tokens.is(i, TokenKind.LEFT_PARENTHESIS) && tokens.isName(i - 1)) {
                return true;
            }
        }
        return false;
    }

    // ---- types of parameters

    /**
     * False if a parameter might get another type when some of the rows are gone: Parse gave none, and it is used in
     * several places that could give it one, of which PostgreSQL takes the first.
     */
    private boolean keepsTypes(Parameters parameters) {
        Map<Integer, Integer> columns = new HashMap<>();
        int row = 0;
        for (int token = 0; token < tokens.count(); token++) {
            while (row < rows.size() && rows.get(row).close < token) {
                row++;
            }
            if (!tokens.is(token, TokenKind.PARAMETER)
                    || parameters.typeOid(tokens.parameter(token)) != PgType.UNSPECIFIED) {
                continue;
            }
            int column = row < rows.size() ? column(rows.get(row), token) : NO_COLUMN;
            Integer before = columns.put(tokens.parameter(token), column);
            if (before != null && (column == NO_COLUMN || before != column)) {
                return false;
            }
        }
        return true;
    }

    /** The place in its row of a token that is a value by itself: its type is that of the column. */
    private int column(Row row, int token) {
        boolean whole = token > row.open
                && (token - 1 == row.open || tokens.is(token - 1, TokenKind.COMMA))
                && (token + 1 == row.close || tokens.is(token + 1, TokenKind.COMMA));
        if (!whole) {
            return NO_COLUMN;
        }
        int column = 0;
        int depth = 0;
        for (int i = row.open + 1; i < token; i++) {
            depth += InsertForm.opens(tokens, i) ? 1 : InsertForm.closes(tokens, i) ? -1 : 0;
            if (depth == 0 && tokens.is(i, TokenKind.COMMA)) {
                column++;
            }
        }
        return depth == 0 ? column : NO_COLUMN;
    }

    // ---- rows

    /** The rows of the VALUES list outside of all parentheses. */
    private void findRows() {
        int depth = 0;
        for (int i = 0; i < tokens.count(); i++) {
            if (tokens.is(i, TokenKind.LEFT_PARENTHESIS)) {
                depth++;
            } else if (tokens.is(i, TokenKind.RIGHT_PARENTHESIS)) {
                depth--;
            } else if (depth == 0 && tokens.is(i, Keyword.VALUES) && !tokens.is(i - 1, Keyword.DEFAULT)) {
                findRows(i + 1);
                return;
            }
        }
    }

    private void findRows(int first) {
        int at = first;
        while (tokens.is(at, TokenKind.LEFT_PARENTHESIS)) {
            int close = closing(at);
            rows.add(new Row(at, close));
            if (!tokens.is(close + 1, TokenKind.COMMA)) {
                return;
            }
            at = close + 2;
        }
    }

    private int closing(int open) {
        int depth = 0;
        int at = open;
        do {
            if (tokens.is(at, TokenKind.LEFT_PARENTHESIS)) {
                depth++;
            } else if (tokens.is(at, TokenKind.RIGHT_PARENTHESIS)) {
                depth--;
            }
            at++;
        } while (depth > 0 && at < tokens.count());
        return at - 1;
    }

    // ---- parts

    private Route.Part part(int shard, List<Row> some, boolean renumber) {
        PartText text = new PartText(tokens, renumber);
        int firstRow = tokens.start(rows.get(0).open);
        Splice columns = statement.columnList();
        if (columns == null) {
            text.copy(statement.start(), firstRow, 0);
        } else {
            text.copy(statement.start(), columns.position(), 0);
            text.add(columns.text());
            text.copy(columns.position(), firstRow, 0);
        }
        for (int i = 0; i < some.size(); i++) {
            if (i > 0) {
                text.add(",");
            }
            Row row = some.get(i);
            text.copy(tokens.start(row.open), tokens.end(row.close), row.open);
        }
        int last = rows.get(rows.size() - 1).close;
        text.copy(tokens.end(last), statement.end(), last + 1);
        return text.part(shard);
    }
}
