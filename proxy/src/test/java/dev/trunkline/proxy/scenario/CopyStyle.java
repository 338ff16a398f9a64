package dev.trunkline.proxy.scenario;

import dev.trunkline.proxy.scenario.CopyTable.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Random options of a COPY.
 *
 * @param columns in the order of the fields
 * @param nullText how NULL is written
 * @param defaultText how a default is asked for; null = it cannot be
 * @param lineEnd of a stream of lines
 * @param sql the statement
 */
record CopyStyle(
        Format format,
        List<Column> columns,
        char delimiter,
        char quote,
        char escape,
        String nullText,
        @Nullable String defaultText,
        boolean header,
        boolean latin1,
        boolean filters,
        String lineEnd,
        String sql) {

    enum Format {
        TEXT,
        CSV,
        BINARY
    }

    private static final char[] DELIMITERS = {'|', ';', ',', '\t', '~', ' ', '\u0001'};
    private static final String[] NULLS = {"", "NULL", "n/a", "\\N", "-"};

    static CopyStyle random(Random random, CopyTable table, int serverVersion) {
        return new Choice(random, table, serverVersion).style();
    }

    /** The choices on the way. */
    private static final class Choice {
        private final Random random;
        private final CopyTable table;
        private final int serverVersion;
        private final boolean old;
        private final Format format;
        private final List<String> options = new ArrayList<>();

        Choice(Random random, CopyTable table, int serverVersion) {
            this.random = random;
            this.table = table;
            this.serverVersion = serverVersion;
            this.old = random.nextInt(4) == 0;
            this.format = Format.values()[Math.max(0, random.nextInt(5) / 2)];
        }

        CopyStyle style() {
            boolean csv = format == Format.CSV;
            boolean binary = format == Format.BINARY;
            formatOption();
            char delimiter = delimiter(csv, binary);
            char quote = csv && chance(3) ? '\'' : '"';
            char escape = csv && chance(3) ? '\\' : quote;
            String nullText = nullText(csv, binary, delimiter);
            String defaultText = defaultText(binary, nullText, delimiter);
            boolean header = !binary && (csv || !old) && chance(4);
            boolean latin1 = !binary && chance(6);
            List<Column> columns = columns();
            if (header) {
                option("HEADER", old ? "" : List.of("", "true", "MATCH", "1").get(random.nextInt(4)));
            }
            if (quote != '"') {
                option("QUOTE", literal(String.valueOf(quote)));
            }
            if (escape != quote) {
                option("ESCAPE", literal(String.valueOf(escape)));
            }
            if (csv) {
                forced("FORCE_NOT_NULL", columns);
                forced("FORCE_NULL", columns);
            }
            if (latin1) {
                option("ENCODING", "'latin1'");
            }
            boolean ignores = !old && !binary && serverVersion >= 170_000 && chance(8);
            if (ignores) {
                option("ON_ERROR", "ignore");
            }
            String where = where(columns);
            String list = columns == table.columns()
                    ? ""
                    : columns.stream().map(Column::quoted).collect(Collectors.joining(", ", " (", ")"));
            String sql = "COPY " + table.name() + list + " FROM STDIN" + written() + where;
            String lineEnd = List.of("\n", "\n", "\n", "\r\n", "\r").get(random.nextInt(5));
            return new CopyStyle(
                    format,
                    columns,
                    delimiter,
                    quote,
                    escape,
                    nullText,
                    defaultText,
                    header,
                    latin1,
                    !where.isEmpty(),
                    lineEnd,
                    sql);
        }

        private boolean chance(int oneIn) {
            return random.nextInt(oneIn) == 0;
        }

        private void formatOption() {
            if (format != Format.TEXT || !old && chance(3)) {
                options.add(old ? format.name() : "FORMAT " + format.name().toLowerCase(java.util.Locale.ROOT));
            }
        }

        private char delimiter(boolean csv, boolean binary) {
            char usual = csv ? ',' : '\t';
            if (binary || !chance(3)) {
                return usual;
            }
            char delimiter = DELIMITERS[random.nextInt(DELIMITERS.length)];
            option("DELIMITER", literal(String.valueOf(delimiter)));
            return delimiter;
        }

        private String nullText(boolean csv, boolean binary, char delimiter) {
            String usual = csv ? "" : "\\N";
            if (binary || !chance(3)) {
                return usual;
            }
            String text = NULLS[random.nextInt(NULLS.length)];
            if (text.indexOf(delimiter) >= 0) {
                return usual;
            }
            option("NULL", literal(text));
            return text;
        }

        private @Nullable String defaultText(boolean binary, String nullText, char delimiter) {
            if (binary || old || serverVersion < 160_000 || !chance(4)) {
                return null;
            }
            String text = chance(2) ? "\\D" : "DEFAULT";
            option("DEFAULT", literal(text));
            return text;
        }

        private List<Column> columns() {
            if (chance(2)) {
                return table.columns();
            }
            List<Column> columns = new ArrayList<>(table.columns());
            java.util.Collections.shuffle(columns, random);
            columns.removeIf(column -> !column.notNull() && chance(4));
            return columns;
        }

        private void forced(String name, List<Column> columns) {
            if (!chance(4)) {
                return;
            }
            if (!old && serverVersion >= 170_000 && chance(4) && name.equals("FORCE_NULL")) {
                option(name, "*");
                return;
            }
            List<Column> some = columns.stream()
                    .filter(column -> chance(2)
                            && (name.equals("FORCE_NULL") || column.type().isText()))
                    .toList();
            if (!some.isEmpty()) {
                String list = some.stream().map(Column::quoted).collect(Collectors.joining(", "));
                options.add(old ? name.replace('_', ' ') + " " + list : name + " (" + list + ")");
            }
        }

        private String where(List<Column> columns) {
            if (!chance(10)) {
                return "";
            }
            return columns.stream()
                    .filter(column -> column.type() == CopyType.BIGINT)
                    .findFirst()
                    .map(column -> " WHERE " + column.quoted() + " % 2 = 0 OR " + column.quoted() + " < 0")
                    .orElse("");
        }

        private void option(String name, String value) {
            boolean as = old
                    && chance(2)
                    && List.of("DELIMITER", "NULL", "QUOTE", "ESCAPE").contains(name);
            options.add(value.isEmpty() ? name : name + (as ? " AS " : " ") + value);
        }

        private static String literal(String text) {
            return text.chars().anyMatch(letter -> letter < ' ')
                    ? text.chars().mapToObj("\\x%02x"::formatted).collect(Collectors.joining("", "E'", "'"))
                    : "'" + text.replace("'", "''") + "'";
        }

        private String written() {
            if (options.isEmpty()) {
                return "";
            }
            if (!old) {
                java.util.Collections.shuffle(options, random);
                return (chance(2) ? " WITH (" : " (") + String.join(", ", options) + ")";
            }
            return (chance(2) ? " WITH " : " ") + String.join(" ", options);
        }
    }
}
