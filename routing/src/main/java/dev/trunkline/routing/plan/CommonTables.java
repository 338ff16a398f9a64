package dev.trunkline.routing.plan;

import dev.trunkline.routing.tree.From;
import dev.trunkline.routing.tree.Query;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Uses of common table expressions. */
final class CommonTables {

    private final Facts facts;
    private final Queries queries;
    private final Set<Query.Cte> inProgress = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<Query.Cte> recursive = Collections.newSetFromMap(new IdentityHashMap<>());

    CommonTables(Facts facts, Queries queries) {
        this.facts = facts;
        this.queries = queries;
    }

    FromClause.Node.Leaf use(CommonTable table, From.Table from) {
        List<String> columns = columns(table.definition().columns(), from.columns());
        if (table.written() != null) {
            return leaf(table.written(), from, columns);
        }
        if (!inProgress.add(table.definition())) {
            // The expression uses itself: its rows come from the tables that the rest of it reads.
            recursive.add(table.definition());
            return new FromClause.Node.Leaf(Source.unknown(from.visibleName()), Origin.Replicated.INSTANCE);
        }
        try {
            Rows rows = queries.query(table.definition().query(), table.scope(), false);
            return leaf(recursive.contains(table.definition()) ? recursive(rows) : rows, from, columns);
        } finally {
            inProgress.remove(table.definition());
        }
    }

    /** What a recursion yields depends on all of its rows. */
    private static Rows recursive(Rows rows) {
        Origin origin = rows.origin() == Origin.Replicated.INSTANCE
                ? rows.origin()
                : new Origin.Broken("It holds WITH RECURSIVE.");
        return new Rows(origin, null);
    }

    private FromClause.Node.Leaf leaf(Rows rows, From.Table from, List<String> columns) {
        Source source = DerivedColumns.source(facts.variables, rows, from.visibleName(), columns);
        return new FromClause.Node.Leaf(source, rows.origin());
    }

    private static List<String> columns(List<String> defined, List<String> renamed) {
        List<String> columns = new ArrayList<>(renamed);
        for (int i = renamed.size(); i < defined.size(); i++) {
            columns.add(defined.get(i));
        }
        return columns;
    }
}
