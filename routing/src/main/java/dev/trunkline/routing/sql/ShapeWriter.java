package dev.trunkline.routing.sql;

/**
 * Writes the canonical bytes of a statement. Every token is written so that no two different sequences of tokens yield
 * the same bytes: control characters end words and introduce everything that could hold any byte.
 */
final class ShapeWriter {

    static final int END_OF_WORD = 1;
    static final int QUOTED_NAME = 2;
    static final int END_OF_OPERATOR = 3;
    static final int VERBATIM = 4;
    static final int ROWS = 5;
    static final int ROW_PARAMETER = 6;
    static final int DIRECTIVE = 7;
    static final int DOT_DOT = 8;
    static final int TYPECAST = 9;
    static final int COLON_EQUALS = 10;
    static final int EQUALS_GREATER = 11;
    /** Plus the high byte of the key word's ordinal; the low byte follows. */
    static final int KEYWORD = 12;
    /** Plus the ordinal of the slot's kind. */
    static final int SLOT = 16;

    private static final int IN = Keyword.IN.ordinal();
    private static final int VALUES = Keyword.VALUES.ordinal();

    private final ByteBuilder canonical;
    private final Slots slots;
    private final Rows rows;
    private final Clauses clauses = new Clauses();
    private final RowParameters parameters = new RowParameters();
    private Tokens tokens = new Tokens();
    private int first;
    private int end;

    ShapeWriter(ByteBuilder canonical, Slots slots, Rows rows) {
        this.canonical = canonical;
        this.slots = slots;
        this.rows = rows;
    }

    void write(Tokens newTokens, int newFirst, int newEnd, boolean directive) {
        tokens = newTokens;
        first = newFirst;
        end = newEnd;
        clauses.clear();
        if (directive) {
            canonical.append(DIRECTIVE);
        }
        int i = first;
        while (i < end) {
            int keyword = tokens.keywordOrdinal(i);
            if (keyword == IN) {
                i = inList(i);
            } else if (keyword == VALUES) {
                i = valuesList(i);
            } else {
                write(i++);
            }
        }
    }

    /** Writes IN and, if constants of one type follow in parentheses, one placeholder for them; returns the next token. */
    private int inList(int in) {
        write(in);
        int open = in + 1;
        if (open >= end || !tokens.is(open, TokenKind.LEFT_PARENTHESIS) || isAfterDot(in)) {
            return open;
        }
        int close = endOfConstants(open + 1);
        if (close < 0) {
            return open;
        }
        boolean numbers = !tokens.kind(open + 1).isString();
        addSlot(numbers ? SlotKind.NUMBER_LIST : SlotKind.STRING_LIST, open, close + 1);
        int size = 0;
        for (int i = open + 1; i < close; i++) {
            if (tokens.kind(i).isConstant()) {
                slots.addElement(i, tokens.isOperator(i - 1, '-'));
                size++;
            }
        }
        slots.setSize(size);
        return close + 1;
    }

    /** The parenthesis that closes a list of only strings or only numbers; -1 if the list is another. */
    private int endOfConstants(int from) {
        boolean strings = tokens.kind(from).isString();
        int i = from;
        while (i < end) {
            i = strings ? (tokens.kind(i).isString() ? i + 1 : -1) : afterNumber(i);
            if (i < 0 || i >= end) {
                return -1;
            }
            if (tokens.is(i, TokenKind.RIGHT_PARENTHESIS)) {
                return i;
            }
            if (!tokens.is(i++, TokenKind.COMMA)) {
                return -1;
            }
        }
        return -1;
    }

    /** The token after a number and its sign; -1 if there is none. */
    private int afterNumber(int i) {
        int number = isSign(i) ? i + 1 : i;
        return number < end && tokens.kind(number).isNumber() ? number + 1 : -1;
    }

    private boolean isSign(int i) {
        return tokens.isOperator(i, '-') || tokens.isOperator(i, '+');
    }

    /** Writes VALUES and, if all rows look alike, one row for them; returns the next token. */
    private int valuesList(int values) {
        write(values);
        int open = values + 1;
        if (open >= end || !tokens.is(open, TokenKind.LEFT_PARENTHESIS) || isAfterDot(values)) {
            return open;
        }
        int length = canonical.length();
        int slotCount = slots.count();
        int elements = slots.elements();
        int starts = rows.starts();
        int depth = clauses.depth();
        int last = rows(open);
        if (last < 0) {
            canonical.truncate(length);
            slots.truncate(slotCount, elements);
            rows.dropStarts(starts);
            clauses.restoreDepth(depth);
            return open;
        }
        slots.setRows(slotCount, rows.starts() - starts);
        parameters.appendTo(canonical);
        rows.add(starts, last, parameters.stride(), depth == 0);
        return last + 1;
    }

    /** Writes the row at {@code open} and compares all further ones; the last row's end, -1 if they differ. */
    private int rows(int open) {
        canonical.append(ROWS);
        parameters.clear();
        int slotCount = slots.count();
        int from = canonical.length();
        int close = row(open, true);
        int length = canonical.length() - from;
        int slotsPerRow = slots.count() - slotCount;
        while (close >= 0 && isNextRow(close)) {
            parameters.nextRow();
            close = row(close + 2, false);
            boolean alike = close >= 0 && canonical.endsWithSame(from, length) && parameters.isRowRegular();
            if (!alike) {
                return -1;
            }
            canonical.truncate(from + length);
            slots.dropSlots(slotCount + slotsPerRow);
        }
        return close;
    }

    private boolean isNextRow(int close) {
        return close + 2 < end
                && tokens.is(close + 1, TokenKind.COMMA)
                && tokens.is(close + 2, TokenKind.LEFT_PARENTHESIS);
    }

    /** Writes the row at {@code open}; returns its closing parenthesis, -1 if the statement ends before. */
    private int row(int open, boolean isFirst) {
        rows.addStart(open);
        int depth = 0;
        int i = open;
        while (i < end) {
            TokenKind kind = tokens.kind(i);
            if (depth == 1 && (i == open + 1 || tokens.is(i - 1, TokenKind.COMMA))) {
                int after = rowConstant(i);
                if (after > i) {
                    i = after;
                    continue;
                }
            }
            if (kind == TokenKind.PARAMETER) {
                canonical.append(ROW_PARAMETER);
                parameters.add(tokens.parameter(i), isFirst);
            } else {
                write(i);
            }
            if (kind == TokenKind.LEFT_PARENTHESIS) {
                depth++;
            } else if (kind == TokenKind.RIGHT_PARENTHESIS && --depth == 0) {
                return i;
            }
            i++;
        }
        return -1;
    }

    /** Writes the constant, with its sign, that is a whole item of a row; returns {@code i} if there is none. */
    private int rowConstant(int i) {
        int constant = isSign(i) && tokens.kind(i + 1).isNumber() ? i + 1 : i;
        int after = constant + 1;
        if (!isRowConstant(constant) || after >= end) {
            return i;
        }
        if (!tokens.is(after, TokenKind.COMMA) && !tokens.is(after, TokenKind.RIGHT_PARENTHESIS)) {
            return i;
        }
        addSlot(SlotKind.ROW_CONSTANT, i, after);
        slots.addElement(constant, tokens.isOperator(i, '-'));
        return after;
    }

    private boolean isRowConstant(int i) {
        return tokens.kind(i).isConstant()
                || tokens.is(i, Keyword.NULL)
                || tokens.is(i, Keyword.TRUE)
                || tokens.is(i, Keyword.FALSE)
                || tokens.is(i, Keyword.DEFAULT);
    }

    private void addSlot(SlotKind kind, int from, int to) {
        slots.add(kind, from, to);
        canonical.append(SLOT + kind.ordinal());
    }

    private boolean isAfterDot(int i) {
        return i > first && tokens.is(i - 1, TokenKind.DOT);
    }

    private void write(int i) {
        if (tokens.is(i, TokenKind.WORD)) {
            word(i);
        } else if (tokens.is(i, TokenKind.COMMA)) {
            canonical.append(',');
            clauses.endType();
        } else if (tokens.is(i, TokenKind.DOT)) {
            canonical.append('.');
        } else {
            other(i);
        }
    }

    private void word(int i) {
        int keyword = tokens.keywordOrdinal(i);
        if (keyword != 0) {
            canonical.append(KEYWORD + (keyword >> 8));
            canonical.append(keyword);
            clauses.keyword(tokens, first, i);
            return;
        }
        int start = tokens.start(i);
        int length = tokens.end(i) - start;
        if (length > Names.MAX_BYTES) {
            length = Names.cutLength(tokens.text(), start, tokens.end(i));
        }
        canonical.appendFolded(tokens.text(), start, start + length);
        canonical.append(END_OF_WORD);
    }

    private void other(int i) {
        TokenKind kind = tokens.kind(i);
        switch (kind) {
            case QUOTED, UNICODE_QUOTED -> quotedName(kind, i);
            case PARAMETER -> text(i, END_OF_WORD);
            case OPERATOR -> text(i, END_OF_OPERATOR);
            case LEFT_PARENTHESIS, RIGHT_PARENTHESIS, LEFT_BRACKET, RIGHT_BRACKET, SEMICOLON, COLON ->
                canonical.append(tokens.text()[tokens.start(i)]);
            case DOT_DOT -> canonical.append(DOT_DOT);
            case TYPECAST -> canonical.append(TYPECAST);
            case COLON_EQUALS -> canonical.append(COLON_EQUALS);
            case EQUALS_GREATER -> canonical.append(EQUALS_GREATER);
            case JUNK, END -> verbatim(i);
            default -> constant(kind, i);
        }
        clauses.observe(tokens, first, i);
    }

    /** A name without escapes, the usual one, is copied as it stands. */
    private void quotedName(TokenKind kind, int i) {
        int start = tokens.start(i) + 1;
        int length = tokens.end(i) - 1 - start;
        canonical.append(QUOTED_NAME);
        if (kind == TokenKind.QUOTED && length <= Names.MAX_BYTES && !holdsQuote(start, start + length)) {
            canonical.append(length);
            canonical.append(tokens.text(), start, start + length);
            return;
        }
        byte[] name = Names.bytes(tokens, i);
        canonical.append(name.length);
        canonical.append(name, 0, name.length);
    }

    private boolean holdsQuote(int from, int to) {
        byte[] text = tokens.text();
        for (int i = from; i < to; i++) {
            if (text[i] == '"') {
                return true;
            }
        }
        return false;
    }

    private void constant(TokenKind kind, int i) {
        if (clauses.keeps(tokens, first, i)) {
            verbatim(i);
            return;
        }
        addSlot(kind.isNumber() ? SlotKind.NUMBER : kind.isString() ? SlotKind.STRING : SlotKind.TYPED, i, i + 1);
        slots.addElement(i, false);
    }

    private void text(int i, int terminator) {
        canonical.append(tokens.text(), tokens.start(i), tokens.end(i));
        canonical.append(terminator);
    }

    private void verbatim(int i) {
        int length = tokens.end(i) - tokens.start(i);
        canonical.append(VERBATIM);
        canonical.append(tokens.kind(i).ordinal());
        canonical.appendInt(length);
        canonical.append(tokens.text(), tokens.start(i), tokens.end(i));
    }
}
