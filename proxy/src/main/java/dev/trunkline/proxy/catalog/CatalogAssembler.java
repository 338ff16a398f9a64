package dev.trunkline.proxy.catalog;

import dev.trunkline.proxy.catalog.CatalogRows.Edge;
import dev.trunkline.proxy.catalog.CatalogRows.ForeignKeyRow;
import dev.trunkline.proxy.catalog.CatalogRows.FunctionRow;
import dev.trunkline.proxy.catalog.CatalogRows.RelationRow;
import dev.trunkline.routing.catalog.Catalog;
import dev.trunkline.routing.catalog.Column;
import dev.trunkline.routing.catalog.Function;
import dev.trunkline.routing.catalog.QualifiedName;
import dev.trunkline.routing.catalog.Relation;
import dev.trunkline.routing.catalog.Relation.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Makes a catalog out of rows: identifiers become names, steps become paths. */
final class CatalogAssembler {

    private final CatalogRows rows;
    private final Map<Long, RelationRow> relations = new HashMap<>();
    private final Map<Long, QualifiedName> functions = new HashMap<>();
    private final Map<Long, List<Column>> columns = new HashMap<>();
    private final Graph viewReads = new Graph();
    private final Graph innerViews = new Graph();
    private final Graph viewCalls = new Graph();
    private final Graph actions = new Graph();
    private final Graph references = new Graph();
    private final Hierarchy hierarchy;

    CatalogAssembler(CatalogRows rows) {
        this.rows = rows;
        this.hierarchy = new Hierarchy(rows.parents());
        rows.relations().forEach(row -> relations.put(row.oid(), row));
        rows.functions().forEach(row -> functions.put(row.oid(), row.name()));
        rows.columns()
                .forEach(row -> columns.computeIfAbsent(row.relation(), relation -> new ArrayList<>())
                        .add(row.column()));
        rows.viewReads().forEach(this::addViewRead);
        rows.viewCalls().forEach(edge -> viewCalls.add(edge.from(), edge.to()));
        rows.foreignKeys().forEach(this::addForeignKey);
    }

    private void addViewRead(Edge edge) {
        viewReads.add(edge.from(), edge.to());
        if (isView(edge.to())) {
            innerViews.add(edge.from(), edge.to());
        }
    }

    private void addForeignKey(ForeignKeyRow key) {
        references.add(key.referenced(), key.referencing());
        if (key.hasAction()) {
            actions.add(key.referenced(), key.referencing());
        }
    }

    Catalog catalog(long version) {
        Map<QualifiedName, Relation> byName = new HashMap<>();
        rows.relations().forEach(row -> byName.put(row.name(), relation(row)));
        Map<QualifiedName, Function> functionsByName = new HashMap<>();
        rows.functions().forEach(row -> functionsByName.merge(row.name(), function(row), CatalogAssembler::worst));
        return new Catalog(version, rows.serverVersion(), Map.copyOf(byName), Map.copyOf(functionsByName));
    }

    private Relation relation(RelationRow row) {
        Set<Long> views = views(row);
        return new Relation(
                row.name(),
                row.kind(),
                List.copyOf(columns.getOrDefault(row.oid(), List.of())),
                names(reads(views)),
                calls(views),
                names(hierarchy.ancestors(row.oid())),
                names(hierarchy.changedThrough(actions, row.oid())),
                names(hierarchy.changedThrough(references, row.oid())),
                hierarchy.family(row.oid()).stream().anyMatch(this::hasTriggers),
                row.rowSecurity());
    }

    private boolean hasTriggers(long relation) {
        RelationRow row = relations.get(relation);
        return row != null && row.hasTriggers();
    }

    /**
     * The relation itself, if it is a view of either kind, and the plain views that its query expands to. A
     * materialised view inside has rows of its own: who reads it does not read what it was made from.
     */
    private Set<Long> views(RelationRow row) {
        Set<Long> views = new LinkedHashSet<>();
        if (row.kind() == Kind.VIEW || row.kind() == Kind.MATERIALIZED_VIEW) {
            views.add(row.oid());
            views.addAll(innerViews.reachableFrom(row.oid()));
        }
        return views;
    }

    private boolean isView(long relation) {
        RelationRow row = relations.get(relation);
        return row != null && row.kind() == Kind.VIEW;
    }

    private Set<Long> reads(Set<Long> views) {
        Set<Long> reads = new LinkedHashSet<>();
        views.forEach(view -> reads.addAll(viewReads.from(view)));
        reads.removeIf(relation -> isView(relation) || isSequence(relation));
        return reads;
    }

    private boolean isSequence(long relation) {
        RelationRow row = relations.get(relation);
        return row != null && row.kind() == Kind.SEQUENCE;
    }

    private List<QualifiedName> calls(Set<Long> views) {
        return views.stream()
                .flatMap(view -> viewCalls.from(view).stream())
                .map(functions::get)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    /** Relations of the system have no name here and drop out. */
    private List<QualifiedName> names(Collection<Long> oids) {
        return oids.stream()
                .map(relations::get)
                .filter(Objects::nonNull)
                .map(RelationRow::name)
                .toList();
    }

    private static Function function(FunctionRow row) {
        return new Function(row.name(), row.immutable(), row.extension());
    }

    private static Function worst(Function left, Function right) {
        return new Function(left.name(), left.immutable() && right.immutable(), left.extension() && right.extension());
    }
}
