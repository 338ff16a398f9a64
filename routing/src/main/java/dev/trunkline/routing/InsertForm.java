package dev.trunkline.routing;

import dev.trunkline.routing.sql.Keyword;
import dev.trunkline.routing.sql.TokenKind;
import dev.trunkline.routing.sql.Tokens;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an INSERT of listed rows or of DEFAULT VALUES, by tokens.
 *
 * @param nameEnd the last token of the table and its alias
 * @param listClose the parenthesis that closes the column list; -1 without one
 * @param overrides it has an OVERRIDING clause
 * @param source the token VALUES, or DEFAULT of DEFAULT VALUES
 * @param rows the listed rows; empty for DEFAULT VALUES
 * @param end the token behind the rows
 */
record InsertForm(int nameEnd, int listClose, boolean overrides, int source, List<Row> rows, int end) {

    /** A row, by its two parentheses, and its values. */
    record Row(int open, int close, List<Item> items) {}

    /** A value, from its first token to before {@code end}. */
    record Item(int first, int end) {}

    /** The parts; null if the statement inserts the rows of a query, or sorts or limits those it lists. */
    static @Nullable InsertForm of(Tokens tokens, int insert) {
        if (!tokens.is(insert + 1, Keyword.INTO) || !tokens.isName(insert + 2)) {
            return null;
        }
        int name = insert + 2;
        while (tokens.is(name + 1, TokenKind.DOT) && tokens.isName(name + 2)) {
            name += 2;
        }
        if (tokens.is(name + 1, Keyword.AS) && tokens.isName(name + 2)) {
            name += 2;
        }
        int at = name + 1;
        int listClose = -1;
        if (tokens.is(at, TokenKind.LEFT_PARENTHESIS) && tokens.isName(at + 1) && !beginsQuery(tokens, at + 1)) {
            listClose = closing(tokens, at);
            at = listClose + 1;
        }
        boolean overrides = tokens.is(at, Keyword.OVERRIDING);
        at += overrides ? 3 : 0;
        if (at >= tokens.count()) {
            return null;
        }
        if (tokens.is(at, Keyword.DEFAULT) && tokens.is(at + 1, Keyword.VALUES)) {
            return new InsertForm(name, listClose, overrides, at, List.of(), at + 2);
        }
        if (!tokens.is(at, Keyword.VALUES)) {
            return null;
        }
        List<Row> rows = rows(tokens, at + 1);
        int end = rows.isEmpty() ? at : rows.get(rows.size() - 1).close + 1;
        boolean plain = !rows.isEmpty()
                && (end >= tokens.count() || tokens.is(end, Keyword.ON) || tokens.is(end, Keyword.RETURNING));
        return plain ? new InsertForm(name, listClose, overrides, at, rows, end) : null;
    }

    private static boolean beginsQuery(Tokens tokens, int i) {
        return tokens.is(i, Keyword.SELECT)
                || tokens.is(i, Keyword.WITH)
                || tokens.is(i, Keyword.TABLE)
                || tokens.is(i, Keyword.VALUES) && tokens.is(i + 1, TokenKind.LEFT_PARENTHESIS);
    }

    private static List<Row> rows(Tokens tokens, int first) {
        List<Row> rows = new ArrayList<>();
        int at = first;
        while (tokens.is(at, TokenKind.LEFT_PARENTHESIS)) {
            int close = closing(tokens, at);
            rows.add(new Row(at, close, items(tokens, at, close)));
            if (!tokens.is(close + 1, TokenKind.COMMA)) {
                break;
            }
            at = close + 2;
        }
        return rows;
    }

    private static List<Item> items(Tokens tokens, int open, int close) {
        List<Item> items = new ArrayList<>();
        int depth = 0;
        int first = open + 1;
        for (int i = first; i < close; i++) {
            if (opens(tokens, i)) {
                depth++;
            } else if (closes(tokens, i)) {
                depth--;
            } else if (depth == 0 && tokens.is(i, TokenKind.COMMA)) {
                items.add(new Item(first, i));
                first = i + 1;
            }
        }
        items.add(new Item(first, close));
        return items;
    }

    /** The token that closes what one opens; the last token if none does. */
    static int closing(Tokens tokens, int open) {
        int depth = 0;
        for (int i = open; i < tokens.count(); i++) {
            if (opens(tokens, i)) {
                depth++;
            } else if (closes(tokens, i) && --depth == 0) {
                return i;
            }
        }
        return tokens.count() - 1;
    }

    static boolean opens(Tokens tokens, int i) {
        return tokens.is(i, TokenKind.LEFT_PARENTHESIS) || tokens.is(i, TokenKind.LEFT_BRACKET);
    }

    static boolean closes(Tokens tokens, int i) {
        return tokens.is(i, TokenKind.RIGHT_PARENTHESIS) || tokens.is(i, TokenKind.RIGHT_BRACKET);
    }
}
