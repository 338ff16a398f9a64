package dev.trunkline.routing.plan;

import dev.trunkline.routing.sql.Lexer;
import dev.trunkline.routing.sql.Normalizer;
import dev.trunkline.routing.sql.Shape;
import dev.trunkline.routing.sql.SqlTree;
import dev.trunkline.routing.sql.Tokens;
import dev.trunkline.routing.sql.UnreadableSqlException;
import dev.trunkline.routing.tree.Body;
import dev.trunkline.routing.tree.Expression;
import dev.trunkline.routing.tree.From;
import dev.trunkline.routing.tree.Query;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a lookup query reads.
 *
 * @param tables the relations that it names
 * @param columns every column that it names, of whatever table; null if it may read others
 * @param key the column that is the key, if each entry is made of one row of the only table and of nothing else; else
 *     null
 */
record LookupQuery(
        List<From.Table> tables,
        @Nullable Set<String> columns,
        @Nullable String key) {

    private static final Set<String> SYSTEM_COLUMNS = Set.of("tableoid", "ctid", "xmin", "xmax", "cmin", "cmax");

    /** What the query reads; null if it cannot be analysed. */
    static @Nullable LookupQuery of(String query) {
        byte[] text = query.getBytes(StandardCharsets.UTF_8);
        Tokens tokens = Lexer.lex(text, true);
        Shape shape = new Shape();
        shape.of(tokens, 0, tokens.count(), false);
        String normalized = Normalizer.normalize(tokens, shape);
        if (normalized == null) {
            return null;
        }
        try {
            Query read = SqlTree.read(normalized, shape.rows().count());
            Collector collector = new Collector();
            collector.query(read);
            return collector.complete
                    ? new LookupQuery(collector.tables, collector.namesAll() ? collector.columns : null, keyOf(read))
                    : null;
        } catch (UnreadableSqlException e) {
            return null;
        }
    }

    /** Nothing in it may look at more than one row, nor leave out a row because of another. */
    private static @Nullable String keyOf(Query query) {
        boolean rowByRow = query.with().isEmpty() && query.limits().isEmpty() && query.body() instanceof Body.Select;
        return rowByRow ? keyOf((Body.Select) query.body()) : null;
    }

    private static @Nullable String keyOf(Body.Select select) {
        boolean rowByRow = !select.distinct()
                && select.distinctOn().isEmpty()
                && select.groupBy().isEmpty()
                && !select.groupingSets()
                && select.having() == null
                && select.windows().isEmpty()
                && select.from() instanceof From.Table table
                && table.columns().isEmpty()
                && isOfRow(select.where())
                && select.items().stream().allMatch(item -> isOfRow(item.expression()));
        return rowByRow && select.items().get(0).expression() instanceof Expression.Column column
                ? column.name()
                : null;
    }

    /** An aggregate is none of this: beside a column that is not grouped by PostgreSQL refuses it. */
    private static boolean isOfRow(@Nullable Expression expression) {
        return expression == null
                || expression.query() == null
                        && !(expression instanceof Expression.Star)
                        && !(expression instanceof Expression.Call call && call.window() != null)
                        && expression.children().stream().allMatch(LookupQuery::isOfRow);
    }

    /** Goes through a query of any depth. */
    private static final class Collector {

        private final List<From.Table> tables = new ArrayList<>();
        private final Set<String> columns = new HashSet<>();
        private boolean stars;
        private final Set<String> rows = new HashSet<>();
        private boolean complete = true;

        /** A row as a whole has more columns than are named, and a system column changes with each of them. */
        boolean namesAll() {
            return !stars && columns.stream().noneMatch(name -> rows.contains(name) || SYSTEM_COLUMNS.contains(name));
        }

        void query(Query query) {
            query.with().forEach(cte -> query(cte.query()));
            query.orderBy().forEach(this::expression);
            query.limits().forEach(this::expression);
            Body body = query.body();
            if (body instanceof Body.Select select) {
                select(select);
            } else if (body instanceof Body.SetOperation operation) {
                operation.queries().forEach(this::query);
            } else {
                complete = false;
            }
        }

        private void select(Body.Select select) {
            select.items().forEach(item -> expression(item.expression()));
            select.distinctOn().forEach(this::expression);
            select.groupBy().forEach(this::expression);
            expression(select.where());
            expression(select.having());
            // Window definitions hold columns that are not looked for.
            complete &= select.windows().isEmpty();
            from(select.from());
        }

        private void from(@Nullable From from) {
            if (from instanceof From.Table table) {
                tables.add(table);
                rows.add(table.visibleName());
                stars |= !table.columns().isEmpty();
            } else if (from instanceof From.Derived derived) {
                query(derived.query());
            } else if (from instanceof From.Join join) {
                from(join.left());
                from(join.right());
                expression(join.on());
                columns.addAll(join.using());
                stars |= join.natural();
            } else if (from != null) {
                complete = false;
            }
        }

        private void expression(@Nullable Expression expression) {
            if (expression == null) {
                return;
            }
            if (expression instanceof Expression.Column column) {
                columns.add(column.name());
            }
            stars |= expression instanceof Expression.Star;
            if (expression.query() != null) {
                query(expression.query());
            }
            expression.children().forEach(this::expression);
        }
    }
}
