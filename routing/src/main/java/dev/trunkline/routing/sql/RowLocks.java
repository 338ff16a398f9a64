package dev.trunkline.routing.sql;

/** FOR UPDATE, FOR NO KEY UPDATE, FOR SHARE, FOR KEY SHARE. */
final class RowLocks {

    private RowLocks() {}

    static boolean isIn(Tokens tokens, int first, int end) {
        for (int i = first; i + 1 < end; i++) {
            if (tokens.is(i, Keyword.FOR) && isStrength(tokens, i + 1)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isStrength(Tokens tokens, int i) {
        return tokens.is(i, Keyword.UPDATE)
                || tokens.is(i, Keyword.SHARE)
                || (tokens.is(i, Keyword.KEY) && tokens.is(i + 1, Keyword.SHARE))
                || (tokens.is(i, Keyword.NO) && tokens.is(i + 1, Keyword.KEY));
    }
}
