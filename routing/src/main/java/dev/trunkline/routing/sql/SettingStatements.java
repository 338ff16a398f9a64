package dev.trunkline.routing.sql;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** SET, RESET, SHOW and DISCARD. */
final class SettingStatements {

    private SettingStatements() {}

    static Recognized set(TokenCursor cursor) {
        cursor.skip();
        if (cursor.take(Keyword.CONSTRAINTS)) {
            return Recognized.of(StatementKind.SET_CONSTRAINTS, null);
        }
        if (cursor.take(Keyword.SESSION, Keyword.CHARACTERISTICS)) {
            return cursor.take(Keyword.AS, Keyword.TRANSACTION)
                    ? TransactionStatements.setTransaction(cursor, true)
                    : Recognized.UNKNOWN;
        }
        if (cursor.take(Keyword.SESSION, Keyword.AUTHORIZATION)) {
            return word(cursor, "session_authorization", false);
        }
        boolean local = false;
        if (!isAssignment(cursor, 1)) {
            local = cursor.is(Keyword.LOCAL);
            cursor.skipIf(Keyword.LOCAL, Keyword.SESSION);
        }
        return setRest(cursor, local);
    }

    private static Recognized setRest(TokenCursor cursor, boolean local) {
        if (isAssignment(cursor, 1) || isQualified(cursor)) {
            return assignment(cursor, local);
        }
        return switch (cursor.keyword()) {
            case TRANSACTION -> {
                cursor.skip();
                yield TransactionStatements.setTransaction(cursor, false);
            }
            case SESSION -> setSession(cursor, local);
            case TIME -> cursor.take(Keyword.TIME, Keyword.ZONE) ? timeZone(cursor, local) : Recognized.UNKNOWN;
            case NAMES -> names(cursor, local);
            case ROLE -> {
                cursor.skip();
                yield word(cursor, "role", local);
            }
            case SCHEMA -> schema(cursor, local);
            case XML ->
                cursor.take(Keyword.XML, Keyword.OPTION) ? word(cursor, "xmloption", local) : Recognized.UNKNOWN;
            default -> Recognized.UNKNOWN;
        };
    }

    private static Recognized setSession(TokenCursor cursor, boolean local) {
        if (cursor.take(Keyword.SESSION, Keyword.AUTHORIZATION)) {
            return word(cursor, "session_authorization", local);
        }
        boolean characteristics =
                cursor.take(Keyword.SESSION, Keyword.CHARACTERISTICS) && cursor.take(Keyword.AS, Keyword.TRANSACTION);
        return characteristics ? TransactionStatements.setTransaction(cursor, true) : Recognized.UNKNOWN;
    }

    static Recognized reset(TokenCursor cursor) {
        cursor.skip();
        if (cursor.take(Keyword.ALL)) {
            return setting(StatementKind.RESET, "", null, false).ifAtEnd(cursor);
        }
        String name = parameter(cursor);
        return name == null
                ? Recognized.UNKNOWN
                : setting(StatementKind.RESET, name, null, false).ifAtEnd(cursor);
    }

    static Recognized show(TokenCursor cursor) {
        cursor.skip();
        String name = cursor.take(Keyword.ALL) ? "all" : parameter(cursor);
        return name == null
                ? Recognized.UNKNOWN
                : Recognized.of(StatementKind.SHOW, new Command.Show(name)).ifAtEnd(cursor);
    }

    static Recognized discard(TokenCursor cursor) {
        cursor.skip();
        String what = switch (cursor.keyword()) {
            case ALL -> "ALL";
            case PLANS -> "PLANS";
            case SEQUENCES -> "SEQUENCES";
            case TEMP, TEMPORARY -> "TEMP";
            default -> "";
        };
        cursor.skip();
        return what.isEmpty()
                ? Recognized.UNKNOWN
                : Recognized.of(StatementKind.DISCARD, new Command.Discard(what))
                        .ifAtEnd(cursor);
    }

    /** The name of RESET and SHOW, phrases such as TIME ZONE included. */
    private static @Nullable String parameter(TokenCursor cursor) {
        if (cursor.take(Keyword.TIME, Keyword.ZONE)) {
            return "timezone";
        }
        if (cursor.take(Keyword.SESSION, Keyword.AUTHORIZATION)) {
            return "session_authorization";
        }
        if (cursor.take(Keyword.TRANSACTION, Keyword.ISOLATION)) {
            return cursor.take(Keyword.LEVEL) ? "transaction_isolation" : null;
        }
        return dottedParameter(cursor);
    }

    private static @Nullable String dottedParameter(TokenCursor cursor) {
        String name = cursor.takeName();
        while (name != null && cursor.take(TokenKind.DOT)) {
            String part = cursor.takeName();
            name = part == null ? null : name + "." + part;
        }
        return name == null ? null : name.toLowerCase(Locale.ROOT);
    }

    private static boolean isAssignment(TokenCursor cursor, int ahead) {
        int i = cursor.at() + ahead;
        return i < cursor.end()
                && (cursor.tokens().is(i, Keyword.TO) || cursor.tokens().isOperator(i, '='));
    }

    private static boolean isQualified(TokenCursor cursor) {
        return cursor.isName()
                && cursor.at() + 1 < cursor.end()
                && cursor.tokens().is(cursor.at() + 1, TokenKind.DOT);
    }

    private static Recognized assignment(TokenCursor cursor, boolean local) {
        String name = dottedParameter(cursor);
        if (name == null || !(cursor.takeOperator('=') || cursor.take(Keyword.TO))) {
            return Recognized.UNKNOWN;
        }
        return valueOrDefault(cursor, name, local);
    }

    private static Recognized valueOrDefault(TokenCursor cursor, String name, boolean local) {
        if (cursor.take(Keyword.DEFAULT)) {
            return setting(StatementKind.SET, name, null, local).ifAtEnd(cursor);
        }
        int from = cursor.at();
        do {
            if (!takeValue(cursor)) {
                return Recognized.UNKNOWN;
            }
        } while (cursor.take(TokenKind.COMMA));
        return setting(StatementKind.SET, name, cursor.text(from, cursor.at()), local)
                .ifAtEnd(cursor);
    }

    /** A string, a number with its sign, a word, TRUE, FALSE or ON. */
    private static boolean takeValue(TokenCursor cursor) {
        if (cursor.takeString() != null || cursor.take(Keyword.TRUE) || cursor.take(Keyword.FALSE)) {
            return true;
        }
        if (cursor.take(Keyword.ON)) {
            return true;
        }
        boolean signed = cursor.takeOperator('-') || cursor.takeOperator('+');
        if (cursor.take(TokenKind.INTEGER) || cursor.take(TokenKind.NUMERIC)) {
            return true;
        }
        return !signed && cursor.takeWord() != null;
    }

    /** SET ROLE, SET SESSION AUTHORIZATION, SET XML OPTION: one word or string. */
    private static Recognized word(TokenCursor cursor, String name, boolean local) {
        if (name.equals("session_authorization") && cursor.take(Keyword.DEFAULT)) {
            return setting(StatementKind.SET, name, null, local).ifAtEnd(cursor);
        }
        int from = cursor.at();
        if (cursor.takeString() == null && cursor.takeWord() == null) {
            return Recognized.UNKNOWN;
        }
        return setting(StatementKind.SET, name, cursor.text(from, cursor.at()), local)
                .ifAtEnd(cursor);
    }

    private static Recognized names(TokenCursor cursor, boolean local) {
        cursor.skip();
        boolean standard = cursor.atEnd() || cursor.take(Keyword.DEFAULT);
        int from = cursor.at();
        if (!standard && cursor.takeString() == null) {
            return Recognized.UNKNOWN;
        }
        String value = standard ? null : cursor.text(from, cursor.at());
        return setting(StatementKind.SET, "client_encoding", value, local).ifAtEnd(cursor);
    }

    private static Recognized schema(TokenCursor cursor, boolean local) {
        cursor.skip();
        int from = cursor.at();
        if (cursor.takeString() == null) {
            return Recognized.UNKNOWN;
        }
        return setting(StatementKind.SET, "search_path", cursor.text(from, cursor.at()), local)
                .ifAtEnd(cursor);
    }

    private static Recognized timeZone(TokenCursor cursor, boolean local) {
        if (cursor.take(Keyword.LOCAL) || cursor.take(Keyword.DEFAULT)) {
            return setting(StatementKind.SET, "timezone", null, local).ifAtEnd(cursor);
        }
        if (cursor.is(Keyword.INTERVAL)) {
            String value = IntervalZone.read(cursor);
            return value == null
                    ? Recognized.UNKNOWN
                    : setting(StatementKind.SET, "timezone", value, local).ifAtEnd(cursor);
        }
        int from = cursor.at();
        if (!takeValue(cursor)) {
            return Recognized.UNKNOWN;
        }
        return setting(StatementKind.SET, "timezone", cursor.text(from, cursor.at()), local)
                .ifAtEnd(cursor);
    }

    private static Recognized setting(StatementKind kind, String name, @Nullable String value, boolean local) {
        return Recognized.of(kind, new Command.Setting(name, value, local || endsWithTransaction(name)));
    }

    /** True for the modes of a transaction, which SET changes for that transaction alone. */
    static boolean endsWithTransaction(String name) {
        return switch (name) {
            case "transaction_isolation", "transaction_read_only", "transaction_deferrable" -> true;
            default -> false;
        };
    }
}
