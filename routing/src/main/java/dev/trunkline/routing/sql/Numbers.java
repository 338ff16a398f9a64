package dev.trunkline.routing.sql;

/** Numbers and parameters, as PostgreSQL 16 and later read them; older servers refuse or accept the same text. */
final class Numbers {

    private Numbers() {}

    /** Adds the number that begins at {@code at} (a digit, or a point before a digit); returns the place after it. */
    static int lex(byte[] text, int at, int end, Tokens tokens) {
        int base = base(text, at, end);
        if (base != 10) {
            return based(text, at, end, base, tokens);
        }
        int after = Scan.digits(text, at, end, 10);
        TokenKind kind = TokenKind.INTEGER;
        if (after < end && text[after] == '.' && !(after + 1 < end && text[after + 1] == '.')) {
            kind = TokenKind.NUMERIC;
            after = Scan.digits(text, after + 1, end, 10);
        }
        if (after < end && (text[after] | 0x20) == 'e') {
            int exponent = exponent(text, after, end);
            if (exponent > 0) {
                kind = TokenKind.NUMERIC;
                after = exponent;
            } else if (exponent < 0) {
                tokens.addJunk(at, ~exponent);
                return ~exponent;
            }
        }
        return number(text, at, after, end, kind, tokens);
    }

    /** After an exponent; 0 if there is none; ~place if a sign without digits follows, which PostgreSQL refuses. */
    private static int exponent(byte[] text, int at, int end) {
        int i = at + 1;
        boolean signed = i < end && (text[i] == '+' || text[i] == '-');
        if (signed) {
            i++;
        }
        int after = Scan.digits(text, i, end, 10);
        if (after > i) {
            return after;
        }
        return signed ? ~i : 0;
    }

    /** 10 unless {@code 0x}, {@code 0o} or {@code 0b} stands at {@code at}. */
    static int base(byte[] text, int at, int end) {
        if (text[at] != '0' || at + 1 >= end) {
            return 10;
        }
        return switch (text[at + 1]) {
            case 'x', 'X' -> 16;
            case 'o', 'O' -> 8;
            case 'b', 'B' -> 2;
            default -> 10;
        };
    }

    private static int based(byte[] text, int at, int end, int base, Tokens tokens) {
        int i = at + 2;
        if (i < end && text[i] == '_') {
            i++;
        }
        int after = Scan.digits(text, i, end, base);
        return number(text, at, after, end, after > i ? TokenKind.INTEGER : TokenKind.JUNK, tokens);
    }

    /** A letter directly after a number spoils it. */
    private static int number(byte[] text, int at, int after, int end, TokenKind kind, Tokens tokens) {
        int i = after;
        if (i < end && (Bytes.isWordStart(text[i]) || (kind == TokenKind.JUNK && Bytes.isDigit(text[i])))) {
            while (i < end && Bytes.isWordPart(text[i])) {
                i++;
            }
        }
        if (i > after || kind == TokenKind.JUNK) {
            tokens.addJunk(at, i);
        } else {
            tokens.add(kind, at, after);
        }
        return i;
    }

    /** The value of a digit of base 16 or less. */
    static int digit(byte b) {
        return b <= '9' ? b - '0' : (b | 0x20) - 'a' + 10;
    }

    /** The value of plain digits; eight hexadecimal digits may yield a negative number. */
    static int value(byte[] text, int from, int to, int base) {
        int value = 0;
        for (int i = from; i < to; i++) {
            value = value * base + digit(text[i]);
        }
        return value;
    }

    /** Adds the parameter whose dollar sign stands at {@code at}; returns the place after it. */
    static int parameter(byte[] text, int at, int end, Tokens tokens) {
        int i = at + 1;
        while (i < end && Bytes.isDigit(text[i])) {
            i++;
        }
        return number(text, at, i, end, TokenKind.PARAMETER, tokens);
    }
}
