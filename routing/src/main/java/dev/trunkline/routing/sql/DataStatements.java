package dev.trunkline.routing.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** SELECT, VALUES, TABLE, INSERT, UPDATE, DELETE, MERGE and WITH: whether they write. */
final class DataStatements {

    private DataStatements() {}

    /** READ, WRITE, or UNKNOWN if no data statement stands at the cursor. */
    static StatementKind kind(TokenCursor cursor) {
        return switch (cursor.keyword()) {
            case SELECT -> selectsInto(cursor) ? StatementKind.WRITE : StatementKind.READ;
            case VALUES, TABLE -> StatementKind.READ;
            case INSERT, UPDATE, DELETE, MERGE -> StatementKind.WRITE;
            case WITH -> with(cursor);
            default -> cursor.is(TokenKind.LEFT_PARENTHESIS) ? parenthesised(cursor) : StatementKind.UNKNOWN;
        };
    }

    private static StatementKind parenthesised(TokenCursor cursor) {
        boolean into = selectsInto(cursor);
        while (cursor.take(TokenKind.LEFT_PARENTHESIS)) {
            // (((SELECT …)))
        }
        StatementKind kind = kind(cursor);
        return into && kind == StatementKind.READ ? StatementKind.WRITE : kind;
    }

    /** Common table expressions, then the statement itself; any of them may write. */
    private static StatementKind with(TokenCursor cursor) {
        cursor.skip();
        if (!cursor.isNext(Keyword.AS)) {
            cursor.skipIf(Keyword.RECURSIVE);
        }
        boolean writes = false;
        do {
            StatementKind body = commonTableExpression(cursor);
            if (body == StatementKind.UNKNOWN) {
                return body;
            }
            writes |= body == StatementKind.WRITE;
        } while (cursor.take(TokenKind.COMMA));
        StatementKind main = kind(cursor);
        return writes && main == StatementKind.READ ? StatementKind.WRITE : main;
    }

    private static StatementKind commonTableExpression(TokenCursor cursor) {
        @Nullable String name = cursor.takeName();
        cursor.skipParentheses();
        if (name == null || !cursor.take(Keyword.AS)) {
            return StatementKind.UNKNOWN;
        }
        cursor.skipIf(Keyword.NOT);
        cursor.skipIf(Keyword.MATERIALIZED);
        int open = cursor.at();
        if (!cursor.takeParentheses()) {
            return StatementKind.UNKNOWN;
        }
        int after = cursor.at();
        StatementKind body = kind(new TokenCursor(cursor.tokens(), open + 1, after - 1));
        cursor.moveTo(after);
        skipSearchAndCycle(cursor);
        return body;
    }

    private static void skipSearchAndCycle(TokenCursor cursor) {
        if (cursor.is(Keyword.SEARCH) && cursor.skipPast(Keyword.SET)) {
            cursor.skip();
        }
        if (cursor.is(Keyword.CYCLE) && cursor.skipPast(Keyword.USING)) {
            cursor.skip();
        }
    }

    /** INTO is reserved: outside INSERT and MERGE it is SELECT INTO, wherever PostgreSQL admits it. */
    private static boolean selectsInto(TokenCursor cursor) {
        return intoAt(cursor.tokens(), cursor.at(), cursor.end()) >= 0;
    }

    private static int intoAt(Tokens tokens, int from, int end) {
        for (int i = from + 1; i < end; i++) {
            if (tokens.is(i, Keyword.INTO) && !isOtherInto(tokens, i - 1)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isOtherInto(Tokens tokens, int before) {
        return tokens.is(before, Keyword.INSERT)
                || tokens.is(before, Keyword.MERGE)
                || tokens.is(before, Keyword.AS)
                || tokens.is(before, TokenKind.DOT);
    }

    /** The table that SELECT INTO creates; {@link Definition#NONE} for any other statement. */
    static Definition selectInto(TokenCursor cursor) {
        int into = intoAt(cursor.tokens(), cursor.first(), cursor.end());
        boolean select = cursor.tokens().is(cursor.first(), Keyword.SELECT)
                || cursor.tokens().is(cursor.first(), Keyword.WITH)
                || cursor.tokens().is(cursor.first(), TokenKind.LEFT_PARENTHESIS);
        if (into < 0 || !select) {
            return Definition.NONE;
        }
        cursor.moveTo(into + 1);
        cursor.skipIf(Keyword.LOCAL, Keyword.GLOBAL);
        boolean temporary = cursor.takeEither(Keyword.TEMP, Keyword.TEMPORARY);
        cursor.skipIf(Keyword.UNLOGGED);
        cursor.skipIf(Keyword.TABLE);
        ObjectName name = cursor.takeObjectName();
        if (name == null) {
            return Definition.NONE;
        }
        boolean inTemporarySchema = "pg_temp".equals(name.schema());
        return new Definition(Keyword.SELECT, Keyword.TABLE, List.of(name), temporary || inTemporarySchema, false);
    }
}
