package dev.trunkline.routing.plan;

import dev.trunkline.routing.tree.Query;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The names that are visible at one level of a statement, and those of the levels around it. */
final class Scope {

    private final @Nullable Scope outer;
    private final List<Source> sources = new ArrayList<>();
    private final Map<String, Integer> merged = new HashMap<>();
    private final Map<String, CommonTable> commonTables = new HashMap<>();
    private final Map<Query, Rows> subqueries = new IdentityHashMap<>();
    private boolean mergesUnknownColumns;

    Scope(@Nullable Scope outer) {
        this.outer = outer;
    }

    /** What lies around this level; null at the top. */
    @Nullable
    Scope outer() {
        return outer;
    }

    boolean hasOuterSources() {
        return outer != null && outer.hasSources();
    }

    void add(Source source) {
        sources.add(source);
    }

    List<Source> sources() {
        return sources;
    }

    /** All sources of this level as a set. */
    Set<Source> all() {
        return new HashSet<>(sources);
    }

    /** Subqueries of this level that have been looked at; each is looked at once. */
    Map<Query, Rows> subqueries() {
        return subqueries;
    }

    void add(CommonTable table) {
        commonTables.put(table.name(), table);
    }

    /** The common table expression of that name, or null. */
    @Nullable
    CommonTable commonTable(String name) {
        CommonTable table = commonTables.get(name);
        return table != null || outer == null ? table : outer.commonTable(name);
    }

    /** Unqualified, the column of USING or NATURAL means this variable from now on. */
    void merge(String column, int variable) {
        merged.put(column, variable);
    }

    /** A NATURAL join merges columns that nobody knows: no unqualified column can be told any more. */
    void mergeUnknownColumns() {
        mergesUnknownColumns = true;
    }

    /** Whether {@code *} may list the columns in another order than the sources have them. */
    boolean mergesColumns() {
        return mergesUnknownColumns || !merged.isEmpty();
    }

    /** A column that was found: its variable, and the source that has it (null: merged, or none can be told). */
    record Found(int variable, @Nullable Source source) {

        static final Found NOTHING = new Found(Variables.NONE, null);
    }

    /** The column that a path means; {@link Found#NOTHING} if nobody can tell. */
    Found find(List<String> path) {
        return switch (path.size()) {
            case 1 -> findUnqualified(path.get(0));
            case 2 -> findQualified(null, path.get(0), path.get(1));
            case 3 -> findQualified(path.get(0), path.get(1), path.get(2));
            default -> Found.NOTHING;
        };
    }

    private Found findUnqualified(String column) {
        if (mergesUnknownColumns) {
            return Found.NOTHING;
        }
        if (merged.containsKey(column)) {
            return new Found(merged.get(column), owner(merged.get(column), column));
        }
        List<Source> having = having(column, Source.Has.YES);
        if (having.isEmpty()) {
            return findWhereUnknown(column);
        }
        // PostgreSQL refuses a name that two sources have: a single known one must be it.
        return having.size() == 1 ? new Found(having.get(0).variable(column), having.get(0)) : Found.NOTHING;
    }

    private Found findWhereUnknown(String column) {
        List<Source> candidates = having(column, Source.Has.MAYBE);
        if (candidates.isEmpty()) {
            return outer == null ? Found.NOTHING : outer.findUnqualified(column);
        }
        boolean certain = candidates.size() == 1 && !hasOuterSources();
        return certain ? new Found(candidates.get(0).variable(column), candidates.get(0)) : Found.NOTHING;
    }

    private List<Source> having(String column, Source.Has has) {
        return sources.stream().filter(source -> source.has(column) == has).toList();
    }

    /** The source whose column the merged one is; it may be restricted where that source may. */
    private @Nullable Source owner(int variable, String column) {
        return sources.stream()
                .filter(source -> source.has(column) == Source.Has.YES && source.variable(column) == variable)
                .findFirst()
                .orElse(null);
    }

    private boolean hasSources() {
        return !sources.isEmpty() || (outer != null && outer.hasSources());
    }

    private Found findQualified(@Nullable String schema, String name, String column) {
        List<Source> named = sources.stream()
                .filter(source -> schema == null ? source.isNamed(name) : source.isNamed(schema, name))
                .toList();
        if (named.isEmpty()) {
            return outer == null ? Found.NOTHING : outer.findQualified(schema, name, column);
        }
        Source source = named.get(0);
        boolean certain = named.size() == 1 && source.has(column) != Source.Has.NO;
        return certain ? new Found(source.variable(column), source) : Found.NOTHING;
    }
}
