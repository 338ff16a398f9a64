package dev.trunkline.routing.sql;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code SELECT set_config('name', 'value', false)}: what it sets, when that can be told. It can when the statement is a
 * SELECT without FROM or any other clause and each call is a whole item of its list, with three constants or parameters
 * whose values are known. A DO sets something when its text may do so ({@link SettingsInBlock}).
 */
public final class SetConfigs {

    /** Parameters whose value PostgreSQL keeps as a list of quoted names; the string of set_config is that list. */
    private static final Set<String> NAME_LISTS =
            Set.of("search_path", "temp_tablespaces", "local_preload_libraries", "session_preload_libraries");

    private final Tokens tokens;
    private final TokenCursor cursor;
    private final TextParameters parameters;
    private final List<Command.Setting> settings = new ArrayList<>();
    private boolean unknownLocal;

    private SetConfigs(Tokens tokens, int first, int end, TextParameters parameters) {
        this.tokens = tokens;
        this.cursor = new TokenCursor(tokens, first, end);
        this.parameters = parameters;
    }

    /**
     * What is known of the settings that a statement makes.
     *
     * @param settings in order; the value of each as in {@link Command.Setting}: as SQL text, null for a NULL value (the
     *     default)
     * @param unknown there may be others, for the session
     * @param unknownLocal there are others, which end with the transaction
     */
    public record Found(List<Command.Setting> settings, boolean unknown, boolean unknownLocal) {

        /** It sets nothing. */
        public static final Found NOTHING = new Found(List.of(), false, false);

        private static final Found UNKNOWN = new Found(List.of(), true, false);
    }

    /** The settings that a statement which calls set_config makes. */
    public static Found of(Tokens tokens, int first, int end, TextParameters parameters) {
        if (first < end && tokens.is(first, Keyword.DO)) {
            return SettingsInBlock.mayBeMade(tokens, first, end) ? Found.UNKNOWN : Found.NOTHING;
        }
        SetConfigs configs = new SetConfigs(tokens, first, end, parameters);
        return configs.read() ? new Found(configs.settings, false, configs.unknownLocal) : Found.UNKNOWN;
    }

    private boolean read() {
        if (!cursor.take(Keyword.SELECT)) {
            return false;
        }
        do {
            if (!readItem()) {
                return false;
            }
        } while (cursor.take(TokenKind.COMMA));
        return cursor.atEnd();
    }

    /** One item of the select list: a call of set_config, or something that calls it nowhere. */
    private boolean readItem() {
        int from = cursor.at();
        ObjectName function = cursor.takeObjectName();
        if (function != null && SystemFunctions.isSetConfig(function) && cursor.take(TokenKind.LEFT_PARENTHESIS)) {
            boolean read = readArguments() && cursor.take(TokenKind.RIGHT_PARENTHESIS);
            cursor.skipIf(Keyword.AS);
            return read && (isItemEnd() || cursor.takeName() != null) && isItemEnd();
        }
        cursor.moveTo(from);
        while (!isItemEnd()) {
            if (isClause(cursor.keyword())) {
                return false;
            }
            if (!cursor.takeParentheses()) {
                cursor.skip();
            }
        }
        return FunctionCalls.in(tokens, from, cursor.at()).stream().noneMatch(SystemFunctions::isSetConfig);
    }

    private boolean isItemEnd() {
        return cursor.atEnd() || cursor.is(TokenKind.COMMA);
    }

    /** Whether the word could make the list be evaluated other than exactly once. */
    private static boolean isClause(Keyword keyword) {
        return switch (keyword) {
            case FROM, WHERE, GROUP, HAVING, UNION, INTERSECT, EXCEPT, ORDER, LIMIT, OFFSET, FETCH, INTO, WINDOW ->
                true;
            default -> false;
        };
    }

    private boolean readArguments() {
        int from = cursor.at();
        if (readConstants()) {
            return true;
        }
        cursor.moveTo(from);
        // Whatever it sets, it ends with its transaction.
        boolean hasName = skipArgument();
        unknownLocal = hasName && skipArgument() && cursor.take(Keyword.TRUE);
        return unknownLocal;
    }

    /** Skips an argument and the comma behind it; false if there is none, or it calls set_config itself. */
    private boolean skipArgument() {
        int from = cursor.at();
        while (!cursor.is(TokenKind.COMMA)) {
            if (cursor.atEnd() || cursor.is(TokenKind.RIGHT_PARENTHESIS)) {
                return false;
            }
            if (!cursor.takeParentheses()) {
                cursor.skip();
            }
        }
        boolean nested = FunctionCalls.in(tokens, from, cursor.at()).stream().anyMatch(SystemFunctions::isSetConfig);
        return cursor.take(TokenKind.COMMA) && !nested;
    }

    private boolean readConstants() {
        Optional<String> name = argument();
        if (name == null || name.isEmpty() || !cursor.take(TokenKind.COMMA)) {
            return false;
        }
        Optional<String> value = argument();
        if (value == null || !cursor.take(TokenKind.COMMA)) {
            return false;
        }
        Boolean local = isLocal();
        String folded = name.get().toLowerCase(Locale.ROOT);
        String text = value.map(each -> text(folded, each)).orElse(null);
        if (local == null || value.isPresent() && text == null) {
            return false;
        }
        settings.add(new Command.Setting(folded, text, local || SettingStatements.endsWithTransaction(folded)));
        return true;
    }

    /**
     * A string constant, a NULL or a parameter, with a cast to text or without; null for anything else.
     *
     * @return empty for NULL
     */
    private @Nullable Optional<String> argument() {
        Optional<String> value;
        if (cursor.take(Keyword.NULL)) {
            value = Optional.empty();
        } else if (cursor.is(TokenKind.PARAMETER)) {
            value = parameters.text(tokens.parameter(cursor.at()));
            cursor.skip();
        } else {
            value = Optional.ofNullable(cursor.takeString());
            if (value.isEmpty()) {
                return null;
            }
        }
        return isCastTo("text") ? value : null;
    }

    /** The third argument; null when it is not known, or NULL. */
    private @Nullable Boolean isLocal() {
        Boolean local = null;
        if (cursor.is(TokenKind.PARAMETER)) {
            local = parameters.bool(tokens.parameter(cursor.at()));
        } else if (cursor.is(Keyword.TRUE) || cursor.is(Keyword.FALSE)) {
            local = cursor.is(Keyword.TRUE);
        }
        cursor.skip();
        return isCastTo("bool") ? local : null;
    }

    /** Steps over a cast, if there is one; false when it is to another type. */
    private boolean isCastTo(String typeName) {
        if (!cursor.take(TokenKind.TYPECAST)) {
            return true;
        }
        if (typeName.equals("bool") && cursor.take(Keyword.BOOLEAN)) {
            return true;
        }
        ObjectName type = cursor.takeObjectName();
        return type != null && type.isSystem(typeName);
    }

    private static @Nullable String text(String name, String value) {
        return NAME_LISTS.contains(name) ? nameList(value) : Literals.quote(value);
    }

    /** The names of a list such as {@code a, "B"} as string constants; null if it is no list of names. */
    private static @Nullable String nameList(String value) {
        if (value.isBlank()) {
            return "''";
        }
        Tokens list = Lexer.lex(value.getBytes(StandardCharsets.UTF_8), true);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < list.count(); i++) {
            boolean isName = i % 2 == 0;
            if (isName ? !list.isName(i) : !list.is(i, TokenKind.COMMA)) {
                return null;
            }
            if (isName) {
                names.add(Literals.quote(list.name(i)));
            }
        }
        return list.count() % 2 == 0 ? null : String.join(", ", names);
    }
}
