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

    /** Unreserved words that mean something to the grammar of data statements. */
    private static final Set<Keyword> SYNTAX = EnumSet.of(
            Keyword.ABSENT,
            Keyword.AT,
            Keyword.BREADTH,
            Keyword.BY,
            Keyword.COLUMNS,
            Keyword.CONDITIONAL,
            Keyword.CONFLICT,
            Keyword.CONTENT,
            Keyword.CUBE,
            Keyword.CURRENT,
            Keyword.CYCLE,
            Keyword.DAY,
            Keyword.DELETE,
            Keyword.DEPTH,
            Keyword.DOCUMENT,
            Keyword.DOUBLE,
            Keyword.EMPTY,
            Keyword.ERROR,
            Keyword.ESCAPE,
            Keyword.EXCLUDE,
            Keyword.FILTER,
            Keyword.FIRST,
            Keyword.FOLLOWING,
            Keyword.GROUPS,
            Keyword.HOUR,
            Keyword.INSERT,
            Keyword.JSON,
            Keyword.KEEP,
            Keyword.KEY,
            Keyword.KEYS,
            Keyword.LAST,
            Keyword.LOCAL,
            Keyword.LOCKED,
            Keyword.MATCHED,
            Keyword.MATERIALIZED,
            Keyword.MERGE,
            Keyword.MINUTE,
            Keyword.MONTH,
            Keyword.NESTED,
            Keyword.NEXT,
            Keyword.NFC,
            Keyword.NFD,
            Keyword.NFKC,
            Keyword.NFKD,
            Keyword.NO,
            Keyword.NORMALIZED,
            Keyword.NOTHING,
            Keyword.NOWAIT,
            Keyword.NULLS,
            Keyword.OF,
            Keyword.OMIT,
            Keyword.OPERATOR,
            Keyword.ORDINALITY,
            Keyword.OTHERS,
            Keyword.OVER,
            Keyword.OVERRIDING,
            Keyword.PARTITION,
            Keyword.PASSING,
            Keyword.PATH,
            Keyword.PRECEDING,
            Keyword.QUOTES,
            Keyword.RANGE,
            Keyword.RECURSIVE,
            Keyword.REPEATABLE,
            Keyword.ROLLUP,
            Keyword.ROWS,
            Keyword.SCALAR,
            Keyword.SEARCH,
            Keyword.SECOND,
            Keyword.SET,
            Keyword.SETS,
            Keyword.SHARE,
            Keyword.SKIP,
            Keyword.SOURCE,
            Keyword.TARGET,
            Keyword.TEMP,
            Keyword.TEMPORARY,
            Keyword.TIES,
            Keyword.UNBOUNDED,
            Keyword.UNCONDITIONAL,
            Keyword.UNKNOWN,
            Keyword.UNLOGGED,
            Keyword.UPDATE,
            Keyword.VALUE,
            Keyword.VARYING,
            Keyword.WITHIN,
            Keyword.WITHOUT,
            Keyword.YEAR,
            Keyword.ZONE);

    private Vocabulary() {}

    /** Whether the grammar of data statements has no use for this unreserved word. */
    static boolean isFreeWord(Keyword keyword) {
        return !SYNTAX.contains(keyword);
    }

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

    /** Whether the key word at {@code i} can only be a name: the grammar of data statements does not use it there. */
    static boolean isName(Tokens tokens, int first, int i, int end) {
        Keyword keyword = tokens.keyword(i);
        if (keyword.category() != Keyword.Category.UNRESERVED) {
            return false;
        }
        return switch (keyword) {
            case KEY -> !tokens.is(i + 1, Keyword.UPDATE) && !tokens.is(i + 1, Keyword.SHARE);
            case VALUE -> i == first || !(tokens.is(i - 1, Keyword.SYSTEM) || tokens.is(i - 1, Keyword.USER));
            case YEAR, MONTH, DAY, HOUR, MINUTE, SECOND -> i > first && !isField(tokens, i);
            default -> !SYNTAX.contains(keyword);
        };
    }

    /** EXTRACT(year …), INTERVAL '1' year, year TO month. */
    private static boolean isField(Tokens tokens, int i) {
        return tokens.kind(i - 1).isString()
                || tokens.is(i - 1, Keyword.TO)
                || tokens.is(i - 1, Keyword.INTERVAL)
                || (tokens.is(i - 1, TokenKind.LEFT_PARENTHESIS) && tokens.is(i + 1, Keyword.FROM));
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
