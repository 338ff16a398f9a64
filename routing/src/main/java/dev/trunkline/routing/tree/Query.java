package dev.trunkline.routing.tree;

import java.util.List;

/**
 * A query, or a statement that writes: whatever may stand at the top level or in a common table expression.
 *
 * @param with its common table expressions, in order
 * @param recursive WITH RECURSIVE
 * @param body what it does
 * @param orderBy what it sorts by
 * @param limits what stands in LIMIT, OFFSET and FETCH; empty if there is none
 * @param locks it locks the rows that it reads
 */
public record Query(
        List<Cte> with,
        boolean recursive,
        Body body,
        List<Expression> orderBy,
        List<Expression> limits,
        boolean locks) {

    public Query {
        with = List.copyOf(with);
        orderBy = List.copyOf(orderBy);
        limits = List.copyOf(limits);
    }

    /** A body alone. */
    public static Query of(Body body) {
        return new Query(List.of(), false, body, List.of(), List.of(), false);
    }

    /**
     * A common table expression.
     *
     * @param columns the names that it gives to the columns; empty if none
     */
    public record Cte(String name, List<String> columns, Query query) {}
}
