package dev.trunkline.routing.sql;

/** Where a statement ends. */
final class Splitter {

    private Splitter() {}

    /**
     * The token after the statement that begins at {@code first}: its semicolon or {@link Tokens#count()}. Semicolons
     * within parentheses (CREATE RULE) and within the BEGIN ATOMIC … END body of a function do not end it.
     */
    static int endOfStatement(Tokens tokens, int first) {
        boolean routine = createsRoutine(tokens, first);
        int depth = 0;
        int i = first;
        while (i < tokens.count()) {
            switch (tokens.kind(i)) {
                case LEFT_PARENTHESIS -> depth++;
                case RIGHT_PARENTHESIS -> depth = Math.max(0, depth - 1);
                case SEMICOLON -> {
                    if (depth == 0) {
                        return i;
                    }
                }
                case WORD -> {
                    if (routine && depth == 0 && beginsBody(tokens, i)) {
                        i = endOfBody(tokens, i + 2);
                    }
                }
                default -> {}
            }
            i++;
        }
        return tokens.count();
    }

    private static boolean createsRoutine(Tokens tokens, int first) {
        if (!tokens.is(first, Keyword.CREATE)) {
            return false;
        }
        int i = first + 1;
        if (tokens.is(i, Keyword.OR) && tokens.is(i + 1, Keyword.REPLACE)) {
            i += 2;
        }
        return tokens.is(i, Keyword.FUNCTION) || tokens.is(i, Keyword.PROCEDURE);
    }

    private static boolean beginsBody(Tokens tokens, int i) {
        return tokens.is(i, Keyword.BEGIN) && tokens.is(i + 1, Keyword.ATOMIC);
    }

    /** The END that closes a body whose first token is {@code first}; CASE … END nests. */
    private static int endOfBody(Tokens tokens, int first) {
        int depth = 1;
        for (int i = first; i < tokens.count(); i++) {
            if (tokens.is(i, Keyword.CASE) && !isLabel(tokens, i)) {
                depth++;
            } else if (tokens.is(i, Keyword.END) && !isLabel(tokens, i) && --depth == 0) {
                return i;
            }
        }
        return tokens.count() - 1;
    }

    /** {@code AS end} and {@code t.end} are names. */
    private static boolean isLabel(Tokens tokens, int i) {
        return tokens.is(i - 1, Keyword.AS) || tokens.is(i - 1, TokenKind.DOT);
    }
}
