package dev.trunkline.routing.tree;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a query does, its WITH, ORDER BY and LIMIT apart. */
public sealed interface Body {

    /**
     * SELECT.
     *
     * @param distinct DISTINCT, ON or not
     * @param distinctOn what stands in DISTINCT ON
     * @param from null without FROM
     * @param where null without WHERE
     * @param groupBy what it groups by; empty without GROUP BY
     * @param groupingSets it has ROLLUP, CUBE, GROUPING SETS or an empty grouping
     * @param having null without HAVING
     * @param windows the WINDOW clause
     */
    record Select(
            boolean distinct,
            List<Expression> distinctOn,
            List<Item> items,
            @Nullable From from,
            @Nullable Expression where,
            List<Expression> groupBy,
            boolean groupingSets,
            @Nullable Expression having,
            List<Window> windows)
            implements Body {}

    /**
     * UNION, INTERSECT or EXCEPT of two or more.
     *
     * @param unionAll all of them are UNION ALL
     */
    record SetOperation(List<Query> queries, boolean unionAll) implements Body {}

    /**
     * VALUES.
     *
     * @param rows rows of the shape: a list of rows that all look alike has one row here
     * @param list the number of the list among those of which the shape holds one row; -1 if it holds all rows
     */
    record Values(List<List<Expression>> rows, int list) implements Body {}

    /**
     * INSERT.
     *
     * @param columns the column list; empty without one
     * @param source VALUES or a query; null for DEFAULT VALUES
     * @param conflict null without ON CONFLICT
     * @param returning empty without RETURNING
     */
    record Insert(
            From.Table table,
            List<String> columns,
            @Nullable Query source,
            @Nullable Conflict conflict,
            List<Item> returning)
            implements Body {}

    /**
     * UPDATE.
     *
     * @param from null without FROM
     * @param where null without WHERE
     */
    record Update(
            From.Table table,
            List<Assignment> assignments,
            @Nullable From from,
            @Nullable Expression where,
            List<Item> returning)
            implements Body {}

    /**
     * DELETE.
     *
     * @param using null without USING
     * @param where null without WHERE
     */
    record Delete(
            From.Table table,
            @Nullable From using,
            @Nullable Expression where,
            List<Item> returning) implements Body {}

    /**
     * MERGE.
     *
     * @param conditions what stands in AND of its WHEN clauses
     * @param assignments what its UPDATE clauses set
     * @param inserted what its INSERT clauses insert
     */
    record Merge(
            From.Table table,
            From source,
            Expression on,
            List<Expression> conditions,
            List<Assignment> assignments,
            List<Inserted> inserted,
            List<Item> returning)
            implements Body {}

    /** An item of a select list or of RETURNING. */
    record Item(Expression expression, @Nullable String alias) {}

    /**
     * {@code column = value}, or {@code (columns) = value} with a row or a query as value.
     *
     * @param subscripted a part of the column is set: {@code a[1] = …}
     */
    record Assignment(List<String> columns, Expression value, boolean subscripted) {}

    /**
     * What WHEN NOT MATCHED THEN INSERT inserts.
     *
     * @param columns empty without a column list
     */
    record Inserted(List<String> columns, List<Expression> values) {}

    /**
     * ON CONFLICT.
     *
     * @param assignments what DO UPDATE sets; empty for DO NOTHING
     * @param expressions what stands in the target and in WHERE
     */
    record Conflict(boolean update, List<Assignment> assignments, List<Expression> expressions) {}
}
