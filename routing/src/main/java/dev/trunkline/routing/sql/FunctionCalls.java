package dev.trunkline.routing.sql;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The functions that a statement calls by name: names before a parenthesis that nothing else explains. */
final class FunctionCalls {

    private FunctionCalls() {}

    /** Each function once, in order of the text. */
    static List<ObjectName> in(Tokens tokens, int first, int end) {
        Set<ObjectName> functions = new LinkedHashSet<>();
        for (int i = first; i + 1 < end; i++) {
            if (tokens.is(i + 1, TokenKind.LEFT_PARENTHESIS) && tokens.isName(i) && isCall(tokens, first, i, end)) {
                functions.add(name(tokens, first, i));
            }
        }
        return new ArrayList<>(functions);
    }

    private static boolean isCall(Tokens tokens, int first, int i, int end) {
        int start = start(tokens, first, i);
        if (start == i && !isFunctionName(tokens, i)) {
            return false;
        }
        return start == first || !explains(tokens, start - 1) && !isColumnListOfQuery(tokens, i + 1, end);
    }

    /** The first token of the dotted name that ends at {@code i}. */
    private static int start(Tokens tokens, int first, int i) {
        int start = i;
        while (start - 2 >= first && tokens.is(start - 1, TokenKind.DOT) && tokens.isName(start - 2)) {
            start -= 2;
        }
        return start;
    }

    private static ObjectName name(Tokens tokens, int first, int i) {
        boolean qualified = start(tokens, first, i) < i;
        return new ObjectName(qualified ? tokens.name(i - 2) : null, tokens.name(i));
    }

    private static boolean isFunctionName(Tokens tokens, int i) {
        Keyword keyword = tokens.keyword(i);
        return switch (keyword.category()) {
            case NOT_A_KEYWORD -> true;
            case UNRESERVED -> Vocabulary.isFunctionWord(keyword);
            case TYPE_OR_FUNCTION_NAME -> keyword == Keyword.LEFT || keyword == Keyword.RIGHT;
            case COLUMN_NAME, RESERVED -> false;
        };
    }

    /** Whether the token before a name and a parenthesis says that they are a table, an alias or a type. */
    private static boolean explains(Tokens tokens, int before) {
        return switch (tokens.kind(before)) {
            case RIGHT_PARENTHESIS, QUOTED, UNICODE_QUOTED, TYPECAST -> true;
            case WORD -> explains(tokens.keyword(before));
            default -> false;
        };
    }

    private static boolean explains(Keyword before) {
        return switch (before) {
            case NONE_OF_THEM, INTO, AS, TABLE, CONSTRAINT, REFERENCES, TABLESAMPLE -> true;
            default -> false;
        };
    }

    /** {@code WITH q (a, b) AS (…)}. */
    private static boolean isColumnListOfQuery(Tokens tokens, int open, int end) {
        TokenCursor cursor = new TokenCursor(tokens, open, end);
        cursor.skipParentheses();
        return cursor.take(Keyword.AS)
                && (cursor.is(TokenKind.LEFT_PARENTHESIS) || cursor.is(Keyword.MATERIALIZED) || cursor.is(Keyword.NOT));
    }
}
