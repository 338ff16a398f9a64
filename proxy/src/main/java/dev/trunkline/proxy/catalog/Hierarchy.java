package dev.trunkline.proxy.catalog;

import dev.trunkline.proxy.catalog.CatalogRows.Edge;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Partitions and inheritance: rows of a child are rows of its parents. */
final class Hierarchy {

    private final Graph parents = new Graph();
    private final Graph children = new Graph();

    Hierarchy(List<Edge> childToParent) {
        for (Edge edge : childToParent) {
            parents.add(edge.from(), edge.to());
            children.add(edge.to(), edge.from());
        }
    }

    /** Parents, their parents and so on, nearest first. */
    Set<Long> ancestors(long relation) {
        return parents.reachableFrom(relation);
    }

    /** The relation and all below it: what a statement that names it can touch. */
    Set<Long> family(long relation) {
        Set<Long> family = new LinkedHashSet<>();
        family.add(relation);
        family.addAll(children.reachableFrom(relation));
        return family;
    }

    /**
     * Relations whose rows may change when rows of one change, over any number of foreign keys.
     *
     * @param foreignKeys from referenced to referencing relations
     */
    Set<Long> changedThrough(Graph foreignKeys, long relation) {
        Set<Long> changed = new LinkedHashSet<>();
        Deque<Long> open = new ArrayDeque<>(family(relation));
        while (!open.isEmpty()) {
            for (long referencing : foreignKeys.from(open.remove())) {
                family(referencing).stream().filter(changed::add).forEach(open::add);
            }
        }
        for (long node : List.copyOf(changed)) {
            changed.addAll(ancestors(node));
        }
        changed.remove(relation);
        return changed;
    }
}
