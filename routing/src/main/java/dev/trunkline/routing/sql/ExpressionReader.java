package dev.trunkline.routing.sql;

import dev.trunkline.routing.tree.Expression;
import dev.trunkline.routing.tree.Expression.Comparison.Operator;
import dev.trunkline.routing.tree.Window;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import net.sf.jsqlparser.expression.AllValue;
import net.sf.jsqlparser.expression.AnalyticExpression;
import net.sf.jsqlparser.expression.AnyComparisonExpression;
import net.sf.jsqlparser.expression.AnyType;
import net.sf.jsqlparser.expression.ArrayConstructor;
import net.sf.jsqlparser.expression.ArrayExpression;
import net.sf.jsqlparser.expression.BinaryExpression;
import net.sf.jsqlparser.expression.BooleanValue;
import net.sf.jsqlparser.expression.CaseExpression;
import net.sf.jsqlparser.expression.CastExpression;
import net.sf.jsqlparser.expression.CollateExpression;
import net.sf.jsqlparser.expression.DoubleValue;
import net.sf.jsqlparser.expression.ExtractExpression;
import net.sf.jsqlparser.expression.Function;
import net.sf.jsqlparser.expression.IntervalExpression;
import net.sf.jsqlparser.expression.JdbcParameter;
import net.sf.jsqlparser.expression.LongValue;
import net.sf.jsqlparser.expression.NotExpression;
import net.sf.jsqlparser.expression.NullValue;
import net.sf.jsqlparser.expression.Parenthesis;
import net.sf.jsqlparser.expression.PostgresNamedFunctionParameter;
import net.sf.jsqlparser.expression.RowConstructor;
import net.sf.jsqlparser.expression.RowGetExpression;
import net.sf.jsqlparser.expression.SignedExpression;
import net.sf.jsqlparser.expression.StringValue;
import net.sf.jsqlparser.expression.TimezoneExpression;
import net.sf.jsqlparser.expression.TrimFunction;
import net.sf.jsqlparser.expression.WhenClause;
import net.sf.jsqlparser.expression.WindowDefinition;
import net.sf.jsqlparser.expression.WindowElement;
import net.sf.jsqlparser.expression.WindowOffset;
import net.sf.jsqlparser.expression.operators.arithmetic.Addition;
import net.sf.jsqlparser.expression.operators.arithmetic.BitwiseXor;
import net.sf.jsqlparser.expression.operators.arithmetic.Concat;
import net.sf.jsqlparser.expression.operators.arithmetic.Division;
import net.sf.jsqlparser.expression.operators.arithmetic.Modulo;
import net.sf.jsqlparser.expression.operators.arithmetic.Multiplication;
import net.sf.jsqlparser.expression.operators.arithmetic.Subtraction;
import net.sf.jsqlparser.expression.operators.conditional.AndExpression;
import net.sf.jsqlparser.expression.operators.conditional.OrExpression;
import net.sf.jsqlparser.expression.operators.relational.Between;
import net.sf.jsqlparser.expression.operators.relational.EqualsTo;
import net.sf.jsqlparser.expression.operators.relational.ExistsExpression;
import net.sf.jsqlparser.expression.operators.relational.ExpressionList;
import net.sf.jsqlparser.expression.operators.relational.GreaterThan;
import net.sf.jsqlparser.expression.operators.relational.GreaterThanEquals;
import net.sf.jsqlparser.expression.operators.relational.InExpression;
import net.sf.jsqlparser.expression.operators.relational.IsBooleanExpression;
import net.sf.jsqlparser.expression.operators.relational.IsDistinctExpression;
import net.sf.jsqlparser.expression.operators.relational.IsNullExpression;
import net.sf.jsqlparser.expression.operators.relational.IsUnknownExpression;
import net.sf.jsqlparser.expression.operators.relational.LikeExpression;
import net.sf.jsqlparser.expression.operators.relational.MinorThan;
import net.sf.jsqlparser.expression.operators.relational.MinorThanEquals;
import net.sf.jsqlparser.expression.operators.relational.NotEqualsTo;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.statement.select.AllColumns;
import net.sf.jsqlparser.statement.select.AllTableColumns;
import net.sf.jsqlparser.statement.select.OrderByElement;
import net.sf.jsqlparser.statement.select.ParenthesedSelect;
import net.sf.jsqlparser.statement.select.Select;
import org.jspecify.annotations.Nullable;

/**
 * Reads expressions. One line per class of JSqlParser's tree that is known; a class that is not listed makes the
 * statement unreadable, because nobody could say which of its parts hold tables.
 */
final class ExpressionReader {

    private static final Map<Class<?>, BiFunction<ExpressionReader, Object, Expression>> READERS = new HashMap<>();

    static {
        on(Column.class, ExpressionReader::column);
        on(StringValue.class, ExpressionReader::string);
        on(LongValue.class, ExpressionReader::number);
        on(DoubleValue.class, (reader, value) -> Expression.Fixed.OTHER);
        on(NullValue.class, (reader, value) -> Expression.Fixed.NULL);
        on(AllValue.class, (reader, value) -> Expression.Fixed.OTHER);
        on(BooleanValue.class, (reader, value) -> value.getValue() ? Expression.Fixed.TRUE : Expression.Fixed.FALSE);
        on(JdbcParameter.class, (reader, value) -> new Expression.Parameter(value.getIndex()));
        on(IntervalExpression.class, ExpressionReader::interval);
        on(SignedExpression.class, ExpressionReader::signed);
        on(Parenthesis.class, (reader, value) -> reader.read(value.getExpression()));
        on(ParenthesedExpressionList.class, ExpressionReader::parentheses);
        on(ExpressionList.class, (reader, list) -> new Expression.Row(reader.readAll(list)));
        on(RowConstructor.class, (reader, row) -> new Expression.Row(reader.readAll(row)));
        on(ArrayConstructor.class, ExpressionReader::array);
        on(CastExpression.class, ExpressionReader::cast);
        on(CollateExpression.class, (reader, value) -> reader.other(value.getLeftExpression()));
        comparison(EqualsTo.class, Operator.EQUAL);
        comparison(NotEqualsTo.class, Operator.NOT_EQUAL);
        comparison(MinorThan.class, Operator.LESS);
        comparison(MinorThanEquals.class, Operator.LESS_OR_EQUAL);
        comparison(GreaterThan.class, Operator.GREATER);
        comparison(GreaterThanEquals.class, Operator.GREATER_OR_EQUAL);
        on(AndExpression.class, ExpressionReader::and);
        on(OrExpression.class, ExpressionReader::or);
        on(NotExpression.class, (reader, value) -> reader.other(value.getExpression()));
        on(InExpression.class, ExpressionReader::in);
        on(IsDistinctExpression.class, ExpressionReader::distinct);
        on(IsBooleanExpression.class, ExpressionReader::isBoolean);
        on(IsNullExpression.class, (reader, value) -> reader.other(value.getLeftExpression()));
        on(IsUnknownExpression.class, (reader, value) -> reader.other(value.getLeftExpression()));
        on(ExistsExpression.class, ExpressionReader::exists);
        on(AnyComparisonExpression.class, (reader, value) -> reader.subquery(value.getSelect()));
        on(ParenthesedSelect.class, ExpressionReader::subquery);
        on(
                Between.class,
                (reader, value) -> reader.other(
                        value.getLeftExpression(), value.getBetweenExpressionStart(), value.getBetweenExpressionEnd()));
        on(
                LikeExpression.class,
                (reader, value) ->
                        reader.other(value.getLeftExpression(), value.getRightExpression(), value.getEscape()));
        for (Class<? extends BinaryExpression> arithmetic : List.of(
                Addition.class,
                Subtraction.class,
                Multiplication.class,
                Division.class,
                Modulo.class,
                BitwiseXor.class,
                Concat.class)) {
            on(arithmetic, (reader, value) -> reader.other(value.getLeftExpression(), value.getRightExpression()));
        }
        on(CaseExpression.class, ExpressionReader::caseExpression);
        on(WhenClause.class, (reader, value) -> reader.other(value.getWhenExpression(), value.getThenExpression()));
        on(Function.class, ExpressionReader::functionOrRow);
        on(AnalyticExpression.class, ExpressionReader::analytic);
        on(PostgresNamedFunctionParameter.class, (reader, value) -> reader.other(value.getExpression()));
        on(ExtractExpression.class, (reader, value) -> reader.call("extract", value.getExpression()));
        on(
                TrimFunction.class,
                (reader, value) -> reader.call("btrim", value.getExpression(), value.getFromExpression()));
        on(TimezoneExpression.class, ExpressionReader::timezone);
        on(
                ArrayExpression.class,
                (reader, value) -> reader.other(
                        value.getObjExpression(),
                        value.getIndexExpression(),
                        value.getStartIndexExpression(),
                        value.getStopIndexExpression()));
        on(RowGetExpression.class, (reader, value) -> reader.other(value.getExpression()));
        on(AllColumns.class, ExpressionReader::star);
        on(AllTableColumns.class, ExpressionReader::tableStar);
    }

    /** As many digits as a long surely holds. */
    private static final int SAFE_DIGITS = 18;

    private final QueryReader queries;

    ExpressionReader(QueryReader queries) {
        this.queries = queries;
    }

    private static <T> void on(Class<T> type, BiFunction<ExpressionReader, T, Expression> reader) {
        READERS.put(type, (self, value) -> reader.apply(self, type.cast(value)));
    }

    private static <T extends BinaryExpression> void comparison(Class<T> type, Operator operator) {
        on(type, (reader, value) -> reader.compared(operator, value.getLeftExpression(), value.getRightExpression()));
    }

    Expression read(Object expression) {
        BiFunction<ExpressionReader, Object, Expression> reader = READERS.get(expression.getClass());
        if (reader == null) {
            throw new UnreadableSqlException("It holds an expression that is not analysed ("
                    + expression.getClass().getSimpleName() + ").");
        }
        return reader.apply(this, expression);
    }

    @Nullable
    Expression readOrNull(@Nullable Object expression) {
        return expression == null ? null : read(expression);
    }

    List<Expression> readAll(@Nullable Collection<?> expressions) {
        return expressions == null
                ? List.of()
                : expressions.stream().map(this::read).toList();
    }

    List<Expression> readOrder(@Nullable List<OrderByElement> elements) {
        return elements == null
                ? List.of()
                : elements.stream()
                        .map(element -> read(element.getExpression()))
                        .toList();
    }

    private Expression other(@Nullable Object... parts) {
        List<Expression> children = new ArrayList<>();
        for (Object part : parts) {
            if (part != null) {
                children.add(read(part));
            }
        }
        return new Expression.Other(children);
    }

    private Expression call(String name, @Nullable Object... arguments) {
        return new Expression.Call(List.of(name), other(arguments).children(), null);
    }

    private Expression column(Column column) {
        if (column.getTable() == null && column.getColumnName().equalsIgnoreCase("DEFAULT")) {
            return Expression.Fixed.DEFAULT;
        }
        Expression.Column whole = new Expression.Column(SqlNames.path(column));
        if (column.getArrayConstructor() == null) {
            return whole;
        }
        List<Expression> parts = new ArrayList<>();
        parts.add(whole);
        parts.addAll(readAll(column.getArrayConstructor().getExpressions()));
        return new Expression.Other(parts);
    }

    private Expression string(StringValue value) {
        int slot = Markers.slotOf(value.getValue());
        return slot < 0 ? Expression.Fixed.OTHER : new Expression.Constant(slot, false);
    }

    private Expression number(LongValue value) {
        String digits = value.getStringValue();
        if (digits.length() > SAFE_DIGITS) {
            return Expression.Fixed.OTHER;
        }
        int slot = Markers.slotOf(value.getValue());
        return slot < 0 ? new Expression.Number(value.getValue()) : new Expression.Constant(slot, false);
    }

    private Expression interval(IntervalExpression interval) {
        return interval.getExpression() == null ? Expression.Fixed.OTHER : other(interval.getExpression());
    }

    private Expression signed(SignedExpression signed) {
        Expression operand = read(signed.getExpression());
        boolean minus = signed.getSign() == '-';
        if (operand instanceof Expression.Constant constant && (minus || signed.getSign() == '+')) {
            return minus ? new Expression.Constant(constant.slot(), !constant.negative()) : operand;
        }
        return new Expression.Other(List.of(operand));
    }

    /** Parentheses around one expression mean nothing; around several they make a row. */
    private Expression parentheses(ParenthesedExpressionList<?> list) {
        return list.size() == 1 ? read(list.get(0)) : new Expression.Row(readAll(list));
    }

    private Expression array(ArrayConstructor array) {
        return new Expression.Array(readAll(array.getExpressions()));
    }

    private Expression cast(CastExpression cast) {
        boolean known = cast.getColumnDefinitions().isEmpty() && cast.getFormat() == null;
        if (!known || cast.getColDataType() == null) {
            throw new UnreadableSqlException("It holds a cast that is not analysed.");
        }
        return new Expression.Cast(read(cast.getLeftExpression()), SqlNames.type(cast.getColDataType()));
    }

    private Expression compared(Operator operator, Object left, Object right) {
        if (right instanceof Function function && isQuantifier(function)) {
            return quantified(operator, read(left), function);
        }
        if (right instanceof AnyComparisonExpression any) {
            return quantified(operator, read(left), any);
        }
        return new Expression.Comparison(operator, read(left), read(right));
    }

    private static boolean isQuantifier(Function function) {
        return function.getMultipartName().size() == 1
                && List.of("ANY", "SOME", "ALL").contains(function.getName());
    }

    private Expression quantified(Operator operator, Expression left, Function quantifier) {
        List<Expression> arguments = readAll(quantifier.getParameters());
        boolean any = operator == Operator.EQUAL && !quantifier.getName().equals("ALL");
        if (any && arguments.size() == 1) {
            return new Expression.EqualsAny(left, arguments.get(0));
        }
        List<Expression> parts = new ArrayList<>(arguments);
        parts.add(left);
        return new Expression.Other(parts);
    }

    private Expression quantified(Operator operator, Expression left, AnyComparisonExpression quantifier) {
        boolean any = operator == Operator.EQUAL && quantifier.getAnyType() != AnyType.ALL;
        Select select = quantifier.getSelect();
        return any
                ? new Expression.InQuery(left, queries.query(select))
                : new Expression.Other(List.of(left, subquery(select)));
    }

    /** Both sides flattened, without recursion along the left spine: long chains of OR are common. */
    private Expression and(AndExpression and) {
        List<Expression> operands = new ArrayList<>();
        for (Object part : Spine.of(AndExpression.class, and)) {
            Expression operand = read(part);
            if (operand instanceof Expression.And inner) {
                operands.addAll(inner.operands());
            } else {
                operands.add(operand);
            }
        }
        return new Expression.And(operands);
    }

    private Expression or(OrExpression or) {
        return new Expression.Or(readAll(Spine.of(OrExpression.class, or)));
    }

    private Expression in(InExpression in) {
        Expression left = read(in.getLeftExpression());
        Expression positive = in.getRightExpression() instanceof Select select
                ? new Expression.InQuery(left, queries.query(select))
                : new Expression.In(left, items(in.getRightExpression()));
        return in.isNot() ? new Expression.Other(List.of(positive)) : positive;
    }

    private List<Expression> items(Object right) {
        if (right instanceof ParenthesedExpressionList<?> list) {
            return readAll(list);
        }
        throw new UnreadableSqlException("It holds an IN that is not analysed.");
    }

    private Expression distinct(IsDistinctExpression value) {
        return value.isNot()
                ? new Expression.NotDistinct(read(value.getLeftExpression()), read(value.getRightExpression()))
                : other(value.getLeftExpression(), value.getRightExpression());
    }

    private Expression isBoolean(IsBooleanExpression value) {
        Expression operand = read(value.getLeftExpression());
        return value.isTrue() && !value.isNot()
                ? new Expression.IsTrue(operand)
                : new Expression.Other(List.of(operand));
    }

    private Expression exists(ExistsExpression value) {
        if (!(value.getRightExpression() instanceof Select select)) {
            throw new UnreadableSqlException("It holds an EXISTS that is not analysed.");
        }
        Expression exists = new Expression.Exists(queries.query(select));
        return value.isNot() ? new Expression.Other(List.of(exists)) : exists;
    }

    private Expression subquery(Select select) {
        return new Expression.Subquery(queries.query(select));
    }

    private Expression caseExpression(CaseExpression value) {
        List<Expression> parts = new ArrayList<>(readAll(value.getWhenClauses()));
        for (Object part : new Object[] {value.getSwitchExpression(), value.getElseExpression()}) {
            if (part != null) {
                parts.add(read(part));
            }
        }
        return new Expression.Other(parts);
    }

    private Expression timezone(TimezoneExpression value) {
        List<Expression> parts = new ArrayList<>(readAll(value.getTimezoneExpressions()));
        parts.add(read(value.getLeftExpression()));
        return new Expression.Call(List.of("timezone"), parts, null);
    }

    private Expression functionOrRow(Function function) {
        Expression.Call call = function(function);
        // Unquoted it is the key word, not the name of a function.
        return function.getName().equals("ROW") ? new Expression.Row(call.arguments()) : call;
    }

    Expression.Call function(Function function) {
        boolean known = function.getAttribute() == null
                && function.getKeep() == null
                && function.getLimit() == null
                && function.getHavingClause() == null
                && function.getChainedParameters() == null
                && function.getOnOverflowTruncate() == null
                && (function.getKeywordArguments() == null
                        || function.getKeywordArguments().isEmpty());
        if (!known) {
            throw new UnreadableSqlException("It calls a function in a way that is not analysed.");
        }
        List<Expression> arguments = new ArrayList<>(readAll(function.getParameters()));
        arguments.addAll(readAll(function.getNamedParameters()));
        arguments.addAll(readOrder(function.getOrderByElements()));
        return new Expression.Call(SqlNames.functionPath(function.getMultipartName()), arguments, null);
    }

    private Expression analytic(AnalyticExpression value) {
        boolean known = value.getKeep() == null
                && value.getLimit() == null
                && value.getHavingClause() == null
                && value.getOnOverflowTruncate() == null;
        if (!known) {
            throw new UnreadableSqlException("It calls a window function in a way that is not analysed.");
        }
        List<Expression> arguments = new ArrayList<>();
        for (Object part : new Object[] {
            value.getExpression(), value.getOffset(), value.getDefaultValue(), value.getFilterExpression()
        }) {
            if (part != null) {
                arguments.add(read(part));
            }
        }
        arguments.addAll(readOrder(value.getFuncOrderBy()));
        List<String> path = SqlNames.functionPath(DottedName.parts(value.getName()));
        return switch (value.getType()) {
            case OVER, WITHIN_GROUP_OVER -> new Expression.Call(path, arguments, window(value));
            case WITHIN_GROUP, FILTER_ONLY -> {
                Window order = window(value);
                arguments.addAll(order.partitionBy());
                arguments.addAll(order.others());
                yield new Expression.Call(path, arguments, null);
            }
        };
    }

    private Window window(AnalyticExpression value) {
        Window definition = value.getWindowDefinition() == null
                ? new Window(null, List.of(), List.of())
                : window(value.getWindowDefinition());
        String name = SqlNames.nameOrNull(value.getWindowName());
        return new Window(name, definition.partitionBy(), definition.others());
    }

    Window window(WindowDefinition definition) {
        List<Expression> others = new ArrayList<>(readOrder(definition.getOrderByElements()));
        WindowElement frame = definition.getWindowElement();
        if (frame != null) {
            readOffset(frame.getOffset(), others);
            if (frame.getRange() != null) {
                readOffset(frame.getRange().getStart(), others);
                readOffset(frame.getRange().getEnd(), others);
            }
        }
        return new Window(
                SqlNames.nameOrNull(definition.getWindowName()),
                readAll(definition.getPartitionExpressionList()),
                others);
    }

    private void readOffset(@Nullable WindowOffset offset, List<Expression> into) {
        if (offset != null && offset.getExpression() != null) {
            into.add(read(offset.getExpression()));
        }
    }

    private Expression star(AllColumns all) {
        checkStar(all);
        return new Expression.Star(List.of());
    }

    private Expression tableStar(AllTableColumns all) {
        checkStar(all);
        return new Expression.Star(SqlNames.path(all.getTable()));
    }

    private static void checkStar(AllColumns all) {
        if (all.getExceptColumns() != null || all.getReplaceExpressions() != null) {
            throw new UnreadableSqlException("Its syntax is not analysed.");
        }
    }
}
