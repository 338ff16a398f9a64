package dev.trunkline.proxy.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A random table.
 *
 * @param keys that a translated table may hold; empty = any
 */
record CopyTable(String name, Kind kind, List<Column> columns, List<String> keys) {

    /** Where the rows of a table lie. */
    enum Kind {
        PLAIN,
        TRANSLATED,
        OMNISHARDED
    }

    /**
     * A column.
     *
     * @param key the table is sharded by it
     * @param fallback its default as SQL; null = none
     */
    record Column(
            String name,
            CopyType type,
            boolean key,
            boolean notNull,
            @Nullable String fallback) {

        String quoted() {
            return "\"" + name.replace("\"", "\"\"") + "\"";
        }

        String definition() {
            return quoted() + " " + type.sql() + (notNull ? " NOT NULL" : "")
                    + (fallback == null ? "" : " DEFAULT " + fallback);
        }
    }

    private static final CopyType[] KEY_TYPES = {
        CopyType.VARCHAR, CopyType.TEXT, CopyType.BIGINT, CopyType.INTEGER, CopyType.SMALLINT, CopyType.UUID
    };

    /** A table sharded by a key of any type. */
    static CopyTable plain(Random random, String name) {
        return of(random, name, Kind.PLAIN, KEY_TYPES[random.nextInt(KEY_TYPES.length)], List.of());
    }

    static CopyTable of(Random random, String name, Kind kind, CopyType keyType, List<String> keys) {
        List<Column> columns = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            columns.add(column(random, i));
        }
        columns.add(random.nextInt(columns.size() + 1), new Column(keyName(name), keyType, true, true, null));
        return new CopyTable(name, kind, List.copyOf(columns), keys);
    }

    /** Rules without a table hold for every column of a name: each key has its own. */
    private static String keyName(String table) {
        return "k" + table;
    }

    private static Column column(Random random, int number) {
        CopyType type = CopyType.values()[random.nextInt(CopyType.values().length)];
        String fallback = switch (type) {
            case VARCHAR, TEXT, SHORT_TEXT -> "'fall \\ up'";
            case BIGINT, INTEGER, SMALLINT, DECIMAL -> "7";
            default -> null;
        };
        boolean hasFallback = random.nextInt(3) == 0;
        String name = random.nextInt(4) == 0 ? "Col, " + number : "c" + number;
        boolean hasBinary = type != CopyType.NUMBERS && type != CopyType.DECIMAL;
        return new Column(name, type, false, hasBinary && random.nextInt(4) == 0, hasFallback ? fallback : null);
    }

    Column key() {
        return columns.stream().filter(Column::key).findFirst().orElseThrow();
    }

    String definition() {
        return columns.stream()
                .map(Column::definition)
                .collect(Collectors.joining(", ", "CREATE TABLE " + name + " (", ");"));
    }

    /** The rule's type of the key. */
    String keyType() {
        return switch (key().type()) {
            case BIGINT, INTEGER, SMALLINT -> "bigint";
            case UUID -> "uuid";
            default -> "varchar";
        };
    }

    /** A value of a column that the table takes. */
    String value(Random random, Column column, boolean latin1) {
        if (!column.key() || keys.isEmpty()) {
            return column.type().value(random, latin1);
        }
        String key;
        do {
            key = keys.get(random.nextInt(keys.size()));
        } while (latin1 && key.codePoints().anyMatch(letter -> letter > 0xFF));
        return key;
    }
}
