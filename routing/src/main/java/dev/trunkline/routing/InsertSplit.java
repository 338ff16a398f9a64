package dev.trunkline.routing;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.key.Parameters;
import dev.trunkline.routing.key.PgType;
import dev.trunkline.routing.plan.Destination;
import dev.trunkline.routing.plan.RoutingErrors;
import dev.trunkline.routing.sql.Keyword;
import dev.trunkline.routing.sql.Lexer;
import dev.trunkline.routing.sql.TokenKind;
import dev.trunkline.routing.sql.Tokens;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Splits an INSERT by the shards of its rows: the client's own text, but each time with a part of the rows. */
final class InsertSplit {

    private final Statement statement;
    private final Tokens tokens = new Tokens();
    private final List<Integer> rowStarts = new ArrayList<>();
    private final List<Integer> rowEnds = new ArrayList<>();

    private InsertSplit(Statement statement) {
        this.statement = statement;
        Lexer.lex(
                statement.text(),
                statement.start(),
                statement.end() - statement.start(),
                statement.place().context().standardConformingStrings(),
                tokens);
        findRows();
    }

    /**
     * The route of an INSERT.
     *
     * @throws PgException 0A000 if it cannot be split
     */
    static Route route(Statement statement, @Nullable Parameters parameters, Destination.Rows rows) {
        PgException refusal = RoutingErrors.severalShardsInsert(rows.table());
        InsertSplit split = new InsertSplit(statement);
        boolean splits = split.rowStarts.size() == rows.rowShards().size() && !split.hasWith();
        if (!splits || !areTyped(parameters)) {
            throw refusal;
        }
        Map<Integer, List<Integer>> rowsByShard = new TreeMap<>();
        for (int row = 0; row < rows.rowShards().size(); row++) {
            rowsByShard
                    .computeIfAbsent(rows.rowShards().get(row), shard -> new ArrayList<>())
                    .add(row);
        }
        List<Route.Part> parts = new ArrayList<>();
        rowsByShard.forEach((shard, some) -> parts.add(new Route.Part(shard, split.text(some))));
        return new Route.Split(parts, refusal);
    }

    /** PostgreSQL takes a parameter that a statement does not use only if its type is given. */
    private static boolean areTyped(@Nullable Parameters parameters) {
        for (int number = 1; parameters != null && number <= parameters.count(); number++) {
            if (parameters.typeOid(number) == PgType.UNSPECIFIED) {
                return false;
            }
        }
        return true;
    }

    /** What a common table expression does would be done on every shard. */
    private boolean hasWith() {
        return tokens.is(0, Keyword.WITH);
    }

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
            rowStarts.add(tokens.start(at));
            rowEnds.add(tokens.end(close));
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

    private byte[] text(List<Integer> rows) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(statement.end() - statement.start());
        int firstRow = rowStarts.get(0);
        Splice columns = statement.columnList();
        if (columns == null) {
            append(out, statement.start(), firstRow);
        } else {
            append(out, statement.start(), columns.position());
            out.writeBytes(columns.text().getBytes(StandardCharsets.UTF_8));
            append(out, columns.position(), firstRow);
        }
        for (int i = 0; i < rows.size(); i++) {
            if (i > 0) {
                out.write(',');
            }
            append(out, rowStarts.get(rows.get(i)), rowEnds.get(rows.get(i)));
        }
        append(out, rowEnds.get(rowEnds.size() - 1), statement.end());
        return out.toByteArray();
    }

    private void append(ByteArrayOutputStream out, int from, int to) {
        out.write(statement.text(), from, to - from);
    }
}
