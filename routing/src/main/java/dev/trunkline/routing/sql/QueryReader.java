package dev.trunkline.routing.sql;

import dev.trunkline.routing.tree.Body;
import dev.trunkline.routing.tree.Expression;
import dev.trunkline.routing.tree.Query;
import dev.trunkline.routing.tree.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import net.sf.jsqlparser.expression.WindowDefinition;
import net.sf.jsqlparser.expression.operators.relational.ExpressionList;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;
import net.sf.jsqlparser.statement.Statement;
import net.sf.jsqlparser.statement.delete.Delete;
import net.sf.jsqlparser.statement.delete.ParenthesedDelete;
import net.sf.jsqlparser.statement.insert.Insert;
import net.sf.jsqlparser.statement.insert.ParenthesedInsert;
import net.sf.jsqlparser.statement.merge.Merge;
import net.sf.jsqlparser.statement.select.Distinct;
import net.sf.jsqlparser.statement.select.GroupByElement;
import net.sf.jsqlparser.statement.select.LateralSubSelect;
import net.sf.jsqlparser.statement.select.ParenthesedSelect;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.Select;
import net.sf.jsqlparser.statement.select.SelectItem;
import net.sf.jsqlparser.statement.select.SetOperationList;
import net.sf.jsqlparser.statement.select.UnionOp;
import net.sf.jsqlparser.statement.select.Values;
import net.sf.jsqlparser.statement.select.WithItem;
import net.sf.jsqlparser.statement.update.ParenthesedUpdate;
import net.sf.jsqlparser.statement.update.Update;
import org.jspecify.annotations.Nullable;

/** Reads statements, queries and their clauses. */
final class QueryReader {

    private final ExpressionReader expressions = new ExpressionReader(this);
    private final FromReader froms = new FromReader(this, expressions);
    private final WriteReader writes = new WriteReader(this, expressions, froms);
    private int selects;
    private int lists;

    /** How many SELECTs have been read. */
    int selects() {
        return selects;
    }

    /** How many VALUES lists of one row have been read. */
    int lists() {
        return lists;
    }

    /** A VALUES list of one row that is not a query has been read. */
    void passList() {
        lists++;
    }

    Query statement(Statement statement) {
        if (statement instanceof Select select) {
            return query(select);
        }
        if (statement instanceof Insert insert) {
            return write(insert.getWithItemsList(), () -> writes.insert(insert));
        }
        if (statement instanceof Update update) {
            return write(update.getWithItemsList(), () -> writes.update(update));
        }
        if (statement instanceof Delete delete) {
            return write(delete.getWithItemsList(), () -> writes.delete(delete));
        }
        if (statement instanceof Merge merge) {
            return write(merge.getWithItemsList(), () -> writes.merge(merge));
        }
        throw new UnreadableSqlException("It is not a statement that reads or writes rows.");
    }

    Query query(Select select) {
        checkClauses(select);
        // In the order of the text, by which VALUES lists are numbered.
        List<Query.Cte> with = with(select.getWithItemsList());
        Query inner = select instanceof ParenthesedSelect parenthesed
                ? query(parenthesed.getSelect())
                : Query.of(body(select));
        List<Expression> orderBy = expressions.readOrder(select.getOrderByElements());
        List<Expression> limits = limits(select);
        boolean locks = select.getForMode() != null;
        boolean recursive = isRecursive(select.getWithItemsList());
        return wrapped(inner, new Query(with, recursive, inner.body(), orderBy, limits, locks));
    }

    /** {@code (SELECT …) LIMIT 1}: one level, unless the inner query has clauses that the outer ones come after. */
    private static Query wrapped(Query inner, Query outer) {
        boolean mergeable = inner.with().isEmpty() || outer.with().isEmpty();
        if (!mergeable) {
            throw new UnreadableSqlException("Its nested WITH is not analysed.");
        }
        return new Query(
                inner.with().isEmpty() ? outer.with() : inner.with(),
                inner.recursive() || outer.recursive(),
                inner.body(),
                concat(inner.orderBy(), outer.orderBy()),
                concat(inner.limits(), outer.limits()),
                inner.locks() || outer.locks());
    }

    private static List<Expression> concat(List<Expression> one, List<Expression> other) {
        return Stream.concat(one.stream(), other.stream()).toList();
    }

    private Body body(Select select) {
        if (select instanceof PlainSelect plain) {
            return plain(plain);
        }
        if (select instanceof SetOperationList set) {
            boolean unionAll = set.getOperations().stream()
                    .allMatch(operation -> operation instanceof UnionOp union && union.isAll());
            return new Body.SetOperation(
                    set.getSelects().stream().map(this::query).toList(), unionAll);
        }
        if (select instanceof Values values) {
            return values(values);
        }
        throw new UnreadableSqlException("It holds a query that is not analysed.");
    }

    /** A list of several rows that look alike has one row in normalised text; a list that has more is no such one. */
    private Body values(Values values) {
        boolean single = values.getExpressions() instanceof ParenthesedExpressionList;
        int list = single ? lists++ : -1;
        return new Body.Values(rows(values.getExpressions()), list);
    }

    private Body plain(PlainSelect select) {
        selects++;
        checkPlain(select);
        Distinct distinct = select.getDistinct();
        List<Expression> distinctOn = distinct == null || distinct.getOnSelectItems() == null
                ? List.of()
                : distinct.getOnSelectItems().stream()
                        .map(item -> expressions.read(item.getExpression()))
                        .toList();
        GroupByElement groupBy = select.getGroupBy();
        return new Body.Select(
                distinct != null,
                distinctOn,
                items(select.getSelectItems()),
                froms.from(select.getFromItem(), select.getJoins()),
                expressions.readOrNull(select.getWhere()),
                groupBy == null ? List.of() : grouping(groupBy),
                groupBy != null && hasGroupingSets(groupBy),
                expressions.readOrNull(select.getHaving()),
                windows(select.getWindowDefinitions()));
    }

    private List<Expression> grouping(GroupByElement groupBy) {
        List<Expression> all = new ArrayList<>(expressions.readAll(groupBy.getGroupByExpressionList()));
        groupBy.getGroupingSets().forEach(set -> all.addAll(expressions.readAll(set)));
        return all;
    }

    /** {@code GROUP BY ()} is one group of all rows, as a grouping set is. */
    private static boolean hasGroupingSets(GroupByElement groupBy) {
        ExpressionList<?> list = groupBy.getGroupByExpressionList();
        return !groupBy.getGroupingSets().isEmpty()
                || groupBy.isMysqlWithRollup()
                || list == null
                || list.isEmpty()
                || list.stream().anyMatch(item -> item instanceof ParenthesedExpressionList<?> inner && inner.isEmpty())
                || list.stream().anyMatch(QueryReader::isGroupingFunction);
    }

    private static boolean isGroupingFunction(Object item) {
        return item instanceof net.sf.jsqlparser.expression.Function function
                && (function.getName().equals("ROLLUP") || function.getName().equals("CUBE"));
    }

    private List<Window> windows(@Nullable List<WindowDefinition> definitions) {
        return definitions == null
                ? List.of()
                : definitions.stream().map(expressions::window).toList();
    }

    List<Body.Item> items(@Nullable List<SelectItem<?>> items) {
        return items == null ? List.of() : items.stream().map(this::item).toList();
    }

    private Body.Item item(SelectItem<?> item) {
        return new Body.Item(expressions.read(item.getExpression()), SqlNames.alias(item.getAlias()));
    }

    /** The rows of VALUES: the parser leaves out the outer list when there is but one. */
    private List<List<Expression>> rows(ExpressionList<?> values) {
        if (values instanceof ParenthesedExpressionList<?> single) {
            return List.of(expressions.readAll(single));
        }
        return values.stream()
                .map(row -> {
                    if (row instanceof ParenthesedExpressionList<?> items) {
                        return expressions.readAll(items);
                    }
                    throw new UnreadableSqlException("It holds a VALUES list that is not analysed.");
                })
                .toList();
    }

    List<Query.Cte> with(@Nullable List<WithItem<?>> items) {
        return items == null ? List.of() : items.stream().map(this::cte).toList();
    }

    private Query.Cte cte(WithItem<?> item) {
        if (item.getWithFunctionDeclaration() != null
                || item.getSearchClause() != null
                || item.getCycleClause() != null) {
            throw new UnreadableSqlException("It holds a WITH that is not analysed.");
        }
        String name = Objects.requireNonNull(SqlNames.alias(item.getAlias()));
        return new Query.Cte(
                name, SqlNames.columnNames(item.getWithItemList()), cteQuery(item.getParenthesedStatement()));
    }

    private Query cteQuery(Object statement) {
        if (statement instanceof ParenthesedSelect select) {
            return query(select);
        }
        if (statement instanceof ParenthesedInsert insert) {
            return statement(insert.getInsert());
        }
        if (statement instanceof ParenthesedUpdate update) {
            return statement(update.getUpdate());
        }
        if (statement instanceof ParenthesedDelete delete) {
            return statement(delete.getDelete());
        }
        throw new UnreadableSqlException("It holds a WITH that is not analysed.");
    }

    private Query write(@Nullable List<WithItem<?>> items, Supplier<Body> body) {
        List<Query.Cte> with = with(items);
        return new Query(with, isRecursive(items), body.get(), List.of(), List.of(), false);
    }

    static boolean isRecursive(@Nullable List<WithItem<?>> items) {
        return items != null && items.stream().anyMatch(WithItem::isRecursive);
    }

    private List<Expression> limits(Select select) {
        List<Expression> limits = new ArrayList<>();
        if (select.getLimit() != null) {
            add(select.getLimit().getRowCount(), limits);
            add(select.getLimit().getOffset(), limits);
        }
        if (select.getOffset() != null) {
            add(select.getOffset().getOffset(), limits);
        }
        if (select.getFetch() != null) {
            limits.add(Expression.Fixed.OTHER);
            add(select.getFetch().getExpression(), limits);
        }
        return limits;
    }

    private void add(@Nullable Object expression, List<Expression> into) {
        if (expression != null) {
            into.add(expressions.read(expression));
        }
    }

    private static void checkClauses(Select select) {
        boolean foreign = select.getLimitBy() != null
                || (select.getLimit() != null && select.getLimit().getByExpressions() != null)
                || select.getIsolation() != null
                || select.getForClause() != null
                || select.getOption() != null
                || select.getMySqlProcedureAnalyse() != null
                || select.getPivot() != null
                || select.getUnPivot() != null
                || select.getInterpolate() != null
                || select.isOracleSiblings()
                || (select instanceof LateralSubSelect);
        if (foreign) {
            throw new UnreadableSqlException("It holds a clause that is not analysed.");
        }
    }

    private static void checkPlain(PlainSelect select) {
        boolean into = select.getIntoTempTable() != null
                || (select.getIntoTables() != null && !select.getIntoTables().isEmpty())
                || select.getMySqlSelectIntoClause() != null;
        if (into) {
            throw new UnreadableSqlException("SELECT INTO is not supported over several shards.");
        }
        boolean foreign = select.getTop() != null
                || select.getSkip() != null
                || select.getFirst() != null
                || select.getQualify() != null
                || select.getPreWhere() != null
                || select.getLateralViews() != null
                || select.getOracleHierarchical() != null
                || select.getSampleClause() != null
                || select.getKsqlWindow() != null
                || select.getForXmlPath() != null
                || select.getPreferringClause() != null
                || select.getBigQuerySelectQualifier() != null
                || select.isUsingFinal();
        if (foreign) {
            throw new UnreadableSqlException("It holds a clause that is not analysed.");
        }
    }
}
