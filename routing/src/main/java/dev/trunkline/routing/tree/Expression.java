package dev.trunkline.routing.tree;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A value expression. Only forms that can fix a sharding key have a type of their own; whatever else there is keeps its
 * parts in {@link Other}, so that no column, function or subquery is lost.
 */
public sealed interface Expression {

    /** The expressions directly within this one; subqueries are not among them. */
    List<Expression> children();

    /** The query directly within this one, or null. */
    default @Nullable Query query() {
        return null;
    }

    /**
     * A column, perhaps qualified.
     *
     * @param path the names as PostgreSQL keeps them, the column last
     */
    record Column(List<String> path) implements Expression {

        public String name() {
            return path.get(path.size() - 1);
        }

        @Override
        public List<Expression> children() {
            return List.of();
        }
    }

    /** All columns: {@code *}, or {@code t.*} with the path of t. */
    record Star(List<String> path) implements Expression {
        @Override
        public List<Expression> children() {
            return List.of();
        }
    }

    /**
     * A constant whose value stands in the statement's text.
     *
     * @param slot the slot that holds it
     * @param negative a minus sign stands before the slot
     */
    record Constant(int slot, boolean negative) implements Expression {
        @Override
        public List<Expression> children() {
            return List.of();
        }
    }

    /** {@code $n}. */
    record Parameter(int number) implements Expression {
        @Override
        public List<Expression> children() {
            return List.of();
        }
    }

    /** A number that belongs to the shape: it may count columns or rows. */
    record Number(long value) implements Expression {
        @Override
        public List<Expression> children() {
            return List.of();
        }
    }

    /** A constant that is the same in all statements of one shape. */
    enum Fixed implements Expression {
        NULL,
        TRUE,
        FALSE,
        /** The keyword DEFAULT in VALUES or SET. */
        DEFAULT,
        /** Any other, such as an interval. */
        OTHER;

        @Override
        public List<Expression> children() {
            return List.of();
        }
    }

    /**
     * A cast.
     *
     * @param type the name of the type in lower case, with {@code []} for arrays; with its modifiers in parentheses
     */
    record Cast(Expression operand, String type) implements Expression {
        @Override
        public List<Expression> children() {
            return List.of(operand);
        }
    }

    /** A comparison by one of the six operators of every ordered type. */
    record Comparison(Operator operator, Expression left, Expression right) implements Expression {

        /** The operators. */
        public enum Operator {
            EQUAL,
            NOT_EQUAL,
            LESS,
            LESS_OR_EQUAL,
            GREATER,
            GREATER_OR_EQUAL
        }

        @Override
        public List<Expression> children() {
            return List.of(left, right);
        }
    }

    /** {@code IS NOT DISTINCT FROM}. */
    record NotDistinct(Expression left, Expression right) implements Expression {
        @Override
        public List<Expression> children() {
            return List.of(left, right);
        }
    }

    /** {@code left IN (items)}. */
    record In(Expression left, List<Expression> items) implements Expression {
        @Override
        public List<Expression> children() {
            return Expressions.with(left, items);
        }
    }

    /** {@code left IN (query)} and {@code left = ANY (query)}. */
    record InQuery(Expression left, Query query) implements Expression {
        @Override
        public List<Expression> children() {
            return List.of(left);
        }
    }

    /** {@code left = ANY (array)}. */
    record EqualsAny(Expression left, Expression array) implements Expression {
        @Override
        public List<Expression> children() {
            return List.of(left, array);
        }
    }

    /** A conjunction of at least two. */
    record And(List<Expression> operands) implements Expression {
        @Override
        public List<Expression> children() {
            return operands;
        }
    }

    /** A disjunction of at least two. */
    record Or(List<Expression> operands) implements Expression {
        @Override
        public List<Expression> children() {
            return operands;
        }
    }

    /** {@code operand IS TRUE}. */
    record IsTrue(Expression operand) implements Expression {
        @Override
        public List<Expression> children() {
            return List.of(operand);
        }
    }

    /** {@code ROW (…)} or {@code (a, b)}. */
    record Row(List<Expression> items) implements Expression {
        @Override
        public List<Expression> children() {
            return items;
        }
    }

    /** {@code ARRAY[…]}. */
    record Array(List<Expression> items) implements Expression {
        @Override
        public List<Expression> children() {
            return items;
        }
    }

    /** {@code EXISTS (query)}. */
    record Exists(Query query) implements Expression {
        @Override
        public List<Expression> children() {
            return List.of();
        }
    }

    /** A query that yields a value: scalar, {@code ARRAY(query)}, or compared by ANY or ALL. */
    record Subquery(Query query) implements Expression {
        @Override
        public List<Expression> children() {
            return List.of();
        }
    }

    /**
     * A call of a function.
     *
     * @param path the names as PostgreSQL keeps them, the function last
     * @param arguments the arguments, and whatever stands in FILTER, ORDER BY and WITHIN GROUP
     * @param window how it is a window function; null if it is none
     */
    record Call(
            List<String> path,
            List<Expression> arguments,
            @Nullable Window window) implements Expression {

        public String name() {
            return path.get(path.size() - 1);
        }

        @Override
        public List<Expression> children() {
            return window == null ? arguments : Expressions.concat(arguments, window.expressions());
        }
    }

    /** Any other form, by its parts. */
    record Other(List<Expression> children) implements Expression {}
}
