package dev.trunkline.routing.sql;

import dev.trunkline.routing.tree.Body;
import dev.trunkline.routing.tree.Expression;
import dev.trunkline.routing.tree.From;
import dev.trunkline.routing.tree.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import net.sf.jsqlparser.expression.operators.relational.ExpressionList;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.statement.delete.Delete;
import net.sf.jsqlparser.statement.insert.ConflictActionType;
import net.sf.jsqlparser.statement.insert.Insert;
import net.sf.jsqlparser.statement.insert.InsertConflictAction;
import net.sf.jsqlparser.statement.insert.InsertConflictTarget;
import net.sf.jsqlparser.statement.merge.Merge;
import net.sf.jsqlparser.statement.merge.MergeDelete;
import net.sf.jsqlparser.statement.merge.MergeInsert;
import net.sf.jsqlparser.statement.merge.MergeOperation;
import net.sf.jsqlparser.statement.merge.MergeUpdate;
import net.sf.jsqlparser.statement.update.Update;
import net.sf.jsqlparser.statement.update.UpdateSet;
import org.jspecify.annotations.Nullable;

/** Reads statements that write. */
final class WriteReader {

    private final QueryReader queries;
    private final ExpressionReader expressions;
    private final FromReader froms;

    WriteReader(QueryReader queries, ExpressionReader expressions, FromReader froms) {
        this.queries = queries;
        this.expressions = expressions;
        this.froms = froms;
    }

    Body insert(Insert insert) {
        boolean foreign = insert.getSetUpdateSets() != null
                || insert.getDuplicateAction() != null
                || insert.getDuplicateUpdateSets() != null
                || insert.getPartitions() != null
                || insert.getOutputClause() != null
                || insert.getRowAlias() != null
                || insert.getModifierPriority() != null
                || insert.isModifierIgnore()
                || insert.isOverwrite()
                || insert.isTableKeyword()
                || insert.isOracleMultiInsert();
        if (foreign) {
            throw new UnreadableSqlException("It holds an INSERT that is not analysed.");
        }
        return new Body.Insert(
                froms.table(insert.getTable()),
                columns(insert.getColumns()),
                source(insert),
                conflict(insert.getConflictTarget(), insert.getConflictAction()),
                queries.items(insert.getReturningClause()));
    }

    private @Nullable Query source(Insert insert) {
        if (insert.isOnlyDefaultValues()) {
            return null;
        }
        if (insert.getSelect() == null) {
            throw new UnreadableSqlException("It holds an INSERT that is not analysed.");
        }
        return queries.query(insert.getSelect());
    }

    private Body.@Nullable Conflict conflict(
            @Nullable InsertConflictTarget target, @Nullable InsertConflictAction action) {
        if (action == null) {
            return null;
        }
        List<Expression> parts = new ArrayList<>();
        if (target != null) {
            addIfPresent(target.getIndexExpression(), parts);
            addIfPresent(target.getWhereExpression(), parts);
        }
        addIfPresent(action.getWhereExpression(), parts);
        boolean update = action.getConflictActionType() == ConflictActionType.DO_UPDATE;
        return new Body.Conflict(update, assignments(action.getUpdateSets()), parts);
    }

    Body update(Update update) {
        boolean foreign = update.getOutputClause() != null
                || update.getForPortionClause() != null
                || update.getPreferringClause() != null
                || update.getStartJoins() != null
                || update.getOrderByElements() != null
                || update.getLimit() != null
                || update.getOption() != null
                || update.getModifierPriority() != null
                || update.isModifierIgnore()
                || update.isFromBeforeSet()
                || update.isTargetTableAlias();
        if (foreign) {
            throw new UnreadableSqlException("It holds an UPDATE that is not analysed.");
        }
        return new Body.Update(
                froms.table(update.getTable()),
                assignments(update.getUpdateSets()),
                froms.from(update.getFromItem(), update.getJoins()),
                expressions.readOrNull(update.getWhere()),
                queries.items(update.getReturningClause()));
    }

    Body delete(Delete delete) {
        boolean foreign = delete.getOutputClause() != null
                || delete.getForPortionClause() != null
                || delete.getPreferringClause() != null
                || delete.getOrderByElements() != null
                || delete.getLimit() != null
                || delete.getOption() != null
                || delete.getModifierPriority() != null
                || delete.isModifierIgnore()
                || delete.isModifierQuick()
                || (delete.getTables() != null && !delete.getTables().isEmpty());
        if (foreign || delete.getTable() == null) {
            throw new UnreadableSqlException("It holds a DELETE that is not analysed.");
        }
        return new Body.Delete(
                froms.table(delete.getTable()),
                using(delete),
                expressions.readOrNull(delete.getWhere()),
                queries.items(delete.getReturningClause()));
    }

    private @Nullable From using(Delete delete) {
        List<From> items = delete.getUsingFromItemList() == null
                ? List.of()
                : delete.getUsingFromItemList().stream().map(froms::item).toList();
        boolean joins = delete.getJoins() != null && !delete.getJoins().isEmpty();
        if (joins) {
            // Whether a join belongs to the last item of USING the tree does not say for sure.
            throw new UnreadableSqlException("It holds a join in DELETE USING.");
        }
        return items.stream().reduce(FromReader::cross).orElse(null);
    }

    Body merge(Merge merge) {
        boolean foreign = merge.getOutputClause() != null || merge.getOption() != null;
        if (foreign || merge.getFromItem() == null || merge.getOnCondition() == null) {
            throw new UnreadableSqlException("It holds a MERGE that is not analysed.");
        }
        From.Table table = froms.table(merge.getTable());
        From source = froms.item(merge.getFromItem());
        Expression on = expressions.read(merge.getOnCondition());
        List<Expression> conditions = new ArrayList<>();
        List<Body.Assignment> assignments = new ArrayList<>();
        List<Body.Inserted> inserted = new ArrayList<>();
        for (MergeOperation operation : merge.getOperations()) {
            if (operation instanceof MergeUpdate update) {
                addIfPresent(update.getAndPredicate(), conditions);
                addIfPresent(update.getWhereCondition(), conditions);
                addIfPresent(update.getDeleteWhereCondition(), conditions);
                assignments.addAll(assignments(update.getUpdateSets()));
            } else if (operation instanceof MergeInsert insert) {
                addIfPresent(insert.getAndPredicate(), conditions);
                addIfPresent(insert.getWhereCondition(), conditions);
                queries.passList();
                inserted.add(new Body.Inserted(columns(insert.getColumns()), expressions.readAll(insert.getValues())));
            } else if (operation instanceof MergeDelete delete) {
                addIfPresent(delete.getAndPredicate(), conditions);
            } else {
                throw new UnreadableSqlException("It holds a MERGE that is not analysed.");
            }
        }
        List<Body.Item> returning = queries.items(merge.getReturningClause());
        return new Body.Merge(table, source, on, conditions, assignments, inserted, returning);
    }

    private List<Body.Assignment> assignments(@Nullable List<UpdateSet> sets) {
        return sets == null ? List.of() : sets.stream().map(this::assignment).toList();
    }

    private Body.Assignment assignment(UpdateSet set) {
        ExpressionList<Column> columns = set.getColumns();
        boolean subscripted = columns.stream().anyMatch(column -> column.getArrayConstructor() != null);
        List<String> names = columns.stream().map(WriteReader::target).toList();
        List<Expression> values = expressions.readAll(set.getValues());
        boolean row = columns instanceof ParenthesedExpressionList;
        if (row && values.size() == names.size() && names.size() > 1) {
            return new Body.Assignment(names, new Expression.Row(values), subscripted);
        }
        if (values.size() != 1) {
            throw new UnreadableSqlException("It holds a SET that is not analysed.");
        }
        return new Body.Assignment(names, values.get(0), subscripted);
    }

    /** {@code SET column.field = …} sets a part of the column that comes first. */
    private static String target(Column column) {
        if (column.getTable() != null) {
            throw new UnreadableSqlException("It sets a field of a column.");
        }
        return SqlNames.name(column.getColumnName());
    }

    private static List<String> columns(@Nullable ExpressionList<Column> columns) {
        if (columns == null) {
            return List.of();
        }
        return columns.stream()
                .map(column -> {
                    if (column.getArrayConstructor() != null) {
                        throw new UnreadableSqlException("It inserts into a part of a column.");
                    }
                    return target(Objects.requireNonNull(column));
                })
                .toList();
    }

    private void addIfPresent(@Nullable Object expression, List<Expression> into) {
        if (expression != null) {
            into.add(expressions.read(expression));
        }
    }
}
