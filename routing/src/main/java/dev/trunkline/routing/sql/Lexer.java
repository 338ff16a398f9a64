package dev.trunkline.routing.sql;

/**
 * PostgreSQL's lexical rules in one pass over UTF-8 bytes, without allocation once the {@link Tokens} have grown.
 *
 * <p>It never fails: what PostgreSQL's lexer refuses becomes a {@link TokenKind#JUNK} token, so that the server can say
 * what is wrong. The text must be UTF-8 or another encoding in which every byte of a multi-byte character has its high
 * bit set.
 *
 * @see <a href="https://www.postgresql.org/docs/current/sql-syntax-lexical.html">Lexical Structure</a>
 */
public final class Lexer {

    private Lexer() {}

    /**
     * Fills {@code tokens} with the tokens of text[offset, offset + length).
     *
     * @param standardStrings the session's standard_conforming_strings: when false, a backslash in {@code '…'} escapes
     */
    public static void lex(byte[] text, int offset, int length, boolean standardStrings, Tokens tokens) {
        int end = offset + length;
        tokens.begin(text, offset, end);
        int at = offset;
        while (at < end) {
            byte b = text[at];
            switch (Bytes.classOf(b)) {
                case Bytes.SPACE -> at++;
                case Bytes.WORD_START -> at = word(text, at, end, standardStrings, tokens);
                case Bytes.DIGIT -> at = Numbers.lex(text, at, end, tokens);
                case Bytes.PUNCTUATION -> at = punctuation(b, at, tokens);
                case Bytes.DOT -> at = dot(text, at, end, tokens);
                case Bytes.OPERATOR -> at = operatorOrComment(text, at, end, tokens);
                case Bytes.QUOTE -> at = plainString(text, at, end, standardStrings, tokens);
                case Bytes.DOUBLE_QUOTE -> at = quotedName(text, at, at, end, TokenKind.QUOTED, tokens);
                case Bytes.DOLLAR -> at = dollar(text, at, end, tokens);
                case Bytes.COLON -> at = colon(text, at, end, tokens);
                default -> tokens.addJunk(at, ++at);
            }
        }
        tokens.finish();
    }

    /** The tokens of a whole array, in new {@link Tokens}. */
    public static Tokens lex(byte[] text, boolean standardStrings) {
        Tokens tokens = new Tokens();
        lex(text, 0, text.length, standardStrings, tokens);
        return tokens;
    }

    private static int word(byte[] text, int start, int end, boolean standardStrings, Tokens tokens) {
        int at = Words.end(text, start + 1, end);
        if (at == start + 1 && at < end && (text[at] == '\'' || text[at] == '&')) {
            int prefixed = prefixedQuote(text, start, end, standardStrings, tokens);
            if (prefixed != start) {
                return prefixed;
            }
        }
        tokens.add(TokenKind.WORD, start, at, Keywords.ordinalOf(text, start, at));
        return at;
    }

    /** The end of a constant that a letter introduces, or {@code start} if this one-letter word does not. */
    private static int prefixedQuote(byte[] text, int start, int end, boolean standardStrings, Tokens tokens) {
        int letter = text[start] | 0x20;
        int next = start + 1;
        if (text[next] == '\'') {
            return switch (letter) {
                case 'e' -> string(text, start, next, end, TokenKind.ESCAPE_STRING, tokens);
                case 'b' -> string(text, start, next, end, TokenKind.BIT_STRING, tokens);
                case 'x' -> string(text, start, next, end, TokenKind.HEX_STRING, tokens);
                case 'n' -> nationalString(text, start, end, standardStrings, tokens);
                default -> start;
            };
        }
        if (letter != 'u' || next + 1 >= end) {
            return start;
        }
        return switch (text[next + 1]) {
            case '"' -> quotedName(text, start, next + 1, end, TokenKind.UNICODE_QUOTED, tokens);
            case '\'' -> unicodeString(text, start, end, standardStrings, tokens);
            default -> start;
        };
    }

    /** PostgreSQL refuses {@code U&'…'} while backslashes escape: nobody could say what it means. */
    private static int unicodeString(byte[] text, int start, int end, boolean standardStrings, Tokens tokens) {
        int at = string(text, start, start + 2, end, TokenKind.UNICODE_STRING, tokens);
        if (!standardStrings) {
            tokens.spoilLast();
        }
        return at;
    }

    /** PostgreSQL reads {@code N'…'} as a type name before a plain constant, so backslashes follow the setting. */
    private static int nationalString(byte[] text, int start, int end, boolean standardStrings, Tokens tokens) {
        int at = string(text, start, start + 1, end, TokenKind.NATIONAL_STRING, tokens);
        if (!standardStrings) {
            tokens.spoilLast();
        }
        return at;
    }

    private static int plainString(byte[] text, int at, int end, boolean standardStrings, Tokens tokens) {
        return string(text, at, at, end, standardStrings ? TokenKind.STRING : TokenKind.ESCAPE_STRING, tokens);
    }

    private static int string(byte[] text, int start, int quoteAt, int end, TokenKind kind, Tokens tokens) {
        int quote = quoteAt;
        int at;
        do {
            at = segment(text, quote, end, kind);
            if (at < 0) {
                tokens.addUnterminated(start, end);
                return end;
            }
            quote = at < end ? Scan.continuation(text, at, end) : -1;
        } while (quote >= 0);
        tokens.add(kind, start, at);
        joinUnicodeEscape(text, tokens);
        return at;
    }

    private static int segment(byte[] text, int quote, int end, TokenKind kind) {
        return switch (kind) {
            case ESCAPE_STRING -> Scan.quotedWithBackslash(text, quote, end);
            case BIT_STRING, HEX_STRING -> Scan.bits(text, quote, end);
            default -> Scan.quoted(text, quote, end);
        };
    }

    /** UESCAPE and its character belong to the Unicode constant before them. */
    private static void joinUnicodeEscape(byte[] text, Tokens tokens) {
        int last = tokens.count() - 1;
        if (last < 2
                || !tokens.is(last - 1, Keyword.UESCAPE)
                || !tokens.kind(last).isString()) {
            return;
        }
        TokenKind escaped = tokens.kind(last - 2);
        if (escaped == TokenKind.UNICODE_STRING || escaped == TokenKind.UNICODE_QUOTED) {
            tokens.mergeInto(last - 2, tokens.end(last));
        }
    }

    private static int quotedName(byte[] text, int start, int quoteAt, int end, TokenKind kind, Tokens tokens) {
        int at = Scan.quoted(text, quoteAt, end);
        if (at < 0) {
            tokens.addUnterminated(start, end);
            return end;
        }
        if (at == quoteAt + 2) {
            tokens.addJunk(start, at);
        } else {
            tokens.add(kind, start, at);
        }
        return at;
    }

    private static int dollar(byte[] text, int at, int end, Tokens tokens) {
        int after = at + 1;
        if (after < end && Bytes.isDigit(text[after])) {
            return Numbers.parameter(text, at, end, tokens);
        }
        int bodyAt = Scan.dollarDelimiter(text, at, end);
        if (bodyAt < 0) {
            tokens.addJunk(at, after);
            return after;
        }
        int stringEnd = Scan.dollarQuoted(text, at, bodyAt, end);
        if (stringEnd < 0) {
            tokens.addUnterminated(at, end);
            return end;
        }
        tokens.add(TokenKind.DOLLAR_STRING, at, stringEnd);
        joinUnicodeEscape(text, tokens);
        return stringEnd;
    }

    private static int punctuation(byte b, int at, Tokens tokens) {
        switch (b) {
            case '(' -> {
                tokens.open();
                tokens.add(TokenKind.LEFT_PARENTHESIS, at, at + 1);
            }
            case ')' -> {
                tokens.close();
                tokens.add(TokenKind.RIGHT_PARENTHESIS, at, at + 1);
            }
            case '[' -> {
                tokens.open();
                tokens.add(TokenKind.LEFT_BRACKET, at, at + 1);
            }
            case ']' -> {
                tokens.close();
                tokens.add(TokenKind.RIGHT_BRACKET, at, at + 1);
            }
            case ',' -> tokens.add(TokenKind.COMMA, at, at + 1);
            default -> tokens.addSemicolon(at);
        }
        return at + 1;
    }

    private static int dot(byte[] text, int at, int end, Tokens tokens) {
        int next = at + 1;
        if (next < end && Bytes.isDigit(text[next])) {
            return Numbers.lex(text, at, end, tokens);
        }
        boolean two = next < end && text[next] == '.';
        int after = two ? at + 2 : next;
        tokens.add(two ? TokenKind.DOT_DOT : TokenKind.DOT, at, after);
        return after;
    }

    private static int colon(byte[] text, int at, int end, Tokens tokens) {
        byte next = at + 1 < end ? text[at + 1] : 0;
        if (next == ':') {
            tokens.add(TokenKind.TYPECAST, at, at + 2);
            return at + 2;
        }
        if (next == '=') {
            tokens.add(TokenKind.COLON_EQUALS, at, at + 2);
            return at + 2;
        }
        tokens.add(TokenKind.COLON, at, at + 1);
        return at + 1;
    }

    private static int operatorOrComment(byte[] text, int at, int end, Tokens tokens) {
        if (Scan.startsComment(text, at, end)) {
            return text[at] == '-' ? Scan.lineComment(text, at, end) : blockComment(text, at, end, tokens);
        }
        int after = Scan.operator(text, at, end);
        boolean arrow = after == at + 2 && text[at] == '=' && text[at + 1] == '>';
        tokens.add(arrow ? TokenKind.EQUALS_GREATER : TokenKind.OPERATOR, at, after);
        return after;
    }

    private static int blockComment(byte[] text, int at, int end, Tokens tokens) {
        int after = Scan.blockComment(text, at, end);
        if (after < 0) {
            tokens.addUnterminated(at, end);
            return end;
        }
        if (Directives.isIn(text, at, after)) {
            tokens.addDirective(at, after);
        }
        return after;
    }
}
