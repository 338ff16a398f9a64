package dev.trunkline.routing.sql;

import org.jspecify.annotations.Nullable;

/** SQL-level prepared statements, cursors and notifications. */
final class SessionStatements {

    private SessionStatements() {}

    /** PREPARE name [(types)] AS statement, and PREPARE TRANSACTION. */
    static Recognized prepare(TokenCursor cursor) {
        cursor.skip();
        if (cursor.is(Keyword.TRANSACTION)
                && cursor.tokens().kind(cursor.at() + 1).isString()) {
            cursor.skip();
            return TransactionStatements.prepareTransaction(cursor);
        }
        String name = cursor.takeName();
        cursor.skipParentheses();
        if (name == null || !cursor.take(Keyword.AS) || cursor.atEnd()) {
            return Recognized.UNKNOWN;
        }
        return new Recognized(StatementKind.PREPARE, new Command.SqlPrepared(name), rest(cursor));
    }

    static Recognized execute(TokenCursor cursor) {
        cursor.skip();
        String name = cursor.takeName();
        cursor.skipParentheses();
        return name == null
                ? Recognized.UNKNOWN
                : Recognized.of(StatementKind.EXECUTE, new Command.SqlPrepared(name))
                        .ifAtEnd(cursor);
    }

    static Recognized deallocate(TokenCursor cursor) {
        cursor.skip();
        if (cursor.is(Keyword.PREPARE) && cursor.at() + 1 < cursor.end()) {
            cursor.skip();
        }
        return nameOrAll(cursor, StatementKind.DEALLOCATE);
    }

    static Recognized close(TokenCursor cursor) {
        cursor.skip();
        return nameOrAll(cursor, StatementKind.CLOSE);
    }

    private static Recognized nameOrAll(TokenCursor cursor, StatementKind kind) {
        String name = cursor.take(Keyword.ALL) ? null : cursor.takeName();
        boolean all = name == null && cursor.tokens().is(cursor.at() - 1, Keyword.ALL);
        if (name == null && !all) {
            return Recognized.UNKNOWN;
        }
        Command command = kind == StatementKind.CLOSE ? new Command.Cursor(name, false) : new Command.SqlPrepared(name);
        return Recognized.of(kind, command).ifAtEnd(cursor);
    }

    /** DECLARE name [options] CURSOR [WITH | WITHOUT HOLD] FOR query. */
    static Recognized declare(TokenCursor cursor) {
        cursor.skip();
        String name = cursor.takeName();
        if (name == null) {
            return Recognized.UNKNOWN;
        }
        while (takeCursorOption(cursor)) {
            // each option may stand in any order
        }
        if (!cursor.take(Keyword.CURSOR)) {
            return Recognized.UNKNOWN;
        }
        boolean hold = cursor.take(Keyword.WITH, Keyword.HOLD);
        boolean held = hold || cursor.take(Keyword.WITHOUT, Keyword.HOLD) || cursor.is(Keyword.FOR);
        if (!held || !cursor.take(Keyword.FOR) || cursor.atEnd()) {
            return Recognized.UNKNOWN;
        }
        return new Recognized(StatementKind.DECLARE, new Command.Cursor(name, hold), rest(cursor));
    }

    private static boolean takeCursorOption(TokenCursor cursor) {
        return cursor.take(Keyword.BINARY)
                || cursor.take(Keyword.ASENSITIVE)
                || cursor.take(Keyword.INSENSITIVE)
                || cursor.take(Keyword.SCROLL)
                || cursor.take(Keyword.NO, Keyword.SCROLL);
    }

    /** FETCH and MOVE: whatever the direction, the cursor is named last. */
    static Recognized fetch(TokenCursor cursor, StatementKind kind) {
        int last = cursor.end() - 1;
        if (last <= cursor.first()) {
            return Recognized.UNKNOWN;
        }
        cursor.moveTo(last);
        String name = cursor.takeName();
        return name == null ? Recognized.UNKNOWN : Recognized.of(kind, new Command.Cursor(name, false));
    }

    /** LISTEN, UNLISTEN and NOTIFY. */
    static Recognized channel(TokenCursor cursor, StatementKind kind) {
        cursor.skip();
        boolean all = kind == StatementKind.UNLISTEN && cursor.takeOperator('*');
        @Nullable String name = all ? null : cursor.takeName();
        if (name == null && !all) {
            return Recognized.UNKNOWN;
        }
        boolean payload = kind == StatementKind.NOTIFY && cursor.take(TokenKind.COMMA);
        if (payload && cursor.takeString() == null) {
            return Recognized.UNKNOWN;
        }
        return Recognized.of(kind, new Command.Channel(name)).ifAtEnd(cursor);
    }

    private static InnerStatement rest(TokenCursor cursor) {
        return new InnerStatement(cursor.at() - cursor.first(), 0);
    }
}
