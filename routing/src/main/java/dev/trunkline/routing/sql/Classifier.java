package dev.trunkline.routing.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says what a statement is from its tokens alone. Statements that the engine answers or acts on by itself are read
 * exactly as PostgreSQL's grammar has them; anything else that begins with their words is UNKNOWN.
 */
public final class Classifier {

    private Classifier() {}

    /** What the statement of the tokens from {@code first} to before {@code end} is. Equal for equal shapes. */
    public static Classification classify(Tokens tokens, int first, int end) {
        TokenCursor cursor = new TokenCursor(tokens, first, end);
        Recognized session = session(cursor);
        if (session != null) {
            return of(cursor, session.kind(), Definition.NONE, session.inner(), false);
        }
        cursor.moveTo(first);
        return switch (cursor.keyword()) {
            case EXPLAIN -> explain(cursor);
            case SELECT, VALUES, TABLE, INSERT, UPDATE, DELETE, MERGE, WITH -> data(cursor);
            case CALL -> of(cursor, StatementKind.CALL, Definition.NONE, null, false);
            case DO -> of(cursor, StatementKind.DO, Definition.NONE, null, false);
            case CHECKPOINT -> of(cursor, StatementKind.UTILITY, Definition.NONE, null, false);
            case LOAD -> of(cursor, StatementKind.UTILITY, LOAD, null, false);
            default -> first < end && tokens.is(first, TokenKind.LEFT_PARENTHESIS) ? data(cursor) : definition(cursor);
        };
    }

    private static final Definition LOAD = new Definition(Keyword.LOAD, Keyword.NONE_OF_THEM, List.of(), false, false);

    /**
     * The particulars of the statement that the engine acts on; null for kinds that have none. For a shape without
     * slots it is the same each time, but for the case of words.
     */
    public static @Nullable Command command(Tokens tokens, int first, int end) {
        Recognized session = session(new TokenCursor(tokens, first, end));
        return session == null ? null : session.command();
    }

    /** The statement, if its first word is one that the engine itself acts on; else null. */
    private static @Nullable Recognized session(TokenCursor cursor) {
        return switch (cursor.keyword()) {
            case BEGIN, START -> TransactionStatements.begin(cursor);
            case COMMIT, END -> TransactionStatements.commit(cursor);
            case ROLLBACK, ABORT -> TransactionStatements.rollback(cursor);
            case SAVEPOINT -> TransactionStatements.savepoint(cursor);
            case RELEASE -> TransactionStatements.release(cursor);
            case SET -> SettingStatements.set(cursor);
            case RESET -> SettingStatements.reset(cursor);
            case SHOW -> SettingStatements.show(cursor);
            case DISCARD -> SettingStatements.discard(cursor);
            case PREPARE -> SessionStatements.prepare(cursor);
            case EXECUTE -> SessionStatements.execute(cursor);
            case DEALLOCATE -> SessionStatements.deallocate(cursor);
            case DECLARE -> SessionStatements.declare(cursor);
            case FETCH -> SessionStatements.fetch(cursor, StatementKind.FETCH);
            case MOVE -> SessionStatements.fetch(cursor, StatementKind.MOVE);
            case CLOSE -> SessionStatements.close(cursor);
            case LISTEN -> SessionStatements.channel(cursor, StatementKind.LISTEN);
            case UNLISTEN -> SessionStatements.channel(cursor, StatementKind.UNLISTEN);
            case NOTIFY -> SessionStatements.channel(cursor, StatementKind.NOTIFY);
            case COPY -> CopyStatement.read(cursor);
            default -> null;
        };
    }

    private static Classification data(TokenCursor cursor) {
        StatementKind kind = DataStatements.kind(cursor);
        Definition created = kind == StatementKind.WRITE ? DataStatements.selectInto(cursor) : Definition.NONE;
        return of(cursor, kind, created, null, false);
    }

    /** EXPLAIN [ANALYZE] [VERBOSE] statement, EXPLAIN (options) statement. */
    private static Classification explain(TokenCursor cursor) {
        cursor.skip();
        boolean executes = false;
        // a parenthesis begins options, unless it begins a parenthesised SELECT
        if (cursor.is(TokenKind.LEFT_PARENTHESIS) && !isQueryInParentheses(cursor)) {
            executes = analyzes(cursor);
        } else {
            executes = cursor.takeEither(Keyword.ANALYZE, Keyword.ANALYSE);
            cursor.skipIf(Keyword.VERBOSE);
        }
        if (cursor.atEnd()) {
            return of(cursor, StatementKind.UNKNOWN, Definition.NONE, null, false);
        }
        InnerStatement inner = new InnerStatement(cursor.at() - cursor.first(), 0);
        return of(cursor, StatementKind.EXPLAIN, Definition.NONE, inner, executes);
    }

    private static boolean isQueryInParentheses(TokenCursor cursor) {
        int i = cursor.at();
        while (i < cursor.end() && cursor.tokens().is(i, TokenKind.LEFT_PARENTHESIS)) {
            i++;
        }
        return switch (cursor.tokens().keyword(i)) {
            case SELECT, VALUES, TABLE, WITH -> true;
            default -> false;
        };
    }

    /** Steps over the options; true unless ANALYZE is missing or plainly off. */
    private static boolean analyzes(TokenCursor cursor) {
        Tokens tokens = cursor.tokens();
        int from = cursor.at();
        cursor.skipParentheses();
        boolean analyzes = false;
        for (int i = from; i < cursor.at(); i++) {
            if (tokens.is(i, Keyword.ANALYZE) || tokens.is(i, Keyword.ANALYSE)) {
                analyzes = !(tokens.is(i + 1, Keyword.FALSE) || tokens.is(i + 1, Keyword.OFF));
            }
        }
        return analyzes;
    }

    private static Classification definition(TokenCursor cursor) {
        Keyword verb = cursor.keyword();
        Definition definition = DefinitionStatements.read(cursor, verb);
        if (definition == null) {
            StatementKind kind = cursor.first() == cursor.end() ? StatementKind.EMPTY : StatementKind.UNKNOWN;
            return of(cursor, kind, Definition.NONE, null, false);
        }
        InnerStatement inner = verb == Keyword.CREATE ? DefinitionStatements.inner(cursor, definition.object()) : null;
        StatementKind kind = BlockRules.isRefusedInBlock(cursor, definition)
                ? StatementKind.UTILITY_OUTSIDE_BLOCK
                : switch (verb) {
                    case TRUNCATE -> StatementKind.TRUNCATE;
                    case LOCK -> StatementKind.LOCK;
                    case ANALYZE, ANALYSE -> StatementKind.UTILITY;
                    default -> StatementKind.DDL;
                };
        return of(cursor, kind, definition, inner, false);
    }

    private static Classification of(
            TokenCursor cursor,
            StatementKind kind,
            Definition definition,
            @Nullable InnerStatement inner,
            boolean executes) {
        Tokens tokens = cursor.tokens();
        int first = cursor.first();
        int end = cursor.end();
        return new Classification(
                kind,
                definition,
                inner,
                functions(tokens, first, end, kind, inner),
                RowLocks.isIn(tokens, first, end),
                executes,
                CurrentOf.cursor(tokens, first, end));
    }

    /** Those of the inner statement where there is one: names before a parenthesis outside it are no functions. */
    private static List<ObjectName> functions(
            Tokens tokens, int first, int end, StatementKind kind, @Nullable InnerStatement inner) {
        if (inner != null) {
            return FunctionCalls.in(tokens, inner.firstToken(first), inner.endToken(end));
        }
        return switch (kind) {
            case READ, WRITE, CALL -> FunctionCalls.in(tokens, first, end);
            // its first parenthesis follows the prepared statement's name
            case EXECUTE -> FunctionCalls.in(tokens, first + 2, end);
            default -> List.of();
        };
    }
}
