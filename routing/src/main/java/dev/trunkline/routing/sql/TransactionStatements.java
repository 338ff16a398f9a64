package dev.trunkline.routing.sql;

import org.jspecify.annotations.Nullable;

/** BEGIN, COMMIT, ROLLBACK, savepoints, two-phase commit, SET TRANSACTION: exactly PostgreSQL's grammar. */
final class TransactionStatements {

    private TransactionStatements() {}

    /** BEGIN and START TRANSACTION. */
    static Recognized begin(TokenCursor cursor) {
        boolean start = cursor.take(Keyword.START);
        if (start ? !cursor.take(Keyword.TRANSACTION) : !cursor.take(Keyword.BEGIN)) {
            return Recognized.UNKNOWN;
        }
        if (!start) {
            skipNoise(cursor);
        }
        TransactionModes modes = TransactionModes.read(cursor);
        if (modes == null) {
            return Recognized.UNKNOWN;
        }
        Command command = new Command.Transaction(modes.text(), modes.repeatableRead(), modes.readOnly(), false);
        return Recognized.of(StatementKind.BEGIN, command);
    }

    /** COMMIT, END and COMMIT PREPARED. */
    static Recognized commit(TokenCursor cursor) {
        boolean mayBePrepared = cursor.is(Keyword.COMMIT);
        cursor.skip();
        if (mayBePrepared && cursor.take(Keyword.PREPARED)) {
            return prepared(cursor, StatementKind.COMMIT_PREPARED);
        }
        return end(cursor, StatementKind.COMMIT);
    }

    /** ROLLBACK, ABORT, ROLLBACK TO and ROLLBACK PREPARED. */
    static Recognized rollback(TokenCursor cursor) {
        boolean abort = cursor.is(Keyword.ABORT);
        cursor.skip();
        if (!abort && cursor.take(Keyword.PREPARED)) {
            return prepared(cursor, StatementKind.ROLLBACK_PREPARED);
        }
        int start = cursor.at();
        skipNoise(cursor);
        if (!abort && cursor.take(Keyword.TO)) {
            boolean nameTaken = cursor.take(Keyword.SAVEPOINT) && cursor.atEnd();
            return savepoint(cursor, StatementKind.ROLLBACK_TO, nameTaken);
        }
        cursor.moveTo(start);
        return end(cursor, StatementKind.ROLLBACK);
    }

    static Recognized savepoint(TokenCursor cursor) {
        cursor.skip();
        return savepoint(cursor, StatementKind.SAVEPOINT, false);
    }

    static Recognized release(TokenCursor cursor) {
        cursor.skip();
        boolean nameTaken = cursor.take(Keyword.SAVEPOINT) && cursor.atEnd();
        return savepoint(cursor, StatementKind.RELEASE, nameTaken);
    }

    /** PREPARE TRANSACTION 'gid', after its two words. */
    static Recognized prepareTransaction(TokenCursor cursor) {
        return prepared(cursor, StatementKind.PREPARE_TRANSACTION);
    }

    /**
     * SET [SESSION | LOCAL] TRANSACTION and SET SESSION CHARACTERISTICS AS TRANSACTION, after the word TRANSACTION.
     */
    static Recognized setTransaction(TokenCursor cursor, boolean session) {
        if (!session && cursor.take(Keyword.SNAPSHOT)) {
            int from = cursor.at() - 1;
            boolean named = cursor.takeString() != null;
            Command command = new Command.SetTransaction(cursor.text(from, cursor.at()), false, false, true);
            return named ? Recognized.of(StatementKind.SET_TRANSACTION, command).ifAtEnd(cursor) : Recognized.UNKNOWN;
        }
        TransactionModes modes = TransactionModes.read(cursor);
        if (modes == null || modes.text().isEmpty()) {
            return Recognized.UNKNOWN;
        }
        Command command = new Command.SetTransaction(modes.text(), modes.repeatableRead(), session, false);
        return Recognized.of(StatementKind.SET_TRANSACTION, command);
    }

    private static Recognized end(TokenCursor cursor, StatementKind kind) {
        skipNoise(cursor);
        boolean chain = false;
        if (cursor.take(Keyword.AND)) {
            chain = !cursor.take(Keyword.NO);
            if (!cursor.take(Keyword.CHAIN)) {
                return Recognized.UNKNOWN;
            }
        }
        return Recognized.of(kind, new Command.Transaction("", false, false, chain))
                .ifAtEnd(cursor);
    }

    /** A savepoint may itself be called "savepoint". */
    private static Recognized savepoint(TokenCursor cursor, StatementKind kind, boolean nameWasTaken) {
        String name = nameWasTaken ? "savepoint" : cursor.takeName();
        return name == null
                ? Recognized.UNKNOWN
                : Recognized.of(kind, new Command.Savepoint(name)).ifAtEnd(cursor);
    }

    private static Recognized prepared(TokenCursor cursor, StatementKind kind) {
        @Nullable String gid = cursor.takeString();
        return gid == null
                ? Recognized.UNKNOWN
                : Recognized.of(kind, new Command.Prepared(gid)).ifAtEnd(cursor);
    }

    private static void skipNoise(TokenCursor cursor) {
        cursor.skipIf(Keyword.WORK, Keyword.TRANSACTION);
    }
}
