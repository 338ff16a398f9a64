package dev.trunkline.proxy.catalog;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which objects lead to which others; may have cycles. */
final class Graph {

    private final Map<Long, List<Long>> edges = new HashMap<>();

    void add(long from, long to) {
        edges.computeIfAbsent(from, node -> new ArrayList<>()).add(to);
    }

    /** Where one step leads. */
    List<Long> from(long node) {
        return edges.getOrDefault(node, List.of());
    }

    /** Where any number of steps leads, nearest first; the start only if a cycle leads back to it. */
    Set<Long> reachableFrom(long start) {
        Set<Long> reached = new LinkedHashSet<>();
        Deque<Long> open = new ArrayDeque<>(from(start));
        while (!open.isEmpty()) {
            long node = open.remove();
            if (reached.add(node)) {
                open.addAll(from(node));
            }
        }
        return reached;
    }
}
