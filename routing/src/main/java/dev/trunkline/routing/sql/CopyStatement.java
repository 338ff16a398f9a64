package dev.trunkline.routing.sql;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** COPY, of a table or a query, from or to the client, a file or a program. */
final class CopyStatement {

    private CopyStatement() {}

    static Recognized read(TokenCursor cursor) {
        cursor.skip();
        if (cursor.is(TokenKind.LEFT_PARENTHESIS)) {
            return query(cursor);
        }
        boolean binary = cursor.take(Keyword.BINARY);
        ObjectName table = cursor.takeObjectName();
        List<String> columns = columns(cursor);
        if (table == null || columns == null) {
            return Recognized.UNKNOWN;
        }
        return direction(cursor, new Command.Copy(table.schema(), table.name(), columns), null, binary);
    }

    private static Recognized query(TokenCursor cursor) {
        int from = cursor.at() + 1;
        cursor.skipParentheses();
        int tail = cursor.end() - cursor.at() + 1;
        InnerStatement inner = new InnerStatement(from - cursor.first(), tail);
        if (cursor.is(Keyword.FROM)) {
            return Recognized.UNKNOWN;
        }
        return direction(cursor, new Command.Copy(null, null, List.of()), inner, false);
    }

    private static Recognized direction(
            TokenCursor cursor, Command.Copy what, @Nullable InnerStatement inner, boolean binary) {
        boolean from = cursor.take(Keyword.FROM);
        if (!from && !cursor.take(Keyword.TO)) {
            return Recognized.UNKNOWN;
        }
        if (cursor.take(Keyword.STDIN) || cursor.take(Keyword.STDOUT)) {
            // PostgreSQL admits either word for either direction
            Command.Copy copy =
                    new Command.Copy(what.schema(), what.table(), what.columns(), CopyOptionList.read(cursor, binary));
            return new Recognized(from ? StatementKind.COPY_FROM_STDIN : StatementKind.COPY_TO_STDOUT, copy, inner);
        }
        cursor.skipIf(Keyword.PROGRAM);
        return cursor.isString() ? new Recognized(StatementKind.COPY_FILE, what, inner) : Recognized.UNKNOWN;
    }

    /** The column list; empty if there is none, null if it is no list of names. */
    private static @Nullable List<String> columns(TokenCursor cursor) {
        List<String> columns = new ArrayList<>();
        if (!cursor.take(TokenKind.LEFT_PARENTHESIS)) {
            return columns;
        }
        do {
            String column = cursor.takeName();
            if (column == null) {
                return null;
            }
            columns.add(column);
        } while (cursor.take(TokenKind.COMMA));
        return cursor.take(TokenKind.RIGHT_PARENTHESIS) ? columns : null;
    }
}
