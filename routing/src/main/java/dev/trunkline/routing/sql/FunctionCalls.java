package dev.trunkline.routing.sql;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The functions that a statement calls by name: names before a parenthesis that nothing else explains. When in doubt it
 * is a function: to miss one that writes would be worse than to name one too many.
 */
public final class FunctionCalls {

    private FunctionCalls() {}

    /** Each function once, in order of the text. */
    public static List<ObjectName> in(Tokens tokens, int first, int end) {
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
        if (start == i && !isFunctionName(tokens, first, i)) {
            return false;
        }
        if (start == first) {
            return true;
        }
        return !explains(tokens, first, start - 1) && !isColumnListOfQuery(tokens, start - 1, i + 1, end);
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

    private static boolean isFunctionName(Tokens tokens, int first, int i) {
        Keyword keyword = tokens.keyword(i);
        return switch (keyword.category()) {
            case NOT_A_KEYWORD -> true;
            case UNRESERVED ->
                keyword == Keyword.CUBE
                        || keyword == Keyword.ROLLUP
                        || new WordRoles(tokens, first).isName(i, false, endsOperand(tokens, first, i - 1), keyword);
            case TYPE_OR_FUNCTION_NAME -> !endsOperand(tokens, first, i - 1) && !isOperator(keyword);
            case COLUMN_NAME -> keyword == Keyword.SUBSTRING || keyword == Keyword.OVERLAY;
            case RESERVED -> false;
        };
    }

    private static boolean isOperator(Keyword keyword) {
        return switch (keyword) {
            case JOIN, LIKE, ILIKE, IS, SIMILAR, OVERLAPS, TABLESAMPLE -> true;
            default -> false;
        };
    }

    private static boolean endsOperand(Tokens tokens, int first, int i) {
        if (i < first) {
            return false;
        }
        return switch (tokens.kind(i)) {
            case RIGHT_PARENTHESIS, RIGHT_BRACKET, PARAMETER, QUOTED, UNICODE_QUOTED -> true;
            case WORD -> Vocabulary.endsOperand(tokens.keyword(i));
            default -> tokens.kind(i).isConstant();
        };
    }

    /** Whether the token before a name and a parenthesis says that they are a table, an alias or a type. */
    private static boolean explains(Tokens tokens, int first, int before) {
        return switch (tokens.kind(before)) {
            case QUOTED, UNICODE_QUOTED, TYPECAST -> true;
            case RIGHT_PARENTHESIS -> !isDistinctOn(tokens, first, before);
            case WORD -> explains(tokens.keyword(before));
            default -> false;
        };
    }

    /** {@code DISTINCT ON (a) f(b)}: the one place where a call follows a closing parenthesis. */
    private static boolean isDistinctOn(Tokens tokens, int first, int close) {
        int depth = 0;
        int i = close;
        do {
            if (tokens.is(i, TokenKind.RIGHT_PARENTHESIS)) {
                depth++;
            } else if (tokens.is(i, TokenKind.LEFT_PARENTHESIS)) {
                depth--;
            }
            i--;
        } while (depth > 0 && i > first);
        return i > first && tokens.is(i, Keyword.ON) && tokens.is(i - 1, Keyword.DISTINCT);
    }

    private static boolean explains(Keyword before) {
        return switch (before) {
            case NONE_OF_THEM, INTO, AS, TABLE, CONSTRAINT, REFERENCES, TABLESAMPLE -> true;
            default -> false;
        };
    }

    /** {@code WITH q (a, b) AS (SELECT …)}, not {@code FROM f(x) AS (a int)}. */
    private static boolean isColumnListOfQuery(Tokens tokens, int before, int open, int end) {
        boolean mayBegin = tokens.is(before, Keyword.WITH)
                || tokens.is(before, Keyword.RECURSIVE)
                || tokens.is(before, TokenKind.COMMA);
        TokenCursor cursor = new TokenCursor(tokens, open, end);
        cursor.skipParentheses();
        if (!mayBegin || !cursor.take(Keyword.AS)) {
            return false;
        }
        if (cursor.is(Keyword.MATERIALIZED) || cursor.is(Keyword.NOT)) {
            return true;
        }
        return cursor.take(TokenKind.LEFT_PARENTHESIS) && beginsQuery(cursor);
    }

    private static boolean beginsQuery(TokenCursor cursor) {
        return switch (cursor.keyword()) {
            case SELECT, VALUES, TABLE, WITH, INSERT, UPDATE, DELETE, MERGE -> true;
            default -> cursor.is(TokenKind.LEFT_PARENTHESIS);
        };
    }
}
