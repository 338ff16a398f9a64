package dev.trunkline.routing.sql;

/** The value of a numeric constant; made to be filled again and again. Not thread-safe. */
final class NumberLiteral {

    /** Beyond it every number but zero is out of range or has a fraction. */
    private static final int MAX_EXPONENT = 1_000_000;
    /** Below it one more digit of any base cannot overflow. */
    private static final long SAFE = 1L << 58;
    /** The greatest magnitude, as an unsigned number: that of the least bigint. */
    private static final long LIMIT = Long.MIN_VALUE;

    private long magnitude;
    private boolean overflow;
    private boolean fraction;

    Literal.Number decode(Tokens tokens, int token, boolean negative) {
        magnitude = 0;
        overflow = false;
        fraction = false;
        byte[] text = tokens.text();
        int from = tokens.start(token);
        int to = tokens.end(token);
        if (tokens.is(token, TokenKind.NUMERIC)) {
            decimal(text, from, to);
        } else {
            int base = Numbers.base(text, from, to);
            integer(text, base == 10 ? from : from + 2, to, base);
        }
        return finish(negative);
    }

    /** The whole number, with its sign. */
    long value() {
        return magnitude;
    }

    private Literal.Number finish(boolean negative) {
        if (fraction) {
            return Literal.Number.FRACTIONAL;
        }
        if (overflow || (magnitude == LIMIT && !negative)) {
            return Literal.Number.OUT_OF_RANGE;
        }
        if (negative) {
            magnitude = -magnitude;
        }
        return Literal.Number.INTEGRAL;
    }

    private void integer(byte[] text, int from, int to, int base) {
        for (int i = from; i < to; i++) {
            if (text[i] != '_') {
                append(Numbers.digit(text[i]), base);
            }
        }
    }

    /** Digits left of the point, moved by the exponent, are the number; those right of it must be zero. */
    private void decimal(byte[] text, int from, int to) {
        int mantissaEnd = from;
        while (mantissaEnd < to && (text[mantissaEnd] | 0x20) != 'e') {
            mantissaEnd++;
        }
        int wholeDigits = wholeDigits(text, from, mantissaEnd) + exponent(text, mantissaEnd, to);
        int digits = 0;
        for (int i = from; i < mantissaEnd; i++) {
            if (Bytes.isDigit(text[i])) {
                int digit = text[i] - '0';
                if (digits++ < wholeDigits) {
                    append(digit, 10);
                } else if (digit != 0) {
                    fraction = true;
                }
            }
        }
        while (digits++ < wholeDigits && magnitude != 0 && !overflow) {
            append(0, 10);
        }
    }

    private static int wholeDigits(byte[] text, int from, int to) {
        int digits = 0;
        for (int i = from; i < to && text[i] != '.'; i++) {
            if (text[i] != '_') {
                digits++;
            }
        }
        return digits;
    }

    private static int exponent(byte[] text, int at, int to) {
        int i = at + 1;
        if (i >= to) {
            return 0;
        }
        boolean negative = text[i] == '-';
        int exponent = 0;
        for (; i < to; i++) {
            if (Bytes.isDigit(text[i])) {
                exponent = Math.min(MAX_EXPONENT, exponent * 10 + (text[i] - '0'));
            }
        }
        return negative ? -exponent : exponent;
    }

    private void append(int digit, int base) {
        if (magnitude >= 0 && magnitude < SAFE) {
            magnitude = magnitude * base + digit;
        } else if (Long.compareUnsigned(magnitude, Long.divideUnsigned(LIMIT - digit, base)) <= 0) {
            magnitude = magnitude * base + digit;
        } else {
            overflow = true;
        }
    }
}
