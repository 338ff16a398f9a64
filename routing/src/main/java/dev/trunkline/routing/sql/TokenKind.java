package dev.trunkline.routing.sql;

/** What a token is. */
public enum TokenKind {
    /** After the last token. */
    END,
    /** An unquoted identifier or key word. */
    WORD,
    /** {@code "name"}. */
    QUOTED,
    /** {@code U&"name"}, with its UESCAPE clause. */
    UNICODE_QUOTED,
    /** {@code 'text'}, with its continuations on later lines. */
    STRING,
    /** {@code E'text'}, and {@code 'text'} while standard_conforming_strings is off; with its continuations. */
    ESCAPE_STRING,
    /** {@code U&'text'}, with its continuations and its UESCAPE clause. */
    UNICODE_STRING,
    /** {@code N'text'}: a constant of type bpchar. */
    NATIONAL_STRING,
    /** {@code $$text$$} or {@code $tag$text$tag$}. */
    DOLLAR_STRING,
    /** {@code B'01'}. */
    BIT_STRING,
    /** {@code X'1F'}. */
    HEX_STRING,
    /** A number without point and exponent; also {@code 0x1F}, {@code 0o7}, {@code 0b1} and {@code 1_000}. */
    INTEGER,
    /** A number with a point or an exponent. */
    NUMERIC,
    /** {@code $1}. */
    PARAMETER,
    /** An operator of any length, {@code *} and {@code =} among them. */
    OPERATOR,
    LEFT_PARENTHESIS,
    RIGHT_PARENTHESIS,
    LEFT_BRACKET,
    RIGHT_BRACKET,
    COMMA,
    SEMICOLON,
    DOT,
    COLON,
    /** {@code ..} */
    DOT_DOT,
    /** {@code ::} */
    TYPECAST,
    /** {@code :=} */
    COLON_EQUALS,
    /** {@code =>} */
    EQUALS_GREATER,
    /** What PostgreSQL's lexer refuses: a stray character, {@code 1abc}, an unterminated constant. */
    JUNK;

    private static final TokenKind[] VALUES = values();

    static TokenKind at(int ordinal) {
        return VALUES[ordinal];
    }

    /** Whether this is a string constant of an unknown type, which takes its type from where it stands. */
    public boolean isString() {
        return this == STRING || this == ESCAPE_STRING || this == UNICODE_STRING || this == DOLLAR_STRING;
    }

    /** Whether this is a numeric constant. */
    public boolean isNumber() {
        return this == INTEGER || this == NUMERIC;
    }

    /** Whether this is a constant of any type. */
    public boolean isConstant() {
        return isString() || isNumber() || this == NATIONAL_STRING || this == BIT_STRING || this == HEX_STRING;
    }

    /** Whether this is a quoted identifier. */
    public boolean isQuotedName() {
        return this == QUOTED || this == UNICODE_QUOTED;
    }
}
