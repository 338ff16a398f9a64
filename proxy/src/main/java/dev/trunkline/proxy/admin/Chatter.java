package dev.trunkline.proxy.admin;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What drivers say without being asked: transactions, settings of theirs, {@code SELECT 1}. It has no effect. */
final class Chatter {

    /** Settings of PostgreSQL that drivers and psql set as they come. */
    private static final Set<String> SETTINGS = Set.of(
            "APPLICATION_NAME",
            "BYTEA_OUTPUT",
            "CLIENT_ENCODING",
            "CLIENT_MIN_MESSAGES",
            "DATESTYLE",
            "DEFAULT_TRANSACTION_ISOLATION",
            "DEFAULT_TRANSACTION_READ_ONLY",
            "EXTRA_FLOAT_DIGITS",
            "IDLE_IN_TRANSACTION_SESSION_TIMEOUT",
            "INTERVALSTYLE",
            "LOCK_TIMEOUT",
            "NAMES",
            "ROW_SECURITY",
            "SEARCH_PATH",
            "SESSION",
            "STANDARD_CONFORMING_STRINGS",
            "STATEMENT_TIMEOUT",
            "TIME",
            "TIMEZONE",
            "TRANSACTION");

    /** What a driver may want to know of a server. */
    private static final Map<String, String> SHOWN = Map.of(
            "CLIENT_ENCODING", "UTF8",
            "SERVER_ENCODING", "UTF8",
            "SERVER_VERSION", AdminSession.SERVER_VERSION,
            "STANDARD_CONFORMING_STRINGS", "on",
            "DATESTYLE", "ISO, MDY",
            "TIMEZONE", "UTC",
            "SEARCH_PATH", "");

    private Chatter() {}

    /** True for the name of a setting that drivers set. */
    static boolean isSetting(String name) {
        return SETTINGS.contains(name);
    }

    /** Reads a command whose first word was taken; null if it is none of these. */
    static @Nullable Command read(String verb, Words words) {
        return switch (verb) {
            case "BEGIN", "START" -> tag(verb.equals("START") ? "START TRANSACTION" : "BEGIN");
            case "COMMIT", "END" -> tag("COMMIT");
            case "ROLLBACK", "ABORT" -> tag("ROLLBACK");
            case "DISCARD" -> tag("DISCARD ALL");
            case "RESET" -> tag("RESET");
            case "DEALLOCATE" -> tag("DEALLOCATE");
            case "SELECT" -> select(words);
            default -> null;
        };
    }

    private static Command tag(String tag) {
        return Command.action(() -> Future.succeededFuture(Command.Result.done(tag)));
    }

    /** SHOW of a setting of PostgreSQL; null if it is none of those. */
    static @Nullable Command show(Words words) {
        String name = words.peek();
        if (name.equals("TRANSACTION")) {
            return row("transaction_isolation", "read committed");
        }
        String value = SHOWN.get(name);
        return value == null ? null : row(name.toLowerCase(Locale.ROOT), value);
    }

    private static Command row(String column, String value) {
        Table table = new Table(List.of(column), List.of(List.of(value)));
        return Command.rows(table.columns(), () -> Future.succeededFuture(Command.Result.of(table)));
    }

    /** Constants, and the functions that say where one is. */
    private static Command select(Words words) {
        List<String> columns = new ArrayList<>();
        List<String> values = new ArrayList<>();
        do {
            String word = words.any();
            if (words.take("(") && words.take(")")) {
                columns.add(word.toLowerCase(Locale.ROOT));
                values.add(function(word, words));
            } else if (word.matches("-?[0-9]+(\\.[0-9]+)?") || word.isEmpty() && !words.atEnd()) {
                columns.add("?column?");
                values.add(word);
            } else {
                throw AdminErrors.unknownCommand(words.source());
            }
        } while (words.take(","));
        if (!words.atEnd()) {
            throw AdminErrors.unknownCommand(words.source());
        }
        Table table = new Table(columns, List.of(List.copyOf(values)));
        return Command.rows(columns, () -> Future.succeededFuture(new Command.Result("SELECT 1", table)));
    }

    private static String function(String name, Words words) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "version" -> ProcessTables.versionText();
            case "current_database" -> "admin";
            case "current_schema" -> "public";
            default -> throw AdminErrors.unknownCommand(words.source());
        };
    }
}
