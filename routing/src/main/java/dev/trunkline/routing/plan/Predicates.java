package dev.trunkline.routing.plan;

import dev.trunkline.routing.tree.Expression;
import dev.trunkline.routing.tree.Expression.Comparison.Operator;
import dev.trunkline.routing.tree.Query;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What conditions say about columns: bounds on their values, and which of them are equal. A form that is not known
 * says nothing.
 */
final class Predicates {

    /** Looks at a subquery and says what it yields. */
    @FunctionalInterface
    interface Subqueries {
        Rows rows(Query query, Scope scope);
    }

    private final Facts facts;
    private final Variables variables;
    private final Subqueries subqueries;

    Predicates(Facts facts, Subqueries subqueries) {
        this.facts = facts;
        this.variables = facts.variables;
        this.subqueries = subqueries;
    }

    /**
     * Takes note of a condition that rows of interest fulfil.
     *
     * @param restricted the sources whose rows of interest fulfil it: others are there whether it holds or not
     */
    void hold(@Nullable Expression condition, Scope scope, Set<Source> restricted) {
        if (condition == null) {
            return;
        }
        if (condition instanceof Expression.And and) {
            and.operands().forEach(operand -> hold(operand, scope, restricted));
        } else if (condition instanceof Expression.IsTrue isTrue) {
            hold(isTrue.operand(), scope, restricted);
        } else if (condition == Expression.Fixed.FALSE) {
            // Nothing is of interest then, whatever the key.
            facts.uses.stream()
                    .filter(use -> restricted.contains(use.source()))
                    .forEach(use -> variables.bound(use.key(), KeySet.Fixed.NONE));
        } else if (condition instanceof Expression.InQuery in) {
            holdIn(in, scope, restricted, true);
        } else {
            holdComparison(condition, scope, restricted);
        }
    }

    private void holdComparison(Expression condition, Scope scope, Set<Source> restricted) {
        if (condition instanceof Expression.Comparison comparison && comparison.operator() == Operator.EQUAL) {
            holdEqual(comparison.left(), comparison.right(), scope, restricted);
        }
        if (condition instanceof Expression.Or or) {
            or.operands().forEach(operand -> holdIns(operand, scope, restricted));
        }
        for (Scope.Found column : columns(condition, scope)) {
            if (column.source() != null && restricted.contains(column.source())) {
                variables.bound(column.variable(), keys(condition, column.variable(), scope));
            }
        }
    }

    private void holdEqual(Expression left, Expression right, Scope scope, Set<Source> restricted) {
        if (left instanceof Expression.Row one && right instanceof Expression.Row other) {
            for (int i = 0; i < Math.min(one.items().size(), other.items().size()); i++) {
                holdEqual(one.items().get(i), other.items().get(i), scope, restricted);
            }
        }
        if (left instanceof Expression.Column one && right instanceof Expression.Column other) {
            link(scope.find(one.path()), scope.find(other.path()), restricted);
        }
    }

    /** Both columns are equal in rows of interest of the restricted sources. */
    void link(Scope.Found one, Scope.Found other, Set<Source> restricted) {
        boolean oneRestricted = one.source() != null && restricted.contains(one.source());
        boolean otherRestricted = other.source() != null && restricted.contains(other.source());
        if (oneRestricted && otherRestricted) {
            variables.equate(one.variable(), other.variable());
        } else if (oneRestricted) {
            variables.flow(other.variable(), one.variable());
        } else if (otherRestricted) {
            variables.flow(one.variable(), other.variable());
        }
    }

    /** IN (query) below OR: no other rows of the query are of interest. */
    private void holdIns(Expression condition, Scope scope, Set<Source> restricted) {
        if (condition instanceof Expression.And || condition instanceof Expression.Or) {
            condition.children().forEach(child -> holdIns(child, scope, restricted));
        } else if (condition instanceof Expression.InQuery in) {
            holdIn(in, scope, restricted, false);
        }
    }

    /**
     * {@code column IN (query)}: rows of the query matter only where they equal the column, if that condition may be
     * put on the query's own tables; and if the whole must hold, the query's values bound the column.
     */
    private void holdIn(Expression.InQuery in, Scope scope, Set<Source> restricted, boolean always) {
        Rows rows = subqueries.rows(in.query(), scope);
        List<Expression> left = in.left() instanceof Expression.Row row ? row.items() : List.of(in.left());
        List<Output> outputs = rows.outputs();
        if (outputs == null || outputs.size() != left.size()) {
            return;
        }
        for (int i = 0; i < left.size(); i++) {
            if (left.get(i) instanceof Expression.Column column) {
                Scope.Found outer = scope.find(column.path());
                Output inner = outputs.get(i);
                if (inner.pushable()) {
                    variables.flow(outer.variable(), inner.variable());
                }
                if (always && outer.source() != null && restricted.contains(outer.source())) {
                    variables.flow(inner.variable(), outer.variable());
                }
            }
        }
    }

    /** The columns that a condition compares with something, wherever in AND, OR and rows. */
    private Set<Scope.Found> columns(Expression condition, Scope scope) {
        Set<Scope.Found> found = new LinkedHashSet<>();
        collect(condition, scope, found);
        found.removeIf(column -> column.variable() == Variables.NONE);
        return found;
    }

    private void collect(Expression expression, Scope scope, Set<Scope.Found> into) {
        if (expression instanceof Expression.Column column) {
            into.add(scope.find(column.path()));
        } else if (isBounding(expression)) {
            expression.children().forEach(child -> collect(child, scope, into));
        }
    }

    private static boolean isBounding(Expression expression) {
        return expression instanceof Expression.Comparison
                || expression instanceof Expression.NotDistinct
                || expression instanceof Expression.In
                || expression instanceof Expression.EqualsAny
                || expression instanceof Expression.And
                || expression instanceof Expression.Or
                || expression instanceof Expression.IsTrue
                || expression instanceof Expression.Row;
    }

    /** The values that a column may have where a condition holds. */
    private KeySet keys(Expression condition, int variable, Scope scope) {
        if (condition instanceof Expression.And and) {
            return KeySet.intersection(and.operands().stream()
                    .map(operand -> keys(operand, variable, scope))
                    .toList());
        }
        if (condition instanceof Expression.Or or) {
            return KeySet.union(or.operands().stream()
                    .map(operand -> keys(operand, variable, scope))
                    .toList());
        }
        if (condition instanceof Expression.IsTrue isTrue) {
            return keys(isTrue.operand(), variable, scope);
        }
        if (condition == Expression.Fixed.FALSE || condition == Expression.Fixed.NULL) {
            return KeySet.Fixed.NONE;
        }
        if (condition instanceof Expression.Comparison comparison && comparison.operator() == Operator.EQUAL) {
            return equalKeys(comparison.left(), comparison.right(), variable, scope);
        }
        if (condition instanceof Expression.NotDistinct same) {
            return notDistinctKeys(same, variable, scope);
        }
        if (condition instanceof Expression.In in) {
            return KeySet.union(in.items().stream()
                    .map(item -> equalKeys(in.left(), item, variable, scope))
                    .toList());
        }
        if (condition instanceof Expression.EqualsAny any && is(any.left(), variable, scope)) {
            return KeyPlaces.array(any.array(), variables.columnClass(variable));
        }
        return KeySet.Fixed.ALL;
    }

    private KeySet equalKeys(Expression left, Expression right, int variable, Scope scope) {
        if (left instanceof Expression.Row one && right instanceof Expression.Row other) {
            List<KeySet> parts = new ArrayList<>();
            for (int i = 0; i < Math.min(one.items().size(), other.items().size()); i++) {
                parts.add(equalKeys(one.items().get(i), other.items().get(i), variable, scope));
            }
            return KeySet.intersection(parts);
        }
        KeyRef ref = null;
        if (is(left, variable, scope)) {
            ref = KeyPlaces.value(right, variables.columnClass(variable));
        } else if (is(right, variable, scope)) {
            ref = KeyPlaces.value(left, variables.columnClass(variable));
        }
        return ref == null ? KeySet.Fixed.ALL : KeySet.of(ref);
    }

    private KeySet notDistinctKeys(Expression.NotDistinct same, int variable, Scope scope) {
        Expression value = is(same.left(), variable, scope) ? same.right() : same.left();
        boolean about = is(same.left(), variable, scope) || is(same.right(), variable, scope);
        KeyRef ref = about ? KeyPlaces.value(value, variables.columnClass(variable)) : null;
        return ref == null ? KeySet.Fixed.ALL : new KeySet.NotDistinctFrom(ref);
    }

    private static boolean is(Expression expression, int variable, Scope scope) {
        return expression instanceof Expression.Column column
                && scope.find(column.path()).variable() == variable;
    }

    /**
     * The sources of which a condition needs a row: where it holds, an outer join that may leave them out has not done
     * so.
     */
    static Set<Source> needed(@Nullable Expression condition, Scope scope) {
        Set<Source> needed = new HashSet<>();
        collectNeeded(condition, scope, needed);
        return needed;
    }

    private static void collectNeeded(@Nullable Expression condition, Scope scope, Set<Source> into) {
        if (condition instanceof Expression.And and) {
            and.operands().forEach(operand -> collectNeeded(operand, scope, into));
        } else if (condition instanceof Expression.IsTrue isTrue) {
            collectNeeded(isTrue.operand(), scope, into);
        } else if (condition instanceof Expression.Comparison comparison) {
            addSource(comparison.left(), scope, into);
            addSource(comparison.right(), scope, into);
        } else if (condition instanceof Expression.In in) {
            addSource(in.left(), scope, into);
        } else if (condition instanceof Expression.EqualsAny any) {
            addSource(any.left(), scope, into);
        }
    }

    /** Every comparison operator of PostgreSQL yields NULL for NULL, which no condition lets through. */
    private static void addSource(Expression operand, Scope scope, Set<Source> into) {
        if (operand instanceof Expression.Column column) {
            Scope.Found found = scope.find(column.path());
            if (found.source() != null) {
                into.add(found.source());
            }
        }
    }
}
