package dev.trunkline.routing.sql;

/**
 * Tells for a key word in a data statement whether it is a name there or part of the grammar, from the tokens around
 * it. PostgreSQL admits most key words as names: a column may well be called "value", "key" or "source".
 */
final class WordRoles {

    private final Tokens tokens;
    private final int first;

    WordRoles(Tokens tokens, int first) {
        this.tokens = tokens;
        this.first = first;
    }

    /**
     * Whether the key word at {@code i} is a name.
     *
     * @param inType it belongs to a type after a cast
     * @param afterOperand an operand ends before it
     * @param opener the word before the parenthesis that it stands in
     */
    boolean isName(int i, boolean inType, boolean afterOperand, Keyword opener) {
        Keyword keyword = tokens.keyword(i);
        return switch (keyword.category()) {
            case NOT_A_KEYWORD -> true;
            case RESERVED -> false;
            case TYPE_OR_FUNCTION_NAME -> opens(i) && (keyword == Keyword.LEFT || keyword == Keyword.RIGHT);
            case COLUMN_NAME -> !inType && !opens(i) && isColumn(keyword, i, afterOperand);
            case UNRESERVED -> !inType && isFree(keyword, i, afterOperand, opener);
        };
    }

    private boolean isColumn(Keyword keyword, int i, boolean afterOperand) {
        return switch (keyword) {
            case BETWEEN -> !afterOperand && !isBefore(i, Keyword.NOT);
            case VALUES -> !isBefore(i, Keyword.DEFAULT);
            case ROW ->
                !isBefore(i, Keyword.CURRENT)
                        && !isBefore(i, Keyword.FIRST)
                        && !isBefore(i, Keyword.NEXT)
                        && !isAfter(i, Keyword.ONLY);
            case GROUPING -> !isAfter(i, Keyword.SETS);
            case TIME -> !isAfter(i, Keyword.ZONE);
            case PRECISION -> !isBefore(i, Keyword.DOUBLE);
            case JSON -> !isBefore(i, Keyword.IS) && !isBefore(i, Keyword.NOT);
            case INTERVAL -> !tokens.kind(i + 1).isString();
            default -> true;
        };
    }

    private boolean isFree(Keyword keyword, int i, boolean afterOperand, Keyword opener) {
        return switch (keyword) {
            case ABSENT -> !isAfter(i, Keyword.ON);
            case AT -> !isAfter(i, Keyword.TIME) && !isAfter(i, Keyword.LOCAL);
            case BREADTH, DEPTH -> !isAfter(i, Keyword.FIRST);
            case BY -> false;
            case CONFLICT -> !isBefore(i, Keyword.ON);
            case CUBE, ROLLUP -> !opens(i);
            case CURRENT -> !isAfter(i, Keyword.OF) && !isAfter(i, Keyword.ROW);
            case CYCLE, SEARCH -> !isBefore(i, TokenKind.RIGHT_PARENTHESIS);
            case DELETE -> !isAfter(i, Keyword.FROM) && !isBefore(i, Keyword.THEN);
            case DOUBLE -> !isAfter(i, Keyword.PRECISION);
            case ESCAPE, FOLLOWING, PRECEDING -> !afterOperand && !isBefore(i, Keyword.UNBOUNDED);
            case EXCLUDE ->
                !isBefore(i, Keyword.ROW) && !isBefore(i, Keyword.FOLLOWING) && !isBefore(i, Keyword.PRECEDING);
            case FILTER -> !opens(i) || !afterOperand;
            case FIRST, LAST ->
                !isBefore(i, Keyword.NULLS)
                        && !isBefore(i, Keyword.FETCH)
                        && !isBefore(i, Keyword.DEPTH)
                        && !isBefore(i, Keyword.BREADTH);
            case GROUPS, RANGE -> !isAfter(i, Keyword.BETWEEN) && !isAfter(i, Keyword.UNBOUNDED);
            case ROWS -> !isRowsOfGrammar(i);
            case INSERT -> !isAfter(i, Keyword.INTO) && !isBefore(i, Keyword.THEN);
            case KEY -> !isAfter(i, Keyword.UPDATE) && !isAfter(i, Keyword.SHARE);
            case KEYS -> !isBefore(i, Keyword.UNIQUE);
            case LOCAL -> !isBefore(i, Keyword.AT);
            case LOCKED -> !isBefore(i, Keyword.SKIP);
            case MATCHED -> !isBefore(i, Keyword.WHEN) && !isBefore(i, Keyword.NOT);
            case MATERIALIZED -> !isBefore(i, Keyword.AS) && !isBefore(i, Keyword.NOT);
            case MERGE -> !isAfter(i, Keyword.INTO);
            case NEXT -> !isBefore(i, Keyword.FETCH);
            case NFC, NFD, NFKC, NFKD -> !isAfter(i, Keyword.NORMALIZED) && opener != Keyword.NORMALIZE;
            case NO -> !isAfter(i, Keyword.KEY) && !isAfter(i, Keyword.OTHERS);
            case CONTENT -> opener != Keyword.XMLPARSE && opener != Keyword.XMLSERIALIZE;
            case PASSING -> opener != Keyword.XMLEXISTS && opener != Keyword.XMLTABLE;
            case DOCUMENT ->
                opener != Keyword.XMLPARSE
                        && opener != Keyword.XMLSERIALIZE
                        && !isBefore(i, Keyword.IS)
                        && !isBefore(i, Keyword.NOT);
            case NORMALIZED, UNKNOWN -> !isBefore(i, Keyword.IS) && !isBefore(i, Keyword.NOT);
            case NOTHING -> !isBefore(i, Keyword.DO);
            case NOWAIT -> !afterOperand && !isBefore(i, Keyword.UPDATE) && !isBefore(i, Keyword.SHARE);
            case NULLS -> !isAfter(i, Keyword.FIRST) && !isAfter(i, Keyword.LAST);
            case OF -> !isBefore(i, Keyword.UPDATE) && !isBefore(i, Keyword.SHARE) && !isBefore(i, Keyword.CURRENT);
            case OPERATOR -> !opens(i);
            case ORDINALITY -> !isBefore(i, Keyword.WITH);
            case TIES -> !isBefore(i, Keyword.WITH) && !isBefore(i, Keyword.EXCLUDE);
            case OTHERS -> !isBefore(i, Keyword.NO);
            case OVER -> !isBefore(i, TokenKind.RIGHT_PARENTHESIS);
            case OVERRIDING -> !isAfter(i, Keyword.SYSTEM) && !isAfter(i, Keyword.USER);
            case PARTITION -> !isAfter(i, Keyword.BY);
            case RECURSIVE -> !isBefore(i, Keyword.WITH);
            case REPEATABLE -> !isBefore(i, TokenKind.RIGHT_PARENTHESIS);
            case SET -> !(afterOperand || isBefore(i, Keyword.UPDATE)) || !(tokens.isName(i + 1) || opens(i));
            case SETS -> !isBefore(i, Keyword.GROUPING);
            case SHARE -> !isBefore(i, Keyword.FOR) && !isBefore(i, Keyword.KEY);
            case SKIP -> !isAfter(i, Keyword.LOCKED);
            case SOURCE, TARGET -> !isBefore(i, Keyword.BY) || !isBefore(i - 1, Keyword.MATCHED);
            case SYSTEM -> !isBefore(i, Keyword.OVERRIDING);
            case TEMP, TEMPORARY, UNLOGGED -> !isBefore(i, Keyword.INTO);
            case UNBOUNDED -> !isAfter(i, Keyword.PRECEDING) && !isAfter(i, Keyword.FOLLOWING);
            case UPDATE -> !isUpdateOfGrammar(i);
            case VALUE ->
                !isBefore(i, Keyword.SYSTEM)
                        && !isBefore(i, Keyword.USER)
                        && opener != Keyword.JSON_OBJECT
                        && opener != Keyword.JSON_OBJECTAGG;
            case VARYING ->
                !isBefore(i, Keyword.CHARACTER)
                        && !isBefore(i, Keyword.CHAR)
                        && !isBefore(i, Keyword.NCHAR)
                        && !isBefore(i, Keyword.BIT);
            case WITHIN -> !isAfter(i, Keyword.GROUP);
            case WITHOUT -> !isAfter(i, Keyword.TIME) && !isAfter(i, Keyword.UNIQUE);
            case YEAR, MONTH, DAY, HOUR, MINUTE, SECOND -> !isField(i);
            case ZONE -> !isBefore(i, Keyword.TIME);
            default -> true;
        };
    }

    /** OFFSET 5 ROWS, FETCH FIRST ROWS ONLY, ROWS BETWEEN …, ROWS 5 PRECEDING, ROWS FROM (…). */
    private boolean isRowsOfGrammar(int i) {
        if (i == first) {
            return false;
        }
        TokenKind before = tokens.kind(i - 1);
        boolean counted = before.isConstant()
                || before == TokenKind.PARAMETER
                || before == TokenKind.RIGHT_PARENTHESIS
                || isBefore(i, Keyword.FIRST)
                || isBefore(i, Keyword.NEXT);
        boolean frame = isAfter(i, Keyword.BETWEEN)
                || isAfter(i, Keyword.UNBOUNDED)
                || isAfter(i, Keyword.CURRENT)
                || tokens.kind(i + 1).isNumber();
        return counted || frame || (isAfter(i, Keyword.FROM) && tokens.is(i + 2, TokenKind.LEFT_PARENTHESIS));
    }

    private boolean isUpdateOfGrammar(int i) {
        boolean follows = isBefore(i, Keyword.FOR)
                || isBefore(i, Keyword.KEY)
                || isBefore(i, Keyword.DO)
                || isBefore(i, Keyword.THEN);
        boolean begins =
                i == first || isBefore(i, TokenKind.LEFT_PARENTHESIS) || isBefore(i, TokenKind.RIGHT_PARENTHESIS);
        return follows || (begins && (tokens.isName(i + 1)));
    }

    /** EXTRACT(year FROM …), INTERVAL '1' year, INTERVAL year TO month. */
    private boolean isField(int i) {
        if (i == first) {
            return false;
        }
        return tokens.kind(i - 1).isString()
                || isBefore(i, Keyword.TO)
                || isBefore(i, Keyword.INTERVAL)
                || (isBefore(i, TokenKind.LEFT_PARENTHESIS) && isAfter(i, Keyword.FROM));
    }

    private boolean opens(int i) {
        return tokens.is(i + 1, TokenKind.LEFT_PARENTHESIS);
    }

    private boolean isBefore(int i, Keyword keyword) {
        return i > first && tokens.is(i - 1, keyword);
    }

    private boolean isBefore(int i, TokenKind kind) {
        return i > first && tokens.is(i - 1, kind);
    }

    private boolean isAfter(int i, Keyword keyword) {
        return tokens.is(i + 1, keyword);
    }
}
