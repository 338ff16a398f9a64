package dev.trunkline.routing.sql;

import org.jspecify.annotations.Nullable;

/** WHERE CURRENT OF cursor. */
final class CurrentOf {

    private CurrentOf() {}

    /** The cursor's name; null if the statement has no such clause. */
    static @Nullable String cursor(Tokens tokens, int first, int end) {
        for (int i = first; i + 3 < end; i++) {
            boolean clause =
                    tokens.is(i, Keyword.WHERE) && tokens.is(i + 1, Keyword.CURRENT) && tokens.is(i + 2, Keyword.OF);
            if (clause && tokens.isName(i + 3)) {
                return tokens.name(i + 3);
            }
        }
        return null;
    }
}
