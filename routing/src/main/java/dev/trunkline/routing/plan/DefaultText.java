package dev.trunkline.routing.plan;

import dev.trunkline.routing.catalog.Column;
import dev.trunkline.routing.sql.Lexer;
import dev.trunkline.routing.sql.TokenKind;
import dev.trunkline.routing.sql.Tokens;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads the expressions of defaults, as PostgreSQL writes them. */
final class DefaultText {

    private DefaultText() {}

    /** Whether a volatile default depends on nothing but the time of the statement or the transaction. */
    static boolean isOfTime(Column column) {
        String text = column.volatileExpression();
        return text != null && isOfTime(lex(text));
    }

    private static boolean isOfTime(Tokens tokens) {
        boolean time = false;
        for (int i = 0; i < tokens.count(); i++) {
            if (tokens.keyword(i).tellsTime()) {
                time = true;
            } else if (isCalled(tokens, i)) {
                String name = tokens.name(i);
                Builtins.Function function = isQualified(tokens, i) ? null : Builtins.function(name);
                boolean equal = function != null && function.equal();
                if (!equal && (isQualified(tokens, i) || !Once.isTime(name))) {
                    return false;
                }
                time |= Once.isTime(name);
            }
        }
        return time;
    }

    /** The functions that it calls by an unqualified name, and whatever looks like one. */
    static List<String> functions(String text) {
        Tokens tokens = lex(text);
        List<String> functions = new ArrayList<>();
        for (int i = 0; i < tokens.count(); i++) {
            if (isCalled(tokens, i) && !isQualified(tokens, i)) {
                functions.add(tokens.name(i));
            }
        }
        return functions;
    }

    private static boolean isCalled(Tokens tokens, int i) {
        return tokens.isName(i)
                && tokens.is(i + 1, TokenKind.LEFT_PARENTHESIS)
                && !tokens.keyword(i).tellsTime();
    }

    private static boolean isQualified(Tokens tokens, int i) {
        return i > 0 && tokens.is(i - 1, TokenKind.DOT);
    }

    private static Tokens lex(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Tokens tokens = new Tokens();
        Lexer.lex(bytes, 0, bytes.length, true, tokens);
        return tokens;
    }
}
