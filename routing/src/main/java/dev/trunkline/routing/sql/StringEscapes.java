package dev.trunkline.routing.sql;

/** {@code E'…'}: backslash escapes. */
final class StringEscapes {

    private StringEscapes() {}

    /** Fills {@code into} with what the token means; false if PostgreSQL refuses an escape in it. */
    static boolean decode(Tokens tokens, int token, ByteBuilder into) {
        byte[] text = tokens.text();
        int start = tokens.start(token);
        int end = tokens.end(token);
        int quote = text[start] == '\'' ? start : start + 1;
        SurrogatePair pair = new SurrogatePair();
        into.clear();
        boolean valid = true;
        while (quote >= 0) {
            int after = Scan.quotedWithBackslash(text, quote, end);
            valid &= segment(text, quote + 1, after - 1, pair, into);
            quote = Segments.next(text, after, end);
        }
        return valid && pair.isComplete();
    }

    private static boolean segment(byte[] text, int from, int to, SurrogatePair pair, ByteBuilder into) {
        boolean valid = true;
        int i = from;
        while (i < to) {
            byte b = text[i];
            if (b == '\\') {
                int after = escape(text, i + 1, to, pair, into);
                valid &= after > 0;
                i = Math.abs(after);
            } else {
                valid &= pair.isComplete();
                into.append(b);
                i += b == '\'' ? 2 : 1;
            }
        }
        return valid;
    }

    /** Appends one escape; returns the place after it, negated if it is refused. */
    private static int escape(byte[] text, int at, int to, SurrogatePair pair, ByteBuilder into) {
        byte b = text[at];
        if (b == 'u' || b == 'U') {
            return unicode(text, at + 1, b == 'u' ? 4 : 8, to, pair, into);
        }
        if (!pair.isComplete()) {
            return -(at + 1);
        }
        if (b >= '0' && b <= '7') {
            return number(text, at, digitsEnd(text, at, Math.min(to, at + 3), 8), 8, into);
        }
        if (b == 'x') {
            int after = digitsEnd(text, at + 1, Math.min(to, at + 3), 16);
            if (after > at + 1) {
                return number(text, at + 1, after, 16, into);
            }
        }
        into.append(plain(b));
        return at + 1;
    }

    private static int plain(byte b) {
        return switch (b) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'v' -> 0x0B;
            default -> b;
        };
    }

    private static int digitsEnd(byte[] text, int at, int to, int base) {
        int i = at;
        while (i < to && Scan.isDigit(text[i], base)) {
            i++;
        }
        return i;
    }

    /** PostgreSQL has no strings with a zero byte. */
    private static int number(byte[] text, int from, int to, int base, ByteBuilder into) {
        int value = Numbers.value(text, from, to, base) & 0xFF;
        into.append(value);
        return value == 0 ? -to : to;
    }

    private static int unicode(byte[] text, int from, int digits, int to, SurrogatePair pair, ByteBuilder into) {
        int after = from + digits;
        if (after > to || digitsEnd(text, from, after, 16) != after) {
            return -from;
        }
        return pair.append(Numbers.value(text, from, after, 16), into) ? after : -after;
    }
}
