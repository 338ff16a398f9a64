package dev.trunkline.routing.sql;

/**
 * {@code U&'…'} and {@code U&"…"}: {@code \0061}, {@code \+01F600}, {@code \\}, with another escape character by
 * UESCAPE.
 */
final class UnicodeEscapes {

    private UnicodeEscapes() {}

    /** The UTF-8 bytes of a {@code U&"…"} identifier; what PostgreSQL refuses decodes to something. */
    static byte[] name(Tokens tokens, int token) {
        ByteBuilder name = new ByteBuilder(64);
        if (!decode(tokens, token, name)) {
            name.append(tokens.text(), tokens.start(token), tokens.end(token));
        }
        return name.toByteArray();
    }

    /** Fills {@code into} with what the token means; false if PostgreSQL refuses an escape in it. */
    static boolean decode(Tokens tokens, int token, ByteBuilder into) {
        byte[] text = tokens.text();
        int quote = tokens.start(token) + 2;
        int end = bodyEnd(text, quote, tokens.end(token));
        int escape = end == tokens.end(token) ? '\\' : escapeCharacter(text, end, tokens.end(token));
        ByteBuilder raw = new ByteBuilder(end - quote);
        if (text[quote] == '"') {
            byte[] name = Names.unquote(text, quote, end);
            raw.append(name, 0, name.length);
        } else {
            Segments.appendUnquoted(text, quote, end, raw);
        }
        into.clear();
        return escape > 0 && resolve(raw.array(), raw.length(), (byte) escape, into);
    }

    /** The place after the closing quote of the last segment; what follows it is the UESCAPE clause. */
    private static int bodyEnd(byte[] text, int quote, int end) {
        int after = Scan.quoted(text, quote, end);
        if (text[quote] == '"') {
            return after;
        }
        int next = Segments.next(text, after, end);
        while (next >= 0) {
            after = Scan.quoted(text, next, end);
            next = Segments.next(text, after, end);
        }
        return after;
    }

    /** The one character of the UESCAPE clause; 0 if it is none that PostgreSQL admits. */
    private static int escapeCharacter(byte[] text, int from, int to) {
        Tokens clause = new Tokens();
        Lexer.lex(text, from, to - from, true, clause);
        Literal literal = new Literal();
        if (clause.count() != 2 || !literal.decodeString(clause, 1) || literal.length() != 1) {
            return 0;
        }
        byte b = literal.bytes()[literal.offset()];
        boolean admitted = b > 0 && !Scan.isDigit(b, 16) && b != '+' && b != '\'' && b != '"' && !Bytes.isSpace(b);
        return admitted ? b : 0;
    }

    private static boolean resolve(byte[] raw, int length, byte escape, ByteBuilder into) {
        SurrogatePair pair = new SurrogatePair();
        boolean valid = true;
        int i = 0;
        while (i < length && valid) {
            if (raw[i] != escape) {
                valid = pair.isComplete();
                into.append(raw[i++]);
            } else if (i + 1 < length && raw[i + 1] == escape) {
                valid = pair.isComplete();
                into.append(escape);
                i += 2;
            } else {
                boolean six = i + 1 < length && raw[i + 1] == '+';
                int from = i + (six ? 2 : 1);
                int after = from + (six ? 6 : 4);
                valid = isHex(raw, from, after, length) && pair.append(Numbers.value(raw, from, after, 16), into);
                i = after;
            }
        }
        return valid && pair.isComplete();
    }

    private static boolean isHex(byte[] raw, int from, int to, int length) {
        if (to > length) {
            return false;
        }
        for (int i = from; i < to; i++) {
            if (!Scan.isDigit(raw[i], 16)) {
                return false;
            }
        }
        return true;
    }
}
