package dev.trunkline.proxy.frontend;

import dev.trunkline.protocol.frontend.StartupMessage;
import dev.trunkline.proxy.engine.SearchPathText;
import dev.trunkline.proxy.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The run-time parameters that a start-up packet sets: by name, and in {@code options} as the server's command line
 * would ({@code -c name=value}, {@code --name=value}, a backslash before a blank that belongs to the value).
 */
final class StartupSettings {

    private StartupSettings() {}

    /** The settings as values to be SET. Throws PgException FATAL for options that are not settings. */
    static Settings of(StartupMessage startup) {
        TreeMap<String, String> values = new TreeMap<>();
        startup.parameters().forEach((name, value) -> {
            switch (name) {
                case "user", "database", "replication" -> {}
                case "options" -> options(value, values);
                default -> {
                    if (!StartupMessage.isProtocolOption(name)) {
                        put(values, name, value);
                    }
                }
            }
        });
        return Settings.of(values);
    }

    private static void put(Map<String, String> values, String name, String value) {
        String key = name.toLowerCase(Locale.ROOT);
        values.put(key, key.equals("search_path") ? SearchPathText.toSql(value) : Settings.literal(value));
    }

    private static void options(String text, Map<String, String> values) {
        List<String> words = words(text);
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (word.equals("-c") && i + 1 < words.size()) {
                assignment(words.get(++i), values);
            } else if (word.startsWith("-c")) {
                assignment(word.substring(2), values);
            } else if (word.startsWith("--")) {
                assignment(word.substring(2), values);
            } else {
                throw FrontendErrors.unsupportedOption(word);
            }
        }
    }

    private static void assignment(String text, Map<String, String> values) {
        int equals = text.indexOf('=');
        if (equals <= 0) {
            throw FrontendErrors.unsupportedOption(text);
        }
        put(values, text.substring(0, equals).replace('-', '_'), text.substring(equals + 1));
    }

    private static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean any = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length()) {
                word.append(text.charAt(++i));
                any = true;
            } else if (Character.isWhitespace(c)) {
                if (any) {
                    words.add(word.toString());
                    word.setLength(0);
                    any = false;
                }
            } else {
                word.append(c);
                any = true;
            }
        }
        if (any) {
            words.add(word.toString());
        }
        return words;
    }
}
