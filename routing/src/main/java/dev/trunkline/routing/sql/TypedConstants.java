package dev.trunkline.routing.sql;

/** {@code date '2024-01-01'}, {@code timestamp(3) with time zone '…'}, {@code pg_catalog.int8 '5'}. */
final class TypedConstants {

    private TypedConstants() {}

    /** The string constant to which the type that begins at {@code i} belongs; 0 if no typed constant begins there. */
    static int constantAfterType(Tokens tokens, int i, int end) {
        int after = afterType(tokens, i);
        return after > 0 && after < end && tokens.kind(after).isString() ? after : 0;
    }

    private static int afterType(Tokens tokens, int i) {
        return switch (tokens.keyword(i)) {
            case NONE_OF_THEM -> afterModifier(tokens, afterDots(tokens, i));
            case DOUBLE -> tokens.is(i + 1, Keyword.PRECISION) ? i + 2 : 0;
            case CHARACTER, CHAR, NATIONAL, NCHAR, BIT -> afterCharacter(tokens, i);
            case TIME, TIMESTAMP -> afterTime(tokens, i);
            case BIGINT,
                    BOOLEAN,
                    DEC,
                    DECIMAL,
                    FLOAT,
                    INT,
                    INTEGER,
                    INTERVAL,
                    JSON,
                    NAME,
                    NUMERIC,
                    REAL,
                    SMALLINT,
                    TEXT,
                    VARCHAR,
                    XML -> afterModifier(tokens, i + 1);
            default -> 0;
        };
    }

    private static int afterDots(Tokens tokens, int i) {
        int last = i;
        while (tokens.is(last + 1, TokenKind.DOT) && tokens.isName(last + 2)) {
            last += 2;
        }
        return last + 1;
    }

    private static int afterCharacter(Tokens tokens, int i) {
        int at = i + 1;
        if (tokens.is(at, Keyword.CHARACTER) || tokens.is(at, Keyword.CHAR)) {
            at++;
        }
        return afterModifier(tokens, tokens.is(at, Keyword.VARYING) ? at + 1 : at);
    }

    private static int afterTime(Tokens tokens, int i) {
        int at = afterModifier(tokens, i + 1);
        boolean zone = tokens.is(at, Keyword.WITH) || tokens.is(at, Keyword.WITHOUT);
        return zone && tokens.is(at + 1, Keyword.TIME) && tokens.is(at + 2, Keyword.ZONE) ? at + 3 : at;
    }

    private static int afterModifier(Tokens tokens, int at) {
        if (!tokens.is(at, TokenKind.LEFT_PARENTHESIS)) {
            return at;
        }
        int i = at + 1;
        while (tokens.is(i, TokenKind.INTEGER) || tokens.is(i, TokenKind.COMMA)) {
            i++;
        }
        return tokens.is(i, TokenKind.RIGHT_PARENTHESIS) ? i + 1 : at;
    }
}
