package dev.trunkline.routing.sql;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Whether the text of a DO may set run-time parameters for the session: it holds SET or RESET at the beginning of a
 * statement, calls set_config, or has such words in a string that it may execute. SET LOCAL ends with the transaction.
 */
final class SettingsInBlock {

    private static final Pattern WORDS = Pattern.compile("\\b(?:set|reset|set_config)\\b", Pattern.CASE_INSENSITIVE);

    private SettingsInBlock() {}

    /** True unless it is certain that nothing is set beyond the transaction. */
    static boolean mayBeMade(Tokens tokens, int first, int end) {
        for (int i = first + 1; i < end; i++) {
            if (tokens.kind(i).isString()) {
                String block = Literals.string(tokens, i);
                if (block == null || mayBeMade(block)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean mayBeMade(String block) {
        if (!WORDS.matcher(block).find()) {
            return false;
        }
        Tokens tokens = Lexer.lex(block.getBytes(StandardCharsets.UTF_8), true);
        if (tokens.malformed()) {
            return true; // in another language, which has other rules
        }
        for (int i = 0; i < tokens.count(); i++) {
            boolean executed =
                    tokens.kind(i).isString() && WORDS.matcher(tokens.raw(i)).find();
            if (executed
                    || sets(tokens, i)
                    || tokens.isName(i) && tokens.name(i).equals("set_config")) {
                return true;
            }
        }
        return false;
    }

    private static boolean sets(Tokens tokens, int token) {
        boolean verb = tokens.is(token, Keyword.RESET)
                || tokens.is(token, Keyword.SET)
                        && !(token + 1 < tokens.count() && tokens.is(token + 1, Keyword.LOCAL));
        return verb && beginsStatement(tokens, token);
    }

    private static boolean beginsStatement(Tokens tokens, int token) {
        if (token == 0 || tokens.is(token - 1, TokenKind.SEMICOLON)) {
            return true;
        }
        return switch (tokens.keyword(token - 1)) {
            case BEGIN, THEN, ELSE -> true;
            default -> tokens.isWord(token - 1, "loop") || tokens.isOperator(token - 1, '>');
        };
    }
}
