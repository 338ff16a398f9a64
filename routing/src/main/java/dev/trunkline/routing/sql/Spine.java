package dev.trunkline.routing.sql;

import java.util.ArrayDeque;
import java.util.Deque;
import net.sf.jsqlparser.expression.BinaryExpression;
import net.sf.jsqlparser.expression.Expression;

/** The operands of a chain such as {@code a OR b OR c}, which the parser nests to the left. */
final class Spine {

    private Spine() {}

    static Deque<Expression> of(Class<? extends BinaryExpression> operator, BinaryExpression last) {
        Deque<Expression> operands = new ArrayDeque<>();
        Expression at = last;
        while (at.getClass() == operator) {
            BinaryExpression binary = (BinaryExpression) at;
            operands.addFirst(binary.getRightExpression());
            at = binary.getLeftExpression();
        }
        operands.addFirst(at);
        return operands;
    }
}
