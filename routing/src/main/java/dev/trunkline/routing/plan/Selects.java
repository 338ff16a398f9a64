package dev.trunkline.routing.plan;

import dev.trunkline.routing.tree.Body;
import dev.trunkline.routing.tree.Expression;
import dev.trunkline.routing.tree.From;
import dev.trunkline.routing.tree.Query;
import dev.trunkline.routing.tree.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Interprets SELECT. */
final class Selects {

    private final Facts facts;
    private final FromClause fromClause;
    private final Predicates predicates;
    private final Inspection inspection;

    Selects(Facts facts, FromClause fromClause, Predicates predicates, Inspection inspection) {
        this.facts = facts;
        this.fromClause = fromClause;
        this.predicates = predicates;
        this.inspection = inspection;
    }

    Rows select(Query query, Body.Select select, @Nullable Scope outer, boolean top) {
        int firstUse = facts.uses.size();
        Scope scope = new Scope(outer);
        Origin source = from(select.from(), select.where(), scope);
        Level level = inspect(query, select, scope);
        Clauses clauses = new Clauses(query, select, scope, level);
        Origin origin = answering(clauses.applied(source, top), firstUse);
        if (select.distinct() && !select.distinctOn().isEmpty()) {
            facts.differsBecause("It holds DISTINCT ON.");
        }
        return new Rows(origin, clauses.outputs());
    }

    private Origin from(@Nullable From from, @Nullable Expression where, Scope scope) {
        Origin origin = Origin.Replicated.INSTANCE;
        if (from != null) {
            FromClause.Node node = fromClause.read(from, scope);
            origin = fromClause.join(node, scope, Predicates.needed(where, scope));
        }
        predicates.hold(where, scope, scope.all());
        inspection.inspect(where, scope, new Level());
        return origin;
    }

    private Level inspect(Query query, Body.Select select, Scope scope) {
        Level level = new Level();
        select.items().forEach(item -> inspection.inspect(item.expression(), scope, level));
        inspection.inspectAll(select.distinctOn(), scope, level);
        inspection.inspectAll(select.groupBy(), scope, level);
        inspection.inspect(select.having(), scope, level);
        inspection.inspectAll(query.orderBy(), scope, level);
        inspection.inspectAll(query.limits(), scope, new Level());
        for (Window window : select.windows()) {
            inspection.inspectAll(window.partitionBy(), scope, level);
            inspection.inspectAll(window.others(), scope, level);
        }
        return level;
    }

    /** The root of the rows answers for every sharded table that this level and those within use. */
    private Origin answering(Origin origin, int firstUse) {
        int endUse = facts.uses.size();
        if (origin == Origin.Replicated.INSTANCE && endUse > firstUse) {
            return new Origin.Broken("A subquery reads a sharded table, but the query around it does not.");
        }
        if (!(origin instanceof Origin.Partitioned partitioned)) {
            return origin;
        }
        if (partitioned.roots().size() == 1) {
            return Origin.partitioned(partitioned.roots().get(0).answeringFor(firstUse, endUse));
        }
        int answered = partitioned.roots().stream()
                .mapToInt(root -> root.endUse() - root.firstUse())
                .sum();
        return answered == endUse - firstUse
                ? origin
                : new Origin.Broken("The result of UNION ALL is combined with further sharded tables.");
    }

    /** The clauses of one SELECT that come after FROM and WHERE. */
    private final class Clauses {

        private final Query query;
        private final Body.Select select;
        private final Scope scope;
        private final Level level;
        private final boolean grouped;
        private final List<Integer> groupColumns;
        private final boolean groupsAll;

        Clauses(Query query, Body.Select select, Scope scope, Level level) {
            this.query = query;
            this.select = select;
            this.scope = scope;
            this.level = level;
            this.grouped = level.aggregated || !select.groupBy().isEmpty() || select.having() != null;
            this.groupColumns = select.groupBy().stream().map(this::groupColumn).toList();
            this.groupsAll = select.groupingSets() || select.groupBy().isEmpty();
        }

        /** Where the rows come from when these clauses have been applied. */
        Origin applied(Origin source, boolean top) {
            if (!(source instanceof Origin.Partitioned partitioned)) {
                return source;
            }
            int key = partitioned.key();
            String reason = brokenBecause(key, top);
            return reason == null ? source : new Origin.Broken(reason);
        }

        private @Nullable String brokenBecause(int key, boolean top) {
            if (grouped && (groupsAll || !contains(groupColumns, key))) {
                return "It aggregates rows of several shards: GROUP BY does not contain the sharding key.";
            }
            if (level.maybeAggregate != null) {
                return "Function \"" + level.maybeAggregate + "\" may be an aggregate.";
            }
            if (select.distinct() && !isDistinctByKey(key)) {
                return "It holds DISTINCT without the sharding key.";
            }
            if (!level.windows.stream().allMatch(window -> partitionsBy(window, key))) {
                return "It holds a window that is not partitioned by the sharding key.";
            }
            if (isLimited()) {
                return "It holds LIMIT, OFFSET or FETCH.";
            }
            return top && !query.orderBy().isEmpty() ? "It holds ORDER BY." : null;
        }

        /** LIMIT NULL is no limit. */
        private boolean isLimited() {
            return !query.limits().stream().allMatch(limit -> limit == Expression.Fixed.NULL);
        }

        private boolean isDistinctByKey(int key) {
            if (!select.distinctOn().isEmpty()) {
                return contains(variables(select.distinctOn()), key);
            }
            List<Output> outputs = outputs();
            return outputs != null
                    && contains(outputs.stream().map(Output::variable).toList(), key);
        }

        private boolean partitionsBy(Window window, int key) {
            List<Expression> partition = new ArrayList<>(window.partitionBy());
            select.windows().stream()
                    .filter(named -> window.name() != null && window.name().equals(named.name()))
                    .forEach(named -> partition.addAll(named.partitionBy()));
            return contains(variables(partition), key);
        }

        private List<Integer> variables(List<Expression> expressions) {
            return expressions.stream().map(this::variable).toList();
        }

        private int variable(Expression expression) {
            return expression instanceof Expression.Column column
                    ? scope.find(column.path()).variable()
                    : Variables.NONE;
        }

        private boolean contains(List<Integer> variables, int variable) {
            return variables.stream()
                    .anyMatch(other -> other == variable && variable != Variables.NONE
                            || facts.variables.areSame(other, variable));
        }

        /** A column, the number of an output column, or the alias of one. */
        private int groupColumn(Expression expression) {
            int direct = variable(expression);
            if (direct != Variables.NONE) {
                return direct;
            }
            if (expression instanceof Expression.Number number) {
                return numbered(number.value());
            }
            if (expression instanceof Expression.Column column && column.path().size() == 1) {
                return select.items().stream()
                        .filter(item -> column.name().equals(item.alias()))
                        .map(item -> variable(item.expression()))
                        .findFirst()
                        .orElse(Variables.NONE);
            }
            return Variables.NONE;
        }

        private int numbered(long position) {
            boolean stars = select.items().stream().anyMatch(item -> item.expression() instanceof Expression.Star);
            boolean within = position >= 1 && position <= select.items().size();
            return stars || !within
                    ? Variables.NONE
                    : variable(select.items().get((int) position - 1).expression());
        }

        /** The columns of the select list; null if a star hides them. */
        @Nullable
        List<Output> outputs() {
            List<Output> outputs = new ArrayList<>();
            for (Body.Item item : select.items()) {
                if (item.expression() instanceof Expression.Star star) {
                    if (!addStar(star, outputs)) {
                        return null;
                    }
                } else {
                    outputs.add(output(name(item), variable(item.expression())));
                }
            }
            return outputs;
        }

        private Output output(String name, int variable) {
            return new Output(name, variable, variable != Variables.NONE && isPushable(variable));
        }

        /** Conditions on the column commute with these clauses. */
        private boolean isPushable(int variable) {
            return !isLimited()
                    && (!grouped || (!groupsAll && contains(groupColumns, variable)))
                    && (select.distinctOn().isEmpty() || contains(variables(select.distinctOn()), variable))
                    && level.windows.stream().allMatch(window -> partitionsBy(window, variable));
        }

        private boolean addStar(Expression.Star star, List<Output> into) {
            boolean all = star.path().isEmpty();
            if (all && scope.mergesColumns()) {
                return false;
            }
            List<Source> sources = all ? scope.sources() : named(star.path());
            if (sources.isEmpty() || (!all && sources.size() > 1)) {
                return false;
            }
            for (Source source : sources) {
                List<String> columns = source.columns();
                if (columns == null) {
                    return false;
                }
                columns.forEach(column -> into.add(output(column, source.variable(column))));
            }
            return true;
        }

        private List<Source> named(List<String> path) {
            String name = path.get(path.size() - 1);
            return scope.sources().stream()
                    .filter(source ->
                            path.size() == 1 ? source.isNamed(name) : source.isNamed(path.get(path.size() - 2), name))
                    .toList();
        }

        private static String name(Body.Item item) {
            if (item.alias() != null) {
                return item.alias();
            }
            if (item.expression() instanceof Expression.Column column) {
                return column.name();
            }
            return item.expression() instanceof Expression.Call call ? call.name() : "?column?";
        }
    }

    /** The columns that RETURNING yields; conditions on them come too late for the rows that are written. */
    @Nullable
    List<Output> returned(List<Body.Item> items, Scope scope) {
        Level level = new Level();
        items.forEach(item -> inspection.inspect(item.expression(), scope, level));
        Body.Select select = new Body.Select(false, List.of(), items, null, null, List.of(), false, null, List.of());
        List<Output> outputs = new Clauses(Query.of(select), select, scope, level).outputs();
        return outputs == null
                ? null
                : outputs.stream()
                        .map(output -> new Output(output.name(), output.variable(), false))
                        .toList();
    }

    /** All sources of which a condition needs rows; see {@link Predicates#needed}. */
    static Set<Source> needed(@Nullable Expression where, Scope scope) {
        return Predicates.needed(where, scope);
    }
}
