package dev.trunkline.routing.sql;

/** Classes of bytes as PostgreSQL's lexer divides them. */
final class Bytes {

    static final byte OTHER = 0;
    static final byte SPACE = 1;
    static final byte WORD_START = 2;
    static final byte DIGIT = 3;
    static final byte OPERATOR = 4;
    static final byte PUNCTUATION = 5;
    static final byte QUOTE = 6;
    static final byte DOUBLE_QUOTE = 7;
    static final byte DOLLAR = 8;
    static final byte DOT = 9;
    static final byte COLON = 10;

    private static final byte[] CLASS = new byte[256];
    private static final byte[] FOLDED = new byte[256];
    private static final boolean[] WORD_PART = new boolean[256];

    static {
        mark(" \t\n\r\f\u000B", SPACE);
        mark("0123456789", DIGIT);
        mark("~!@#^&|`?+-*/%<>=", OPERATOR);
        mark("(),;[]", PUNCTUATION);
        mark("'", QUOTE);
        mark("\"", DOUBLE_QUOTE);
        mark("$", DOLLAR);
        mark(".", DOT);
        mark(":", COLON);
        mark("_", WORD_START);
        for (int b = 0; b < 256; b++) {
            boolean upper = b >= 'A' && b <= 'Z';
            if (upper || (b >= 'a' && b <= 'z') || b >= 0x80) {
                CLASS[b] = WORD_START;
            }
            FOLDED[b] = (byte) (upper ? b + ('a' - 'A') : b);
            WORD_PART[b] = CLASS[b] == WORD_START || CLASS[b] == DIGIT || b == '$';
        }
    }

    private Bytes() {}

    private static void mark(String characters, byte value) {
        for (int i = 0; i < characters.length(); i++) {
            CLASS[characters.charAt(i)] = value;
        }
    }

    static byte classOf(byte b) {
        return CLASS[b & 0xFF];
    }

    /** Lower case for ASCII letters; every other byte as it is (PostgreSQL folds no more in a UTF-8 database). */
    static byte fold(byte b) {
        return FOLDED[b & 0xFF];
    }

    static boolean isWordStart(byte b) {
        return CLASS[b & 0xFF] == WORD_START;
    }

    static boolean isWordPart(byte b) {
        return WORD_PART[b & 0xFF];
    }

    static boolean isDigit(byte b) {
        return CLASS[b & 0xFF] == DIGIT;
    }

    static boolean isOperator(byte b) {
        return CLASS[b & 0xFF] == OPERATOR;
    }

    static boolean isSpace(byte b) {
        return CLASS[b & 0xFF] == SPACE;
    }

    static boolean isNewline(byte b) {
        return b == '\n' || b == '\r';
    }

    /** Whether text[at, at + word.length()) is word, with at + word.length() &lt;= end; case does not count. */
    static boolean startsWith(byte[] text, int at, int end, String lowerCaseWord) {
        int length = lowerCaseWord.length();
        if (at + length > end) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (fold(text[at + i]) != lowerCaseWord.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
