package dev.trunkline.routing.sql;

import org.jspecify.annotations.Nullable;

/**
 * Writes a statement anew for JSqlParser, from tokens: its lexer is not PostgreSQL's, so it never sees the client's
 * text. The text is for analysis alone and is never sent to a server.
 *
 * <ul>
 *   <li>One space between tokens, no newline, no comment.
 *   <li>Every name stands in double quotes, exactly as PostgreSQL keeps it; a key word without quotes that the parser
 *       takes for a name is that name in lower case.
 *   <li>Every slot of the shape is a marker, see {@link Markers}; a VALUES list of which the shape holds one row has one
 *       row.
 *   <li>{@code = <> < > <= >= + - * / % ^} keep their meaning. Every other binary operator is {@code ||}, every other
 *       prefix operator {@code ~}: neither says anything about its operands.
 *   <li>{@code type 'text'} is {@code 'text'::type}; {@code current_user} and its like are function calls; TABLE t is
 *       SELECT * FROM t; ONLY, VARIADIC and OVERRIDING are left out; an empty select list is NULL.
 * </ul>
 */
public final class Normalizer {

    private final Tokens tokens;
    private final Shape shape;
    private final int end;
    private final StringBuilder text = new StringBuilder(512);
    private final Parentheses parentheses = new Parentheses();
    private final WordRoles roles;
    private int slot;
    private int list;
    private boolean impossible;

    private Normalizer(Tokens tokens, Shape shape) {
        this.tokens = tokens;
        this.shape = shape;
        this.end = shape.endToken();
        this.roles = new WordRoles(tokens, shape.firstToken());
    }

    /**
     * The statement that {@code shape} was made of, as text for JSqlParser; null if it holds something that JSqlParser
     * cannot be shown, such as a name with a quote in it.
     *
     * @param tokens the tokens that the shape was made of, unchanged
     */
    public static @Nullable String normalize(Tokens tokens, Shape shape) {
        Normalizer normalizer = new Normalizer(tokens, shape);
        normalizer.run();
        return normalizer.impossible ? null : normalizer.text.toString();
    }

    private void run() {
        int i = shape.firstToken();
        while (i < end && !impossible) {
            int from = i;
            i = skipFurtherRows(emit(i));
            parentheses.observe(tokens, from, i);
        }
    }

    /** After the first row of a VALUES list that the shape holds once: the token after its last row. */
    private int skipFurtherRows(int i) {
        Rows rows = shape.rows();
        if (list < rows.count() && i == rows.lastToken(list, 0) + 1) {
            int after = rows.lastToken(list, rows.rows(list) - 1) + 1;
            list++;
            return after;
        }
        return i;
    }

    /** Writes the token, or the phrase that begins there; returns the next token. */
    private int emit(int i) {
        Slots slots = shape.slots();
        while (slot < slots.count() && slots.firstToken(slot) < i) {
            slot++;
        }
        if (slot < slots.count() && i == slots.firstToken(slot)) {
            return emitSlot(slots);
        }
        return switch (tokens.kind(i)) {
            case WORD, QUOTED, UNICODE_QUOTED -> emitWord(i);
            case OPERATOR -> emitOperator(i);
            case COLON_EQUALS -> put(i, "=>");
            case COLON -> parentheses.admitColon() ? put(i, ":") : refuse(i);
            case STRING, ESCAPE_STRING, UNICODE_STRING, DOLLAR_STRING -> put(i, "'kept'");
            case INTEGER, NUMERIC -> put(i, Vocabulary.plainNumber(tokens, i));
            case DOT_DOT, JUNK, SEMICOLON, END -> refuse(i);
            case PARAMETER -> tokens.parameter(i) > 0 ? put(i, "$" + tokens.parameter(i)) : refuse(i);
            default -> put(i, tokens.raw(i));
        };
    }

    private int emitSlot(Slots slots) {
        int number = slot++;
        space();
        Markers.append(slots.kind(number), number, text);
        if (slots.kind(number) == SlotKind.TYPED) {
            boolean national = tokens.is(slots.token(number, 0), TokenKind.NATIONAL_STRING);
            text.append(national ? "::bpchar" : "::bit");
        }
        return slots.endToken(number);
    }

    private int emitWord(int i) {
        int constant = isAfterDot(i) ? 0 : TypedConstants.constantAfterType(tokens, i, end);
        if (constant > 0) {
            return emitTypedConstant(i, constant);
        }
        if (isQualified(i)) {
            return name(i);
        }
        Keyword keyword = tokens.keyword(i);
        if (keyword == Keyword.NONE_OF_THEM || isName(i, keyword)) {
            return name(i);
        }
        return emitKeyword(i, keyword);
    }

    private int emitTypedConstant(int type, int constant) {
        if (tokens.is(type, Keyword.INTERVAL)) {
            return put(type, "INTERVAL 'kept'", constant + 1);
        }
        int next = emit(constant);
        text.append(" ::");
        int i = type;
        while (i < constant) {
            boolean isName = tokens.isName(i) && tokens.keyword(i) == Keyword.NONE_OF_THEM;
            i = isName ? name(i) : put(i, plain(i));
        }
        return next;
    }

    private String plain(int i) {
        return tokens.kind(i).isNumber() ? Vocabulary.plainNumber(tokens, i) : tokens.raw(i);
    }

    private int emitKeyword(int i, Keyword keyword) {
        return switch (keyword) {
            case ONLY -> isInheritanceOnly(i) ? i + 1 : put(i, "ONLY");
            case FROM, FOR, PLACING, SIMILAR, ESCAPE, IN -> emitSeparator(i, keyword);
            case TABLESAMPLE -> afterSample(i);
            case COLLATE -> followsCast(i) ? emitOpaqueCollation(i) : put(i, "COLLATE");
            case VARIADIC -> i + 1;
            case OVERRIDING -> i + 3;
            case TABLE -> put(i, "SELECT * FROM");
            case INTO -> afterPersistence(put(i, "INTO"));
            case SELECT -> emitSelect(i);
            case USING -> emitUsing(i);
            case ISNULL -> put(i, "IS NULL");
            case NOTNULL -> put(i, "IS NOT NULL");
            case OPERATOR -> emitQualifiedOperator(i);
            case CURRENT_CATALOG,
                    CURRENT_DATE,
                    CURRENT_ROLE,
                    CURRENT_SCHEMA,
                    CURRENT_TIME,
                    CURRENT_TIMESTAMP,
                    CURRENT_USER,
                    LOCALTIME,
                    LOCALTIMESTAMP,
                    SESSION_USER,
                    SYSTEM_USER,
                    USER -> emitValueFunction(i);
            default -> put(i, keyword.name());
        };
    }

    /** In substring(x FROM 1 FOR 2), overlay(…) and position(a IN b) the words divide arguments. */
    private int emitSeparator(int i, Keyword keyword) {
        boolean divides = switch (parentheses.opener()) {
            case SUBSTRING, OVERLAY -> keyword != Keyword.IN;
            case POSITION -> keyword == Keyword.IN;
            default -> false;
        };
        return put(i, divides ? "," : keyword.name());
    }

    /** TABLESAMPLE method (…) [REPEATABLE (…)] does not matter for analysis. */
    private int afterSample(int i) {
        TokenCursor cursor = new TokenCursor(tokens, i, end);
        cursor.skip();
        boolean named = cursor.takeObjectName() != null && cursor.takeParentheses();
        if (cursor.take(Keyword.REPEATABLE)) {
            cursor.skipParentheses();
        }
        return named ? cursor.at() : refuse(i);
    }

    private boolean followsCast(int i) {
        int at = i - 1;
        while (at > shape.firstToken() && isPartOfType(at)) {
            at--;
        }
        return at < i - 1 && tokens.is(at, TokenKind.TYPECAST);
    }

    private boolean isPartOfType(int i) {
        return switch (tokens.kind(i)) {
            case WORD, QUOTED, UNICODE_QUOTED, DOT, LEFT_BRACKET, RIGHT_BRACKET -> true;
            default -> false;
        };
    }

    /**
     * JSqlParser reads no COLLATE directly after a cast. An operator that says nothing takes its place: to drop it would
     * be wrong, for under some collations other values are equal too.
     */
    private int emitOpaqueCollation(int i) {
        TokenCursor cursor = new TokenCursor(tokens, i + 1, end);
        return cursor.takeObjectName() == null ? refuse(i) : put(i, "|| 'kept'", cursor.at());
    }

    /** INTO [TEMPORARY | UNLOGGED] [TABLE]: what kind of table it is, the classifier tells. */
    private int afterPersistence(int i) {
        TokenCursor cursor = new TokenCursor(tokens, i, end);
        cursor.skipIf(Keyword.LOCAL, Keyword.GLOBAL);
        if (cursor.is(Keyword.TEMP) || cursor.is(Keyword.TEMPORARY) || cursor.is(Keyword.UNLOGGED)) {
            boolean names = cursor.tokens().isName(cursor.at() + 1) && !cursor.isNext(Keyword.FROM);
            cursor.moveTo(cursor.at() + (names ? 1 : 0));
        }
        cursor.skipIf(Keyword.TABLE);
        return cursor.at();
    }

    private int emitValueFunction(int i) {
        int next = name(i);
        if (!tokens.is(next, TokenKind.LEFT_PARENTHESIS)) {
            text.append("()");
        }
        return next;
    }

    private int emitSelect(int i) {
        int next = put(i, "SELECT");
        if (tokens.is(next, Keyword.ALL)) {
            next = put(next, "ALL");
        }
        if (next >= end || Vocabulary.followsSelectList(tokens, next)) {
            return put(next, "NULL", next);
        }
        return next;
    }

    /** {@code ORDER BY x USING >}: the direction does not matter for analysis. */
    private int emitUsing(int i) {
        if (tokens.is(i + 1, TokenKind.OPERATOR)) {
            return i + 2;
        }
        return put(i, "USING");
    }

    /** {@code OPERATOR(pg_catalog.=)}. */
    private int emitQualifiedOperator(int i) {
        int at = i + 1;
        if (!tokens.is(at, TokenKind.LEFT_PARENTHESIS)) {
            return name(i);
        }
        boolean standard = !tokens.isName(at + 1) || tokens.name(at + 1).equals("pg_catalog");
        while (tokens.isName(at + 1) && tokens.is(at + 2, TokenKind.DOT)) {
            at += 2;
        }
        int operator = at + 1;
        if (!tokens.is(operator, TokenKind.OPERATOR) || !tokens.is(operator + 1, TokenKind.RIGHT_PARENTHESIS)) {
            return refuse(i);
        }
        String kept = standard && isOperand(i - 1) ? Vocabulary.operator(tokens, operator) : "";
        return put(i, kept.isEmpty() ? neutral(i) : kept, operator + 2);
    }

    private int emitOperator(int i) {
        if (tokens.isOperator(i, '*') && isInheritanceStar(i)) {
            return i + 1;
        }
        String kept = Vocabulary.operator(tokens, i);
        return put(i, kept.isEmpty() ? neutral(i) : kept);
    }

    private String neutral(int i) {
        return isOperand(i - 1) ? "||" : "~";
    }

    /** Whether an operand ends with the token, so that an operator after it is a binary one. */
    private boolean isOperand(int i) {
        if (i < shape.firstToken()) {
            return false;
        }
        return switch (tokens.kind(i)) {
            case RIGHT_PARENTHESIS, RIGHT_BRACKET, PARAMETER, QUOTED, UNICODE_QUOTED -> true;
            case WORD -> isQualified(i) || Vocabulary.endsOperand(tokens.keyword(i));
            default -> tokens.kind(i).isConstant();
        };
    }

    /** {@code t *}: nothing that could be multiplied follows. */
    private boolean isInheritanceStar(int i) {
        boolean afterName = i > shape.firstToken() && tokens.isName(i - 1) && isOperand(i - 1);
        return afterName && (i + 1 >= end || Vocabulary.followsTable(tokens, i + 1) || isTable(i - 1));
    }

    /** Whether the name that ends with the token stands directly after a word that introduces a table. */
    private boolean isTable(int last) {
        int i = last;
        while (i - 2 > shape.firstToken() && tokens.is(i - 1, TokenKind.DOT)) {
            i -= 2;
        }
        return switch (tokens.keyword(before(i))) {
            case FROM, JOIN, UPDATE, ONLY, INTO -> true;
            default -> false;
        };
    }

    private boolean isInheritanceOnly(int i) {
        int before = before(i);
        return !tokens.is(before, Keyword.ROW) && !tokens.is(before, Keyword.ROWS);
    }

    /** Whether a key word stands where it can only be a name. */
    private boolean isName(int i, Keyword keyword) {
        int before = before(i);
        if (tokens.is(before, Keyword.AS)) {
            return !parentheses.isCast() && keyword != Keyword.MATERIALIZED && keyword != Keyword.NOT;
        }
        return roles.isName(i, parentheses.inType(), isOperand(i - 1), parentheses.opener());
    }

    /** The token before; {@code i} itself, which then is no answer to any question asked, at the statement's start. */
    private int before(int i) {
        return i > shape.firstToken() ? i - 1 : i;
    }

    /** Whether the word is part of a dotted name. */
    private boolean isQualified(int i) {
        return tokens.is(i + 1, TokenKind.DOT) || isAfterDot(i);
    }

    private boolean isAfterDot(int i) {
        return i > shape.firstToken() && tokens.is(i - 1, TokenKind.DOT);
    }

    private int name(int i) {
        String name = tokens.name(i);
        if (!Vocabulary.canBeQuoted(name)) {
            return refuse(i);
        }
        return put(i, '"' + name + '"');
    }

    private int refuse(int i) {
        impossible = true;
        return i + 1;
    }

    private int put(int i, String piece) {
        return put(i, piece, i + 1);
    }

    private int put(int i, String piece, int next) {
        space();
        text.append(piece);
        return next;
    }

    private void space() {
        if (!text.isEmpty()) {
            text.append(' ');
        }
    }
}
