package dev.trunkline.routing.plan;

import dev.trunkline.routing.tree.Query;
import org.jspecify.annotations.Nullable;

/** Interprets whole queries. */
@FunctionalInterface
interface Queries {

    /**
     * What a query yields.
     *
     * @param outer what it sees around it
     * @param top it is the statement itself
     */
    Rows query(Query query, @Nullable Scope outer, boolean top);
}
