package dev.trunkline.routing.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import net.sf.jsqlparser.expression.Alias;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.schema.Table;
import net.sf.jsqlparser.statement.create.table.ColDataType;
import net.sf.jsqlparser.statement.select.SelectItem;
import org.jspecify.annotations.Nullable;

/** Names in the syntax tree: in normalised text every one of them stands in double quotes. */
final class SqlNames {

    private SqlNames() {}

    static boolean isQuoted(String name) {
        return name.length() >= 2 && name.startsWith("\"") && name.endsWith("\"");
    }

    /**
     * The name between the quotes.
     *
     * @throws UnreadableSqlException for a key word, which is no name
     */
    static String name(String quoted) {
        if (!isQuoted(quoted)) {
            throw new UnreadableSqlException("It uses \"" + quoted + "\" in a way that is not analysed.");
        }
        return quoted.substring(1, quoted.length() - 1);
    }

    static @Nullable String nameOrNull(@Nullable String quoted) {
        return quoted == null ? null : name(quoted);
    }

    static @Nullable String alias(@Nullable Alias alias) {
        return alias == null ? null : name(alias.getName());
    }

    static List<String> aliasColumns(@Nullable Alias alias) {
        if (alias == null || alias.getAliasColumns() == null) {
            return List.of();
        }
        return alias.getAliasColumns().stream().map(column -> name(column.name)).toList();
    }

    /** The path of a column, qualifiers first. */
    static List<String> path(Column column) {
        List<String> path = new ArrayList<>();
        if (column.getTable() != null) {
            path.addAll(path(column.getTable()));
        }
        path.add(name(column.getColumnName()));
        return path;
    }

    static List<String> path(Table table) {
        List<String> path = new ArrayList<>();
        if (table.getDatabaseName() != null) {
            throw new UnreadableSqlException("It names a database within the name of a table.");
        }
        if (table.getSchemaName() != null) {
            path.add(name(table.getSchemaName()));
        }
        path.add(name(table.getName()));
        return path;
    }

    /** The path of a function; key words that are called like functions in lower case. */
    static List<String> functionPath(List<String> parts) {
        return parts.stream()
                .map(part -> isQuoted(part) ? name(part) : part.toLowerCase(Locale.ROOT))
                .toList();
    }

    /** The name of a type, its own quotes and spaces left out: {@code bigint}, {@code pg_catalog.int8[]}. */
    static String type(ColDataType type) {
        return type.toString()
                .replace("\"", "")
                .replaceAll("\\s*([.\\[\\](),])\\s*", "$1")
                .replaceAll("\\s+", " ")
                .strip()
                .toLowerCase(Locale.ROOT);
    }

    static List<String> columnNames(@Nullable List<SelectItem<?>> items) {
        if (items == null) {
            return List.of();
        }
        return items.stream()
                .map(item -> {
                    if (item.getExpression() instanceof Column column && column.getTable() == null) {
                        return name(column.getColumnName());
                    }
                    throw new UnreadableSqlException("Its column list is not analysed.");
                })
                .toList();
    }
}
