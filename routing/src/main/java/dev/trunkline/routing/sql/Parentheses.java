package dev.trunkline.routing.sql;

import java.util.BitSet;

/** Which of the open parentheses belong to CAST, where AS introduces a type and not a name. */
final class Parentheses {

    private final BitSet cast = new BitSet();
    private int depth;

    boolean isCast() {
        return cast.get(depth);
    }

    void observe(Tokens tokens, int from, int to) {
        for (int i = from; i < to; i++) {
            if (tokens.is(i, TokenKind.LEFT_PARENTHESIS)) {
                depth++;
                cast.set(depth, i > 0 && opensCast(tokens, i - 1));
            } else if (tokens.is(i, TokenKind.RIGHT_PARENTHESIS) && depth > 0) {
                depth--;
            }
        }
    }

    private static boolean opensCast(Tokens tokens, int before) {
        return tokens.is(before, Keyword.CAST)
                || tokens.is(before, Keyword.TREAT)
                || tokens.is(before, Keyword.XMLSERIALIZE);
    }
}
