package dev.trunkline.routing.sql;

import dev.trunkline.routing.tree.Expression;
import dev.trunkline.routing.tree.From;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.schema.Table;
import net.sf.jsqlparser.statement.select.FromItem;
import net.sf.jsqlparser.statement.select.Join;
import net.sf.jsqlparser.statement.select.LateralSubSelect;
import net.sf.jsqlparser.statement.select.ParenthesedFromItem;
import net.sf.jsqlparser.statement.select.ParenthesedSelect;
import net.sf.jsqlparser.statement.select.Select;
import net.sf.jsqlparser.statement.select.TableFunction;
import net.sf.jsqlparser.statement.select.Values;
import org.jspecify.annotations.Nullable;

/** Reads FROM clauses. */
final class FromReader {

    private final QueryReader queries;
    private final ExpressionReader expressions;

    FromReader(QueryReader queries, ExpressionReader expressions) {
        this.queries = queries;
        this.expressions = expressions;
    }

    /** The items of a clause; null without one. The parser lists joins and commas one after the other. */
    @Nullable
    From from(@Nullable FromItem first, @Nullable List<Join> joins) {
        if (first == null) {
            return null;
        }
        // A comma binds less than JOIN: a, b RIGHT JOIN c is a, (b RIGHT JOIN c).
        List<From> groups = new ArrayList<>();
        From group = item(first);
        for (Join join : joins == null ? List.<Join>of() : joins) {
            if (join.isSimple()) {
                groups.add(group);
                group = item(join.getFromItem());
            } else {
                group = join(group, join);
            }
        }
        groups.add(group);
        return groups.stream().reduce(FromReader::cross).orElseThrow();
    }

    static From cross(From left, From right) {
        return new From.Join(From.Kind.INNER, left, right, null, List.of(), false, null);
    }

    From item(FromItem item) {
        if (item.getPivot() != null || item.getUnPivot() != null || item.getSampleClause() != null) {
            throw new UnreadableSqlException("It holds a FROM clause that is not analysed.");
        }
        if (item instanceof Table table) {
            return table(table);
        }
        if (item instanceof TableFunction function) {
            return functions(function);
        }
        if (item instanceof ParenthesedFromItem parenthesed) {
            return parenthesed(parenthesed);
        }
        if (item instanceof LateralSubSelect lateral) {
            return derived(lateral.getSelect(), lateral, true);
        }
        if (item instanceof ParenthesedSelect parenthesed) {
            return derived(parenthesed, item, false);
        }
        if (item instanceof Values values) {
            return derived(values, item, false);
        }
        throw new UnreadableSqlException("It holds a FROM clause that is not analysed.");
    }

    From.Table table(Table table) {
        boolean plain = table.getIndexHint() == null
                && table.getSqlServerHints() == null
                && table.getTimeTravel() == null
                && table.getTimeTravelStrAfterAlias() == null
                && table.getSampleClause() == null
                && table.getPivot() == null
                && table.getUnPivot() == null;
        if (!plain) {
            throw new UnreadableSqlException("It names a table in a way that is not analysed.");
        }
        List<String> path = SqlNames.path(table);
        return new From.Table(
                path.size() == 2 ? path.get(0) : null,
                path.get(path.size() - 1),
                SqlNames.alias(table.getAlias()),
                SqlNames.aliasColumns(table.getAlias()));
    }

    private From derived(Select select, FromItem item, boolean lateral) {
        return new From.Derived(
                queries.query(select),
                SqlNames.alias(item.getAlias()),
                SqlNames.aliasColumns(item.getAlias()),
                lateral);
    }

    /** Parentheses around a join with an alias hide the tables within; those around one item do not matter. */
    private From parenthesed(ParenthesedFromItem item) {
        boolean single = item.getJoins() == null || item.getJoins().isEmpty();
        if (single && item.getAlias() != null && item.getFromItem().getAlias() == null) {
            return named(item);
        }
        if (item.getAlias() != null) {
            throw new UnreadableSqlException("It gives an alias to a join.");
        }
        From from = from(item.getFromItem(), item.getJoins());
        if (from == null) {
            throw new UnreadableSqlException("It holds a FROM clause that is not analysed.");
        }
        return from;
    }

    private From named(ParenthesedFromItem item) {
        FromItem inner = item.getFromItem();
        if (inner instanceof Select select && !(inner instanceof LateralSubSelect)) {
            return derived(select, item, false);
        }
        throw new UnreadableSqlException("It gives an alias to a join.");
    }

    private From functions(TableFunction item) {
        List<Expression.Call> calls = item.isRowsFrom()
                ? item.getRowsFromFunctions().stream()
                        .map(expressions::function)
                        .toList()
                : List.of(expressions.function(item.getFunction()));
        String alias = SqlNames.alias(item.getAlias());
        String name = alias == null && calls.size() == 1 ? calls.get(0).name() : alias;
        return new From.Functions(List.copyOf(calls), name, SqlNames.aliasColumns(item.getAlias()));
    }

    private From join(From left, Join join) {
        boolean foreign = join.isApply()
                || join.isSemi()
                || join.isStraight()
                || join.isGlobal()
                || join.isAny()
                || join.isAll()
                || join.isAsOf()
                || join.isArray()
                || join.isFetch()
                || join.isWindowJoin()
                || join.getJoinHint() != null;
        Collection<net.sf.jsqlparser.expression.Expression> on = join.getOnExpressions();
        boolean conditions = join.isCross() || join.isNatural()
                ? on.isEmpty() && join.getUsingColumns().isEmpty()
                : on.size() + Math.min(1, join.getUsingColumns().size()) == 1;
        if (foreign || !conditions) {
            throw new UnreadableSqlException("It holds a join that is not analysed.");
        }
        return new From.Join(
                kind(join),
                left,
                item(join.getFromItem()),
                on.isEmpty() ? null : expressions.read(on.iterator().next()),
                join.getUsingColumns().stream().map(FromReader::using).toList(),
                join.isNatural(),
                null);
    }

    private static String using(Column column) {
        return SqlNames.name(column.getColumnName());
    }

    private static From.Kind kind(Join join) {
        if (join.isFull()) {
            return From.Kind.FULL;
        }
        if (join.isLeft()) {
            return From.Kind.LEFT;
        }
        if (join.isRight()) {
            return From.Kind.RIGHT;
        }
        if (join.isOuter()) {
            throw new UnreadableSqlException("It holds a join that is not analysed.");
        }
        return From.Kind.INNER;
    }
}
