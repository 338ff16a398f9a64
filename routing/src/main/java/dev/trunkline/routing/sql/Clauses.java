package dev.trunkline.routing.sql;

import java.util.Arrays;

/**
 * Follows the clauses of a statement to tell which constants change what the statement does, beyond a value: output
 * column numbers in ORDER BY, GROUP BY and DISTINCT ON, row counts of LIMIT, OFFSET and FETCH, type modifiers,
 * interval texts, frame bounds. Those stay in the shape as they are written. When in doubt a constant stays.
 */
final class Clauses {

    private static final byte NOTHING = 0;
    /** A bare integer in the clause may number an output column. */
    private static final byte POSITIONS = 1;
    /** Every number belongs to the shape. */
    private static final byte VERBATIM = 2;

    private static final byte ENDS_CLAUSE = 3;
    private static final byte BEGINS_POSITIONS = 4;
    private static final byte BEGINS_COUNT = 5;
    private static final byte BEGINS_TYPE = 6;
    private static final byte ENDS_TYPE = 7;
    private static final byte[] EFFECT = new byte[Keyword.values().length];

    static {
        for (Keyword keyword : Keyword.values()) {
            if (keyword.category() == Keyword.Category.RESERVED) {
                effect(ENDS_TYPE, keyword);
            }
        }
        effect(
                ENDS_CLAUSE,
                Keyword.SELECT,
                Keyword.FROM,
                Keyword.WHERE,
                Keyword.HAVING,
                Keyword.WINDOW,
                Keyword.UNION,
                Keyword.INTERSECT,
                Keyword.EXCEPT,
                Keyword.FOR,
                Keyword.ROWS,
                Keyword.ROW,
                Keyword.RANGE,
                Keyword.GROUPS,
                Keyword.RETURNING,
                Keyword.SET);
        effect(BEGINS_POSITIONS, Keyword.BY);
        effect(
                BEGINS_TYPE,
                Keyword.AS,
                Keyword.BIT,
                Keyword.CHAR,
                Keyword.CHARACTER,
                Keyword.CURRENT_TIME,
                Keyword.CURRENT_TIMESTAMP,
                Keyword.DEC,
                Keyword.DECIMAL,
                Keyword.FLOAT,
                Keyword.INTERVAL,
                Keyword.LOCALTIME,
                Keyword.LOCALTIMESTAMP,
                Keyword.NCHAR,
                Keyword.NUMERIC,
                Keyword.TIME,
                Keyword.TIMESTAMP,
                Keyword.VARCHAR,
                Keyword.VARYING);
        effect(BEGINS_COUNT, Keyword.LIMIT, Keyword.OFFSET, Keyword.FETCH);
    }

    private byte[] clause = new byte[16];
    private int depth;
    private boolean distinctOn;
    private boolean typeFollows;

    private static void effect(byte effect, Keyword... keywords) {
        for (Keyword keyword : keywords) {
            EFFECT[keyword.ordinal()] = effect;
        }
    }

    void clear() {
        depth = 0;
        clause[0] = NOTHING;
        distinctOn = false;
        typeFollows = false;
    }

    int depth() {
        return depth;
    }

    void restoreDepth(int newDepth) {
        depth = newDepth;
    }

    /** Takes note of a token that ends a type, if one was being read. */
    void endType() {
        typeFollows = false;
    }

    /** Takes note of token {@code i}, neither word nor comma nor dot, of the statement that begins at {@code first}. */
    void observe(Tokens tokens, int first, int i) {
        switch (tokens.kind(i)) {
            case LEFT_PARENTHESIS -> open(tokens, first, i);
            case RIGHT_PARENTHESIS -> {
                depth = Math.max(0, depth - 1);
                typeFollows = false;
            }
            case TYPECAST -> typeFollows = true;
            case QUOTED -> {}
            default -> typeFollows = false;
        }
    }

    /** Takes note of the key word {@code i} of the statement that begins at {@code first}. */
    void keyword(Tokens tokens, int first, int i) {
        switch (EFFECT[tokens.keywordOrdinal(i)]) {
            case ENDS_CLAUSE -> {
                clause[depth] = NOTHING;
                typeFollows = false;
            }
            case BEGINS_POSITIONS -> clause[depth] = POSITIONS;
            case BEGINS_COUNT -> {
                clause[depth] = VERBATIM;
                typeFollows = false;
            }
            case BEGINS_TYPE -> typeFollows = true;
            case ENDS_TYPE -> {
                typeFollows = false;
                distinctOn |= tokens.is(i, Keyword.ON) && i > first && tokens.is(i - 1, Keyword.DISTINCT);
            }
            default -> {}
        }
    }

    private void open(Tokens tokens, int first, int i) {
        byte inner = NOTHING;
        byte outer = clause[depth];
        if (outer == VERBATIM || typeFollows || isModifierOfTypedConstant(tokens, i)) {
            inner = VERBATIM;
        } else if (distinctOn || (outer == POSITIONS && i > first && listsPositions(tokens, i - 1))) {
            inner = POSITIONS;
        }
        distinctOn = false;
        typeFollows = false;
        if (++depth == clause.length) {
            clause = Arrays.copyOf(clause, depth * 2);
        }
        clause[depth] = inner;
    }

    private static boolean listsPositions(Tokens tokens, int before) {
        return tokens.is(before, TokenKind.COMMA)
                || tokens.is(before, TokenKind.LEFT_PARENTHESIS)
                || tokens.is(before, Keyword.BY)
                || tokens.is(before, Keyword.ROLLUP)
                || tokens.is(before, Keyword.CUBE)
                || tokens.is(before, Keyword.SETS);
    }

    /** {@code numeric(10, 2) '5'}: no function call is followed by a string. */
    private static boolean isModifierOfTypedConstant(Tokens tokens, int open) {
        int i = open + 1;
        while (tokens.is(i, TokenKind.INTEGER) && tokens.is(i + 1, TokenKind.COMMA)) {
            i += 2;
        }
        return tokens.is(i, TokenKind.INTEGER)
                && tokens.is(i + 1, TokenKind.RIGHT_PARENTHESIS)
                && tokens.kind(i + 2).isString();
    }

    /** Whether the constant at {@code i}, not yet observed, belongs to the shape as it is written. */
    boolean keeps(Tokens tokens, int first, int i) {
        if (tokens.kind(i).isNumber()) {
            return Markers.cannotBeMistaken(tokens, i) && keepsNumber(tokens, first, i);
        }
        return i > first && tokens.kind(i).isString() && keepsString(tokens, first, i);
    }

    private boolean keepsNumber(Tokens tokens, int first, int i) {
        byte now = clause[depth];
        if (now == VERBATIM) {
            return true;
        }
        if (now == POSITIONS && i > first && listsPositions(tokens, i - 1)) {
            return true;
        }
        return tokens.is(i + 1, Keyword.PRECEDING) || tokens.is(i + 1, Keyword.FOLLOWING);
    }

    /** {@code INTERVAL '1 day'}, {@code INTERVAL(3) '1 day'}, {@code EXTRACT('year' FROM …)}. */
    private static boolean keepsString(Tokens tokens, int first, int i) {
        if (tokens.is(i - 1, Keyword.INTERVAL)) {
            return true;
        }
        if (tokens.is(i - 1, TokenKind.LEFT_PARENTHESIS)) {
            return i - 2 >= first && tokens.is(i - 2, Keyword.EXTRACT);
        }
        return tokens.is(i - 1, TokenKind.RIGHT_PARENTHESIS)
                && i - 4 >= first
                && tokens.is(i - 3, TokenKind.LEFT_PARENTHESIS)
                && tokens.is(i - 4, Keyword.INTERVAL);
    }
}
