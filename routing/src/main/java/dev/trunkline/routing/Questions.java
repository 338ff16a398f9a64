package dev.trunkline.routing;

import dev.trunkline.routing.key.Parameters;
import dev.trunkline.routing.key.PgType;
import dev.trunkline.routing.plan.Once;
import dev.trunkline.routing.sql.TokenKind;
import dev.trunkline.routing.sql.Tokens;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The expressions of one statement that are to be computed once, in the order in which PostgreSQL would do it. */
final class Questions {

    /** A query yields no more columns than this (MaxTupleAttributeNumber). */
    private static final int MAX_COLUMNS = 1_600;

    /** An expression: of the client's text, or of a default; or whether one of the client's is NULL. */
    private record Expression(int first, int end, @Nullable String text, boolean only) {

        static Expression of(String text) {
            return new Expression(0, 0, text, false);
        }
    }

    private final Tokens tokens;
    private final @Nullable Parameters parameters;
    private final Once once;
    private final List<Expression> expressions = new ArrayList<>();
    private final Map<String, Integer> shared = new HashMap<>();

    Questions(Tokens tokens, @Nullable Parameters parameters, Once once) {
        this.tokens = tokens;
        this.parameters = parameters;
        this.once = once;
    }

    /** The number of the value of an expression that PostgreSQL would compute here, from 0. */
    int ask(String expression) {
        expressions.add(Expression.of(expression));
        return expressions.size() - 1;
    }

    /** The same for one that yields the same wherever it stands in the statement. */
    int askOnce(String expression) {
        return shared.computeIfAbsent(expression, this::ask);
    }

    /** The number of the value of an expression of the client's. */
    int ask(int first, int end) {
        checkParameters(first, end);
        expressions.add(new Expression(first, end, null, false));
        return expressions.size() - 1;
    }

    /** An expression of the client's, which stays where it is, must yield one value and not a set of them. */
    void askWhetherOne(int first, int end) {
        checkParameters(first, end);
        expressions.add(new Expression(first, end, null, true));
    }

    /** The same for one that yields the same wherever it stands in the statement. */
    int askOnce(int first, int end) {
        String text = new String(
                tokens.text(), tokens.start(first), tokens.end(end - 1) - tokens.start(first), StandardCharsets.UTF_8);
        return shared.computeIfAbsent(text, unknown -> ask(first, end));
    }

    /** A parameter that Parse gave no type gets it from where it stands first: no such place may be taken away. */
    private void checkParameters(int first, int end) {
        for (int i = first; i < end; i++) {
            boolean open = tokens.is(i, TokenKind.PARAMETER)
                    && (parameters == null || parameters.typeOid(tokens.parameter(i)) == PgType.UNSPECIFIED);
            if (open && uses(tokens.parameter(i)) > 1) {
                throw once.refusal();
            }
        }
    }

    private int uses(int parameter) {
        int uses = 0;
        for (int i = 0; i < tokens.count(); i++) {
            if (tokens.is(i, TokenKind.PARAMETER) && tokens.parameter(i) == parameter) {
                uses++;
            }
        }
        return uses;
    }

    /** The queries that compute the values, in order. */
    List<Route.Question> queries() {
        List<Route.Question> queries = new ArrayList<>();
        for (int first = 0; first < expressions.size(); first += MAX_COLUMNS) {
            int end = Math.min(expressions.size(), first + MAX_COLUMNS);
            queries.add(query(expressions.subList(first, end)));
        }
        return queries;
    }

    private Route.Question query(List<Expression> some) {
        PartText text = new PartText(tokens, parameters != null);
        String separator = "SELECT ";
        for (Expression expression : some) {
            text.add(separator);
            separator = ", ";
            if (expression.text != null) {
                text.add(expression.text);
                continue;
            }
            text.add(expression.only ? "(" : "");
            text.copy(tokens.start(expression.first), tokens.end(expression.end - 1), expression.first);
            text.add(expression.only ? ") IS NULL" : "");
        }
        return new Route.Question(text.part(0), some.size());
    }
}
