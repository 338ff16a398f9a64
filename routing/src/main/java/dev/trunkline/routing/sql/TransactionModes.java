package dev.trunkline.routing.sql;

import org.jspecify.annotations.Nullable;

/**
 * The modes of a transaction.
 *
 * @param text as written, with single spaces; may be empty
 */
record TransactionModes(String text, boolean repeatableRead, boolean readOnly) {

    /** Reads modes up to the statement's end, commas between them or not; null if they are not all modes. */
    static @Nullable TransactionModes read(TokenCursor cursor) {
        int from = cursor.at();
        boolean repeatableRead = false;
        boolean readOnly = false;
        while (!cursor.atEnd()) {
            if (cursor.take(Keyword.ISOLATION, Keyword.LEVEL)) {
                repeatableRead = cursor.is(Keyword.REPEATABLE) || cursor.is(Keyword.SERIALIZABLE);
                if (!takeLevel(cursor)) {
                    return null;
                }
            } else if (cursor.take(Keyword.READ, Keyword.ONLY)) {
                readOnly = true;
            } else if (cursor.take(Keyword.READ, Keyword.WRITE)) {
                readOnly = false;
            } else if (!cursor.take(Keyword.DEFERRABLE) && !cursor.take(Keyword.NOT, Keyword.DEFERRABLE)) {
                return null;
            }
            if (cursor.take(TokenKind.COMMA) && cursor.atEnd()) {
                return null;
            }
        }
        return new TransactionModes(cursor.text(from, cursor.end()), repeatableRead, readOnly);
    }

    private static boolean takeLevel(TokenCursor cursor) {
        return cursor.take(Keyword.SERIALIZABLE)
                || cursor.take(Keyword.REPEATABLE, Keyword.READ)
                || cursor.take(Keyword.READ, Keyword.COMMITTED)
                || cursor.take(Keyword.READ, Keyword.UNCOMMITTED);
    }
}
