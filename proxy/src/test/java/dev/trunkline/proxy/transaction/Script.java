package dev.trunkline.proxy.transaction;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What one client says, exchange by exchange.
 *
 * <p>In the file a script begins with {@code == name}; lines that begin with {@code --} say nothing. A line is one
 * exchange: statements as one string, or, where it begins with {@code |}, a pipeline: statements, {@code FLUSH} and
 * {@code SYNC} apart by {@code |}. The letters {@code :a}, {@code :b} and {@code :c} are keys of three shards.
 *
 * @param lines in their order
 */
record Script(String name, List<String> lines) {

    private static final String HEAD = "== ";

    /** All scripts of a file beside this class. */
    static List<Script> all(String file) {
        List<Script> scripts = new ArrayList<>();
        for (String line : read(file).lines().toList()) {
            if (line.startsWith(HEAD)) {
                scripts.add(new Script(line.substring(HEAD.length()), new ArrayList<>()));
            } else if (!line.isBlank() && !line.startsWith("--")) {
                scripts.get(scripts.size() - 1).lines.add(line.strip());
            }
        }
        return scripts;
    }

    private static String read(String file) {
        try (InputStream in = Script.class.getResourceAsStream(file)) {
            return new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same with keys in place of their letters. */
    Script with(Map<String, Long> keys) {
        List<String> filled = new ArrayList<>();
        for (String line : lines) {
            String text = line;
            for (Map.Entry<String, Long> key : keys.entrySet()) {
                text = text.replaceAll(":" + key.getKey() + "\\b", String.valueOf(key.getValue()));
            }
            filled.add(text);
        }
        return new Script(name, filled);
    }

    @Override
    public String toString() {
        return name;
    }
}
