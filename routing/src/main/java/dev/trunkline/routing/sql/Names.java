package dev.trunkline.routing.sql;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Identifiers as PostgreSQL keeps them. */
final class Names {

    /** NAMEDATALEN - 1 of a PostgreSQL as everybody builds it. */
    static final int MAX_BYTES = 63;

    private Names() {}

    /** The name a WORD or quoted identifier means. */
    static String decode(Tokens tokens, int token) {
        byte[] name = bytes(tokens, token);
        return new String(name, StandardCharsets.UTF_8);
    }

    /** The bytes of the name. */
    static byte[] bytes(Tokens tokens, int token) {
        byte[] text = tokens.text();
        int from = tokens.start(token);
        int to = tokens.end(token);
        return switch (tokens.kind(token)) {
            case QUOTED -> cut(unquote(text, from, to));
            case UNICODE_QUOTED -> cut(UnicodeEscapes.name(tokens, token));
            default -> fold(text, from, from + cutLength(text, from, to));
        };
    }

    /** How many of the bytes text[from, to) are left of a name. */
    static int cutLength(byte[] text, int from, int to) {
        int length = to - from;
        if (length <= MAX_BYTES) {
            return length;
        }
        int cut = MAX_BYTES;
        while (cut > 0 && (text[from + cut] & 0xC0) == 0x80) {
            cut--;
        }
        return cut;
    }

    private static byte[] cut(byte[] name) {
        int length = cutLength(name, 0, name.length);
        return length == name.length ? name : Arrays.copyOf(name, length);
    }

    private static byte[] fold(byte[] text, int from, int to) {
        byte[] folded = new byte[to - from];
        for (int i = 0; i < folded.length; i++) {
            folded[i] = Bytes.fold(text[from + i]);
        }
        return folded;
    }

    /** The bytes between the quotes, each doubled quote once. */
    static byte[] unquote(byte[] text, int from, int to) {
        byte quote = text[from];
        byte[] name = new byte[to - from - 2];
        int length = 0;
        for (int i = from + 1; i < to - 1; i++) {
            name[length++] = text[i];
            if (text[i] == quote) {
                i++;
            }
        }
        return Arrays.copyOf(name, length);
    }
}
