package dev.trunkline.routing.tree;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** An item of a FROM clause; a list of items is a cross join. */
public sealed interface From {

    /**
     * A table, a view or a common table expression.
     *
     * @param schema null if not qualified
     * @param alias null if there is none
     * @param columns new names of its first columns; empty if there are none
     */
    record Table(
            @Nullable String schema, String name, @Nullable String alias, List<String> columns) implements From {

        /** The name by which its columns are qualified. */
        public String visibleName() {
            return alias == null ? name : alias;
        }
    }

    /** A subquery. */
    record Derived(Query query, @Nullable String alias, List<String> columns, boolean lateral) implements From {}

    /**
     * Functions whose rows are read.
     *
     * @param calls the calls, with whatever they hold
     * @param alias the alias, or the name of the only function
     * @param columns names of its columns; empty if they are not told
     */
    record Functions(List<Expression> calls, @Nullable String alias, List<String> columns) implements From {}

    /**
     * A join.
     *
     * @param on null without ON
     * @param using the columns of USING; empty without it
     */
    record Join(
            Kind kind,
            From left,
            From right,
            @Nullable Expression on,
            List<String> using,
            boolean natural,
            @Nullable String alias)
            implements From {}

    /** Which rows without a partner a join keeps. */
    enum Kind {
        INNER,
        LEFT,
        RIGHT,
        FULL
    }
}
