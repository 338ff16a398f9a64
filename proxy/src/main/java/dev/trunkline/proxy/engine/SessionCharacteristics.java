package dev.trunkline.proxy.engine;

import dev.trunkline.routing.sql.Command;
import dev.trunkline.routing.sql.Lexer;
import dev.trunkline.routing.sql.Tokens;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What SET SESSION CHARACTERISTICS AS TRANSACTION sets: the parameters whose names begin with {@code default_transaction_}. */
final class SessionCharacteristics {

    private SessionCharacteristics() {}

    /** The settings that transaction modes, as written, stand for. */
    static List<Command.Setting> settings(String modes) {
        Tokens tokens = Lexer.lex(modes.getBytes(StandardCharsets.UTF_8), true);
        List<String> words = new ArrayList<>();
        for (int i = 0; i < tokens.count(); i++) {
            words.add(tokens.raw(i).toLowerCase(Locale.ROOT));
        }
        List<Command.Setting> settings = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String next = i + 1 < words.size() ? words.get(i + 1) : "";
            switch (words.get(i)) {
                case "level" -> add(settings, "isolation", isolation(words, i + 1));
                case "read" -> {
                    if (next.equals("only") || next.equals("write")) {
                        add(settings, "read_only", next.equals("only") ? "on" : "off");
                    }
                }
                case "deferrable" ->
                    add(settings, "deferrable", i > 0 && words.get(i - 1).equals("not") ? "off" : "on");
                default -> {}
            }
        }
        return settings;
    }

    /** One word, or the two of READ COMMITTED, READ UNCOMMITTED and REPEATABLE READ. */
    private static String isolation(List<String> words, int at) {
        return words.get(at).equals("serializable") ? "serializable" : words.get(at) + " " + words.get(at + 1);
    }

    private static void add(List<Command.Setting> settings, String name, String value) {
        settings.add(new Command.Setting("default_transaction_" + name, "'" + value + "'", false));
    }
}
