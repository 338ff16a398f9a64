package dev.trunkline.routing.sql;

import java.util.EnumSet;
import java.util.Set;

/** What {@link Normalizer} knows of words and operators. */
final class Vocabulary {

    /** Operators that mean to JSqlParser what they mean to PostgreSQL, at the same precedence. */
    private static final Set<String> KEPT_OPERATORS =
            Set.of("=", "<>", "<", ">", "<=", ">=", "+", "-", "*", "/", "%", "^");

    /** What can follow a select list. */
    private static final Set<Keyword> AFTER_SELECT_LIST = EnumSet.of(
            Keyword.FROM,
            Keyword.INTO,
            Keyword.WHERE,
            Keyword.GROUP,
            Keyword.HAVING,
            Keyword.WINDOW,
            Keyword.ORDER,
            Keyword.LIMIT,
            Keyword.OFFSET,
            Keyword.FETCH,
            Keyword.FOR,
            Keyword.UNION,
            Keyword.INTERSECT,
            Keyword.EXCEPT);

    /** What can follow a table in FROM, UPDATE or DELETE and cannot begin an operand. */
    private static final Set<Keyword> AFTER_TABLE = EnumSet.of(
            Keyword.AS,
            Keyword.JOIN,
            Keyword.INNER,
            Keyword.LEFT,
            Keyword.RIGHT,
            Keyword.FULL,
            Keyword.CROSS,
            Keyword.NATURAL,
            Keyword.ON,
            Keyword.USING,
            Keyword.SET,
            Keyword.RETURNING,
            Keyword.TABLESAMPLE);

    /** Reserved words that are operands. */
    private static final Set<Keyword> OPERANDS = EnumSet.of(
            Keyword.END,
            Keyword.NULL,
            Keyword.TRUE,
            Keyword.FALSE,
            Keyword.DEFAULT,
            Keyword.CURRENT_CATALOG,
            Keyword.CURRENT_DATE,
            Keyword.CURRENT_ROLE,
            Keyword.CURRENT_TIME,
            Keyword.CURRENT_TIMESTAMP,
            Keyword.CURRENT_USER,
            Keyword.LOCALTIME,
            Keyword.LOCALTIMESTAMP,
            Keyword.SESSION_USER,
            Keyword.SYSTEM_USER,
            Keyword.USER);

    /** Words of category UNRESERVED or COLUMN_NAME after which an operand begins. */
    private static final Set<Keyword> BEFORE_OPERAND = EnumSet.of(
            Keyword.BETWEEN, Keyword.BY, Keyword.ESCAPE, Keyword.ZONE, Keyword.OVER, Keyword.VALUE, Keyword.SET);

    private Vocabulary() {}

    /** The operator as JSqlParser is to see it; empty if it must not be told. */
    static String operator(Tokens tokens, int i) {
        String operator = tokens.raw(i);
        if (operator.equals("!=")) {
            return "<>";
        }
        return KEPT_OPERATORS.contains(operator) ? operator : "";
    }

    static boolean followsSelectList(Tokens tokens, int i) {
        return tokens.is(i, TokenKind.RIGHT_PARENTHESIS) || AFTER_SELECT_LIST.contains(tokens.keyword(i));
    }

    static boolean followsTable(Tokens tokens, int i) {
        return tokens.is(i, TokenKind.COMMA) || followsSelectList(tokens, i) || AFTER_TABLE.contains(tokens.keyword(i));
    }

    /** Whether an operand may end with the word. */
    static boolean endsOperand(Keyword keyword) {
        return switch (keyword.category()) {
            case NOT_A_KEYWORD -> true;
            case UNRESERVED, COLUMN_NAME -> !BEFORE_OPERAND.contains(keyword);
            case TYPE_OR_FUNCTION_NAME -> keyword == Keyword.CURRENT_SCHEMA;
            case RESERVED -> OPERANDS.contains(keyword);
        };
    }

    /** A number without underscores and in base 10. */
    static String plainNumber(Tokens tokens, int i) {
        if (tokens.is(i, TokenKind.INTEGER)) {
            Literal literal = new Literal();
            if (literal.decodeNumber(tokens, i, false) == Literal.Number.INTEGRAL) {
                return Long.toString(literal.value());
            }
        }
        String number = tokens.raw(i).replace("_", "");
        return number.startsWith(".") ? "0" + number : number;
    }

    /** JSqlParser ends a quoted name at the first quote and at a newline. */
    static boolean canBeQuoted(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '"' || c < ' ') {
                return false;
            }
        }
        return true;
    }
}
