package dev.trunkline.routing;

import dev.trunkline.routing.sql.Keyword;
import dev.trunkline.routing.sql.TokenKind;
import dev.trunkline.routing.sql.Tokens;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Where the column list of an INSERT belongs. */
final class InsertPlace {

    private InsertPlace() {}

    /** The list, to stand after the table and its alias; null if the place is not found. */
    static @Nullable Splice columnList(Tokens tokens, int first, int end, List<String> columns) {
        int insert = main(tokens, first, end);
        if (insert < 0 || !tokens.is(insert + 1, Keyword.INTO) || !tokens.isName(insert + 2)) {
            return null;
        }
        int last = insert + 2;
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
