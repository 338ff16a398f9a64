package dev.trunkline.routing.sql;

import java.util.Arrays;

/**
 * What the open parentheses belong to, and whether a type is being read: which words are names depends on it.
 */
final class Parentheses {

    private Keyword[] openers = new Keyword[16];
    private int depth;
    private int brackets;
    private boolean inType;

    Parentheses() {
        Arrays.fill(openers, Keyword.NONE_OF_THEM);
    }

    /** The key word before the innermost open parenthesis. */
    Keyword opener() {
        return openers[depth];
    }

    /** Whether AS introduces a type here and not a name. */
    boolean isCast() {
        return opener() == Keyword.CAST || opener() == Keyword.TREAT || opener() == Keyword.XMLSERIALIZE;
    }

    /** Whether PostgreSQL admits a colon here: in a slice and in JSON_OBJECT. */
    boolean admitColon() {
        return brackets > 0 || opener() == Keyword.JSON_OBJECT || opener() == Keyword.JSON_OBJECTAGG;
    }

    /** Whether the next word belongs to a type that has begun. */
    boolean inType() {
        return inType;
    }

    /** Takes note of the tokens [from, to). */
    void observe(Tokens tokens, int from, int to) {
        for (int i = from; i < to; i++) {
            switch (tokens.kind(i)) {
                case LEFT_PARENTHESIS -> open(i > 0 ? tokens.keyword(i - 1) : Keyword.NONE_OF_THEM);
                case RIGHT_PARENTHESIS -> depth = Math.max(0, depth - 1);
                case LEFT_BRACKET -> brackets++;
                case RIGHT_BRACKET -> brackets = Math.max(0, brackets - 1);
                default -> {}
            }
            inType = isType(tokens, i);
        }
    }

    /** The words of a type follow each other; its modifier may stand between: timestamp(3) with time zone. */
    private boolean isType(Tokens tokens, int i) {
        return switch (tokens.kind(i)) {
            case TYPECAST -> true;
            case WORD -> inType ? continuesType(tokens, i) : tokens.is(i, Keyword.AS) && isCast();
            case RIGHT_PARENTHESIS -> i >= 3 && isTimeModifier(tokens, i);
            default -> false;
        };
    }

    /** After the word at {@code i} of a type another word of it follows. */
    private static boolean continuesType(Tokens tokens, int i) {
        return switch (tokens.keyword(i + 1)) {
            case PRECISION, VARYING, CHARACTER, CHAR, WITH, WITHOUT, TIME, ZONE -> true;
            default -> false;
        };
    }

    private static boolean isTimeModifier(Tokens tokens, int i) {
        boolean modifier = tokens.is(i - 1, TokenKind.INTEGER) && tokens.is(i - 2, TokenKind.LEFT_PARENTHESIS);
        boolean time = tokens.is(i - 3, Keyword.TIME) || tokens.is(i - 3, Keyword.TIMESTAMP);
        boolean zone = tokens.is(i + 1, Keyword.WITH) || tokens.is(i + 1, Keyword.WITHOUT);
        return modifier && time && zone;
    }

    private void open(Keyword opener) {
        if (++depth == openers.length) {
            openers = Arrays.copyOf(openers, depth * 2);
        }
        openers[depth] = opener;
    }
}
