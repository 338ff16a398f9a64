package dev.trunkline.routing.sql;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of COPY, in the syntax of today, {@code WITH (name value, …)}, and in that of before PostgreSQL 9.0.
 *
 * @see <a href="https://www.postgresql.org/docs/18/sql-copy.html">COPY</a>
 */
final class CopyOptionList {

    private static final String FORMAT = "format";

    private final TokenCursor cursor;
    private final List<Command.CopyOption> options = new ArrayList<>();

    private CopyOptionList(TokenCursor cursor) {
        this.cursor = cursor;
    }

    /**
     * The options that stand at the cursor's place, behind STDIN or STDOUT.
     *
     * @param binary the word BINARY stands before the table
     * @return null when they are not read to their end, which is WHERE or that of the statement
     */
    static @Nullable List<Command.CopyOption> read(TokenCursor cursor, boolean binary) {
        CopyOptionList list = new CopyOptionList(cursor);
        if (binary) {
            list.add(FORMAT, "binary");
        }
        return list.readAll() && (cursor.atEnd() || cursor.is(Keyword.WHERE)) ? List.copyOf(list.options) : null;
    }

    private void add(String name, String... values) {
        options.add(new Command.CopyOption(name, List.of(values)));
    }

    private boolean readAll() {
        boolean using = takeWord("using");
        if (takeWord("delimiters")) {
            if (!string("delimiter")) {
                return false;
            }
        } else if (using) {
            return false;
        }
        cursor.skipIf(Keyword.WITH);
        return cursor.is(TokenKind.LEFT_PARENTHESIS) ? readList() : readOld();
    }

    private boolean takeWord(String word) {
        boolean here = cursor.isWord(word);
        if (here) {
            cursor.skip();
        }
        return here;
    }

    // ---- WITH ( … )

    private boolean readList() {
        cursor.skip();
        do {
            String name = anyName();
            List<String> values = name == null ? null : values();
            if (name == null || values == null) {
                return false;
            }
            options.add(new Command.CopyOption(name, values));
        } while (cursor.take(TokenKind.COMMA));
        return cursor.take(TokenKind.RIGHT_PARENTHESIS);
    }

    /** A name that may be any key word. */
    private @Nullable String anyName() {
        if (!cursor.isName()) {
            return null;
        }
        String name = cursor.tokens().name(cursor.at());
        cursor.skip();
        return name;
    }

    private @Nullable List<String> values() {
        if (cursor.is(TokenKind.COMMA) || cursor.is(TokenKind.RIGHT_PARENTHESIS)) {
            return List.of();
        }
        if (cursor.takeOperator('*')) {
            return List.of("*");
        }
        if (cursor.isString()) {
            String value = cursor.takeString();
            return value == null ? null : List.of(value);
        }
        if (cursor.take(TokenKind.LEFT_PARENTHESIS)) {
            List<String> names = names();
            return names != null && cursor.take(TokenKind.RIGHT_PARENTHESIS) ? names : null;
        }
        return word();
    }

    /** A word or a number, with its sign. */
    private @Nullable List<String> word() {
        String name = anyName();
        if (name != null) {
            return List.of(name);
        }
        StringBuilder number = new StringBuilder();
        while (!cursor.atEnd() && !cursor.is(TokenKind.COMMA) && !cursor.is(TokenKind.RIGHT_PARENTHESIS)) {
            number.append(cursor.tokens().raw(cursor.at()));
            cursor.skip();
        }
        return number.length() == 0 ? null : List.of(number.toString());
    }

    private @Nullable List<String> names() {
        List<String> names = new ArrayList<>();
        do {
            String name = cursor.isString() ? cursor.takeString() : anyName();
            if (name == null) {
                return null;
            }
            names.add(name);
        } while (cursor.take(TokenKind.COMMA));
        return names;
    }

    // ---- before 9.0

    private boolean readOld() {
        while (!cursor.atEnd() && !cursor.is(Keyword.WHERE)) {
            String name = anyName();
            if (name == null || !old(name)) {
                return false;
            }
        }
        return true;
    }

    private boolean old(String name) {
        switch (name) {
            case "binary", "csv" -> add(FORMAT, name);
            case "header", "freeze" -> add(name);
            case "delimiter", "null", "quote", "escape" -> {
                cursor.skipIf(Keyword.AS);
                return string(name);
            }
            case "encoding" -> {
                return string(name);
            }
            case "force" -> {
                return force();
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean force() {
        String name = "force_null";
        if (takeWord("quote")) {
            name = "force_quote";
        } else if (takeWord("not")) {
            name = "force_not_null";
            if (!takeWord("null")) {
                return false;
            }
        } else if (!takeWord("null")) {
            return false;
        }
        List<String> columns = cursor.takeOperator('*') ? List.of("*") : names();
        if (columns == null) {
            return false;
        }
        options.add(new Command.CopyOption(name, columns));
        return true;
    }

    private boolean string(String name) {
        String value = cursor.takeString();
        if (value == null) {
            return false;
        }
        add(name, value);
        return true;
    }
}
