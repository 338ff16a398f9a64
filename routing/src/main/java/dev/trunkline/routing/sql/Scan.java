package dev.trunkline.routing.sql;

/**
 * Where the pieces of SQL text end: each method is given the place of a piece's first byte and the end of the text,
 * and returns the place after its last byte. A piece that the end of the text cuts off yields {@code ~end}, a negative
 * number.
 *
 * @see <a href="https://www.postgresql.org/docs/current/sql-syntax-lexical.html">Lexical Structure</a>
 */
final class Scan {

    private Scan() {}

    /** After a comment that begins with two dashes; the newline does not belong to it. */
    static int lineComment(byte[] text, int at, int end) {
        int i = at + 2;
        while (i < end && !Bytes.isNewline(text[i])) {
            i++;
        }
        return i;
    }

    /** After a block comment; block comments nest. */
    static int blockComment(byte[] text, int at, int end) {
        int depth = 1;
        int i = at + 2;
        while (i + 1 < end) {
            if (text[i] == '*' && text[i + 1] == '/') {
                i += 2;
                if (--depth == 0) {
                    return i;
                }
            } else if (text[i] == '/' && text[i + 1] == '*') {
                i += 2;
                depth++;
            } else {
                i++;
            }
        }
        return ~end;
    }

    /** After a quoted piece in which the quote is written twice and nothing else is special. */
    static int quoted(byte[] text, int quoteAt, int end) {
        byte quote = text[quoteAt];
        int i = quoteAt + 1;
        while (i < end) {
            if (text[i++] == quote) {
                if (i == end || text[i] != quote) {
                    return i;
                }
                i++;
            }
        }
        return ~end;
    }

    /** After a quoted piece in which also a backslash makes the next byte plain. */
    static int quotedWithBackslash(byte[] text, int quoteAt, int end) {
        int i = quoteAt + 1;
        while (i < end) {
            byte b = text[i++];
            if (b == '\\') {
                i++;
            } else if (b == '\'') {
                if (i == end || text[i] != '\'') {
                    return i;
                }
                i++;
            }
        }
        return ~end;
    }

    /** After the first quote: bit strings know no doubled quote. */
    static int bits(byte[] text, int quoteAt, int end) {
        int i = quoteAt + 1;
        while (i < end) {
            if (text[i++] == '\'') {
                return i;
            }
        }
        return ~end;
    }

    /**
     * The place of the quote that continues a string constant ended just before {@code at}, or -1: white space with at
     * least one newline lies between, line comments may.
     */
    static int continuation(byte[] text, int at, int end) {
        boolean newline = false;
        int i = at;
        while (i < end) {
            byte b = text[i];
            if (Bytes.isNewline(b)) {
                newline = true;
                i++;
            } else if (Bytes.isSpace(b)) {
                i++;
            } else if (b == '-' && i + 1 < end && text[i + 1] == '-') {
                i = lineComment(text, i, end);
                if (i == end) {
                    return -1;
                }
            } else {
                return b == '\'' && newline ? i : -1;
            }
        }
        return -1;
    }

    /** After the delimiter {@code $tag$} that begins at a dollar sign, or -1 if none begins there. */
    static int dollarDelimiter(byte[] text, int at, int end) {
        int i = at + 1;
        if (i < end && Bytes.isWordStart(text[i])) {
            i++;
            while (i < end && Bytes.isWordPart(text[i]) && text[i] != '$') {
                i++;
            }
        }
        return i < end && text[i] == '$' ? i + 1 : -1;
    }

    /** After the closing delimiter of a dollar-quoted constant whose opening one is text[at, bodyAt). */
    static int dollarQuoted(byte[] text, int at, int bodyAt, int end) {
        int length = bodyAt - at;
        for (int i = bodyAt; i + length <= end; i++) {
            if (text[i] == '$' && matches(text, at, i, length)) {
                return i + length;
            }
        }
        return ~end;
    }

    private static boolean matches(byte[] text, int a, int b, int length) {
        for (int i = 1; i < length; i++) {
            if (text[a + i] != text[b + i]) {
                return false;
            }
        }
        return true;
    }

    /** After the digits that begin at {@code at}, single underscores between them included; {@code at} if none. */
    static int digits(byte[] text, int at, int end, int base) {
        int i = at;
        while (i < end) {
            if (isDigit(text[i], base)) {
                i++;
            } else if (text[i] == '_' && i > at && i + 1 < end && isDigit(text[i + 1], base)) {
                i += 2;
            } else {
                break;
            }
        }
        return i;
    }

    static boolean isDigit(byte b, int base) {
        int digit = b <= '9' ? b - '0' : base == 16 ? (b | 0x20) - 'a' + 10 : -1;
        return digit >= 0 && digit < base && (b <= '9' || digit >= 10);
    }

    /**
     * After an operator: the longest run of operator characters that holds no comment start, less trailing signs
     * unless one of {@code ~ ! @ # ^ & | ` ? %} stands before them.
     */
    static int operator(byte[] text, int at, int end) {
        int i = at + 1;
        while (i < end && Bytes.isOperator(text[i]) && !startsComment(text, i, end)) {
            i++;
        }
        if (i > at + 1 && isSign(text[i - 1]) && !hasUncommonCharacter(text, at, i - 1)) {
            do {
                i--;
            } while (i > at + 1 && isSign(text[i - 1]));
        }
        return i;
    }

    static boolean startsComment(byte[] text, int at, int end) {
        if (at + 1 >= end) {
            return false;
        }
        byte b = text[at];
        return (b == '-' && text[at + 1] == '-') || (b == '/' && text[at + 1] == '*');
    }

    private static boolean isSign(byte b) {
        return b == '+' || b == '-';
    }

    private static boolean hasUncommonCharacter(byte[] text, int from, int to) {
        for (int i = from; i < to; i++) {
            switch (text[i]) {
                case '~', '!', '@', '#', '^', '&', '|', '`', '?', '%' -> {
                    return true;
                }
                default -> {}
            }
        }
        return false;
    }
}
