package dev.trunkline.routing.plan;

import dev.trunkline.routing.tree.Query;
import org.jspecify.annotations.Nullable;

/**
 * A common table expression. One that only reads is looked at anew wherever it is used, because each use may be bounded
 * otherwise; one that writes runs once.
 *
 * @param definition the expression
 * @param scope what its query sees
 * @param written what it yields if it writes; null if it only reads
 */
record CommonTable(
        Query.Cte definition, Scope scope, @Nullable Rows written) {

    String name() {
        return definition.name();
    }
}
