package dev.trunkline.routing;

import dev.trunkline.routing.sql.Keyword;
import dev.trunkline.routing.sql.TokenKind;
import dev.trunkline.routing.sql.Tokens;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Where the column list of an INSERT or a COPY belongs. */
final class InsertPlace {

    private InsertPlace() {}

    /** The list, to stand after the table and its alias; null if the place is not found. */
    static @Nullable Splice columnList(Tokens tokens, int first, int end, List<String> columns) {
        int table = tokens.is(first, Keyword.COPY) ? copied(tokens, first) : inserted(tokens, first, end);
        if (table < 0 || !tokens.isName(table)) {
            return null;
        }
        int last = table;
        while (tokens.is(last + 1, TokenKind.DOT) && tokens.isName(last + 2)) {
            last += 2;
        }
        if (tokens.is(last + 1, Keyword.AS) && tokens.isName(last + 2)) {
            last += 2;
        }
        String list = columns.stream()
                .map(column -> '"' + column.replace("\"", "\"\"") + '"')
                .collect(Collectors.joining(", ", " (", ")"));
        return new Splice(tokens.end(last), list);
    }

    private static int copied(Tokens tokens, int copy) {
        boolean binary =
                tokens.is(copy + 1, Keyword.BINARY) && tokens.isName(copy + 2) && !tokens.is(copy + 2, Keyword.FROM);
        return binary ? copy + 2 : copy + 1;
    }

    private static int inserted(Tokens tokens, int first, int end) {
        int insert = main(tokens, first, end);
        return insert >= 0 && tokens.is(insert + 1, Keyword.INTO) ? insert + 2 : -1;
    }

    /** The INSERT outside of all parentheses; those within WITH are inside. */
    private static int main(Tokens tokens, int first, int end) {
        int depth = 0;
        for (int i = first; i < end; i++) {
            if (tokens.is(i, TokenKind.LEFT_PARENTHESIS)) {
                depth++;
            } else if (tokens.is(i, TokenKind.RIGHT_PARENTHESIS)) {
                depth--;
            } else if (depth == 0 && tokens.is(i, Keyword.INSERT)) {
                return i;
            }
        }
        return -1;
    }
}
