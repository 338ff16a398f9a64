package dev.trunkline.lookup;

import dev.trunkline.routing.catalog.Catalog;
import dev.trunkline.routing.catalog.QualifiedName;
import dev.trunkline.routing.catalog.Relation;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Whether what a lookup query reads is the same on every shard. Pure. */
public final class LookupRelations {

    private LookupRelations() {}

    /**
     * The relations behind a query that are not declared omnisharded: shard 0 may hold other rows of them than the other
     * shards, and writes to them would not reach the map.
     *
     * @param relations what {@link Lookups#reads} gives: views and what is behind them
     * @param omnisharded names of omnisharded tables, in any schema
     * @return in order of their names; empty if all is well
     */
    public static List<QualifiedName> notOmnisharded(
            Collection<QualifiedName> relations, Catalog catalog, Set<String> omnisharded) {
        return relations.stream()
                .filter(name -> !isOmnisharded(name, catalog, omnisharded))
                .sorted(Comparator.comparing(QualifiedName::toString))
                .toList();
    }

    /** A view has no rows of its own, and a partition is as its parent is. */
    private static boolean isOmnisharded(QualifiedName name, Catalog catalog, Set<String> omnisharded) {
        Relation relation = catalog.relations().get(name);
        if (omnisharded.contains(name.name())) {
            return true;
        }
        return relation != null
                && (relation.kind() == Relation.Kind.VIEW
                        || relation.ancestors().stream().anyMatch(parent -> omnisharded.contains(parent.name())));
    }
}
