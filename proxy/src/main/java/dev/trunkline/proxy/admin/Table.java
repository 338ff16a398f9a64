package dev.trunkline.proxy.admin;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Columns and rows, all text.
 *
 * @param columns their names
 * @param rows each as long as the columns; a null is NULL
 */
record Table(List<String> columns, List<List<@Nullable String>> rows) {

    /** Gathers rows. */
    static final class Builder {
        private final List<String> columns;
        private final List<List<@Nullable String>> rows = new ArrayList<>();

        Builder(List<String> columns) {
            this.columns = columns;
        }

        /** Adds a row; each value is written as its text. */
        void row(@Nullable Object... values) {
            List<@Nullable Object> list = new ArrayList<>();
            for (Object value : values) {
                list.add(value);
            }
            row(list);
        }

        void row(List<? extends @Nullable Object> values) {
            if (values.size() != columns.size()) {
                throw new IllegalStateException(values.size() + " values for " + columns);
            }
            List<@Nullable String> row = new ArrayList<>(values.size());
            for (Object value : values) {
                row.add(value == null ? null : value.toString());
            }
            rows.add(row);
        }

        Table build() {
            return new Table(columns, rows);
        }
    }

    /** The same rows with some of the columns, in another order. */
    Table select(List<String> names) {
        List<Integer> places = names.stream().map(columns::indexOf).toList();
        List<List<@Nullable String>> selected = new ArrayList<>(rows.size());
        for (List<@Nullable String> row : rows) {
            List<@Nullable String> some = new ArrayList<>(places.size());
            places.forEach(place -> some.add(row.get(place)));
            selected.add(some);
        }
        return new Table(names, selected);
    }
}
