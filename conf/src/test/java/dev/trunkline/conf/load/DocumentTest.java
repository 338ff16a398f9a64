package dev.trunkline.conf.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.Admin;
import dev.trunkline.conf.Database;
import dev.trunkline.conf.General;
import dev.trunkline.conf.OmnishardedTables;
import dev.trunkline.conf.Rewrite;
import dev.trunkline.conf.ShardMapping;
import dev.trunkline.conf.ShardedTable;
import dev.trunkline.conf.User;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** docs/configuration.md has a row for every key, and the row says of it what the record says. */
class DocumentTest {

    private static final Map<String, Class<? extends Record>> SECTIONS = Map.of(
            "general", General.class,
            "databases", Database.class,
            "users", User.class,
            "sharded_tables", ShardedTable.class,
            "mapping", ShardMapping.class,
            "omnisharded_tables", OmnishardedTables.class,
            "rewrite", Rewrite.class,
            "admin", Admin.class);

    private static final Map<String, List<Row>> DOCUMENT = read();

    /** A row of a section's table, without the marks of code. */
    record Row(String key, String values, String byDefault, String meaning) {

        static Row of(String line) {
            String[] cells = line.split("\\|", -1);
            return new Row(bare(cells[1]), bare(cells[2]), bare(cells[3]), cells[4].strip());
        }

        private static String bare(String cell) {
            return cell.replace("`", "").strip();
        }
    }

    private static Map<String, List<Row>> read() {
        Map<String, List<Row>> rows = new LinkedHashMap<>();
        String section = "";
        for (String line : lines()) {
            if (line.startsWith("#")) {
                section = line.replaceFirst("#+ ", "");
            } else if (line.startsWith("| `")) {
                rows.computeIfAbsent(section, name -> new ArrayList<>()).add(Row.of(line));
            }
        }
        return rows;
    }

    private static List<String> lines() {
        try {
            return Files.readAllLines(Path.of("../docs/configuration.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    record Setting(String section, Key key) {

        Row row() {
            return DOCUMENT.get(section).stream()
                    .filter(row -> row.key().equals(key.name()))
                    .findFirst()
                    .orElseThrow();
        }

        boolean isUnbuilt() {
            return UnbuiltFeatures.keys().contains(SECTIONS.get(section).getSimpleName() + "." + key.name());
        }

        @Override
        public String toString() {
            return section + "." + key.name();
        }
    }

    static Stream<String> sections() {
        return SECTIONS.keySet().stream();
    }

    static Stream<Setting> settings() {
        return sections()
                .flatMap(section -> Key.of(SECTIONS.get(section)).stream().map(key -> new Setting(section, key)));
    }

    @ParameterizedTest
    @MethodSource("sections")
    void listsTheKeysOfASectionInOrder(String section) {
        assertThat(DOCUMENT.get(section))
                .extracting(Row::key)
                .containsExactlyElementsOf(
                        Key.of(SECTIONS.get(section)).stream().map(Key::name).toList());
    }

    @ParameterizedTest
    @MethodSource("settings")
    void givesTheDefault(Setting setting) {
        assertThat(setting.row().byDefault()).isEqualTo(defaultOf(setting.key()));
    }

    private static String defaultOf(Key key) {
        if (key.isRequired()) {
            return "required";
        }
        if (key.defaultText() != null) {
            return key.defaultText();
        }
        return key.defaultsTo() != null ? key.defaultsTo() : "null";
    }

    @ParameterizedTest
    @MethodSource("settings")
    void givesTheValues(Setting setting) {
        Key key = setting.key();
        if (key.range() != null) {
            assertThat(setting.row().values())
                    .startsWith(key.range().min() + " to " + key.range().max());
        }
        if (key.type().isEnum()) {
            List<String> spellings = Arrays.stream(key.type().getEnumConstants())
                    .map(ValueReader::spelling)
                    .toList();
            assertThat(setting.row().values()).isEqualTo(String.join(", ", spellings));
        }
    }

    @ParameterizedTest
    @MethodSource("settings")
    void marksWhatIsNotBuilt(Setting setting) {
        assertThat(setting.row().meaning().contains("*Not built yet")).isEqualTo(setting.isUnbuilt());
    }
}
