package dev.trunkline.routing.plan;

import dev.trunkline.routing.tree.Expression;
import dev.trunkline.routing.tree.From;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Interprets FROM clauses: first the sources in order, then, when all names are known, the joins. */
final class FromClause {

    private final Facts facts;
    private final TableSources tables;
    private final CommonTables commonTables;
    private final Predicates predicates;
    private final Inspection inspection;
    private final Queries queries;

    FromClause(Facts facts, TableSources tables, Predicates predicates, Inspection inspection, Queries queries) {
        this.facts = facts;
        this.tables = tables;
        this.predicates = predicates;
        this.inspection = inspection;
        this.queries = queries;
        this.commonTables = new CommonTables(facts, queries);
    }

    /** An item whose sources are in scope. */
    sealed interface Node {

        Set<Source> sources();

        /** One source. */
        record Leaf(Source source, Origin origin) implements Node {
            @Override
            public Set<Source> sources() {
                return Set.of(source);
            }
        }

        /** A join of two. */
        record Joined(From.Join join, Node left, Node right) implements Node {
            @Override
            public Set<Source> sources() {
                Set<Source> all = new HashSet<>(left.sources());
                all.addAll(right.sources());
                return all;
            }
        }
    }

    /** Adds the sources of an item to a scope. */
    Node read(From from, Scope scope) {
        if (from instanceof From.Join join) {
            Node left = read(join.left(), scope);
            return new Node.Joined(join, left, read(join.right(), scope));
        }
        Node.Leaf leaf = leaf(from, scope);
        scope.add(leaf.source());
        return leaf;
    }

    private Node.Leaf leaf(From from, Scope scope) {
        if (from instanceof From.Table table) {
            CommonTable common = table.schema() == null ? scope.commonTable(table.name()) : null;
            if (common != null) {
                return commonTables.use(common, table);
            }
            TableSources.Leaf leaf = tables.read(table);
            return new Node.Leaf(leaf.source(), leaf.origin());
        }
        if (from instanceof From.Derived derived) {
            Rows rows = queries.query(derived.query(), derived.lateral() ? scope : scope.outer(), false);
            Source source = DerivedColumns.source(facts.variables, rows, derived.alias(), derived.columns());
            return new Node.Leaf(source, rows.origin());
        }
        From.Functions functions = (From.Functions) from;
        inspection.inspectAll(functions.calls(), scope, new Level());
        return new Node.Leaf(functionSource(functions), Origin.Replicated.INSTANCE);
    }

    private static Source functionSource(From.Functions functions) {
        if (functions.columns().isEmpty()) {
            return Source.unknown(functions.alias());
        }
        List<Output> outputs = functions.columns().stream()
                .map(column -> new Output(column, Variables.NONE, false))
                .toList();
        return Source.of(functions.alias(), outputs);
    }

    /**
     * Interprets the joins.
     *
     * @param needed sources of which every row of interest has a row: outer joins have not left them out
     */
    Origin join(Node node, Scope scope, Set<Source> needed) {
        if (node instanceof Node.Leaf leaf) {
            return leaf.origin();
        }
        Node.Joined joined = (Node.Joined) node;
        From.Kind kind = kind(joined, needed);
        Expression on = joined.join().on();
        Set<Source> neededByOn = new HashSet<>(needed);
        neededByOn.addAll(Predicates.needed(on, scope));
        boolean leftFulfils = kind == From.Kind.INNER || kind == From.Kind.RIGHT;
        boolean rightFulfils = kind == From.Kind.INNER || kind == From.Kind.LEFT;
        Origin left = join(joined.left(), scope, leftFulfils ? neededByOn : needed);
        Origin right = join(joined.right(), scope, rightFulfils ? neededByOn : needed);
        Set<Source> restricted = new HashSet<>();
        if (leftFulfils) {
            restricted.addAll(joined.left().sources());
        }
        if (rightFulfils) {
            restricted.addAll(joined.right().sources());
        }
        predicates.hold(on, scope, restricted);
        inspection.inspect(on, scope, new Level());
        mergeColumns(joined, kind, scope, restricted);
        return switch (kind) {
            case INNER -> Origin.joined(left, right);
            case LEFT -> Origin.outerJoined(left, right);
            case RIGHT -> Origin.outerJoined(right, left);
            case FULL -> Origin.fullyJoined(left, right);
        };
    }

    /** An outer join that may leave out what is needed does no more than one that may not. */
    private static From.Kind kind(Node.Joined joined, Set<Source> needed) {
        boolean left = joined.left().sources().stream().anyMatch(needed::contains);
        boolean right = joined.right().sources().stream().anyMatch(needed::contains);
        return switch (joined.join().kind()) {
            case INNER -> From.Kind.INNER;
            case LEFT -> right ? From.Kind.INNER : From.Kind.LEFT;
            case RIGHT -> left ? From.Kind.INNER : From.Kind.RIGHT;
            case FULL -> {
                if (left && right) {
                    yield From.Kind.INNER;
                }
                yield left ? From.Kind.LEFT : right ? From.Kind.RIGHT : From.Kind.FULL;
            }
        };
    }

    private void mergeColumns(Node.Joined joined, From.Kind kind, Scope scope, Set<Source> restricted) {
        List<String> columns =
                joined.join().natural() ? commonColumns(joined) : joined.join().using();
        if (columns == null) {
            scope.mergeUnknownColumns();
            return;
        }
        for (String column : columns) {
            Scope.Found left = find(joined.left(), column, scope);
            Scope.Found right = find(joined.right(), column, scope);
            predicates.link(left, right, restricted);
            scope.merge(
                    column,
                    switch (kind) {
                        case INNER, LEFT -> left.variable();
                        case RIGHT -> right.variable();
                        case FULL -> Variables.NONE;
                    });
        }
    }

    /** The columns of NATURAL; null if one side's are not known. */
    private static @Nullable List<String> commonColumns(Node.Joined joined) {
        List<String> left = columns(joined.left());
        List<String> right = columns(joined.right());
        if (left == null || right == null) {
            return null;
        }
        return left.stream().filter(right::contains).distinct().toList();
    }

    private static @Nullable List<String> columns(Node node) {
        List<String> all = new ArrayList<>();
        for (Source source : node.sources()) {
            if (source.columns() == null) {
                return null;
            }
            all.addAll(source.columns());
        }
        return all;
    }

    /** The column of one side; a column that a join within has merged stands for both. */
    private static Scope.Found find(Node node, String column, Scope scope) {
        List<Source> having = node.sources().stream()
                .filter(source -> source.has(column) == Source.Has.YES)
                .toList();
        if (having.size() == 1) {
            return new Scope.Found(having.get(0).variable(column), having.get(0));
        }
        Scope.Found merged = having.isEmpty() ? Scope.Found.NOTHING : scope.find(List.of(column));
        boolean within = merged.source() != null && node.sources().contains(merged.source());
        return within ? merged : Scope.Found.NOTHING;
    }
}
