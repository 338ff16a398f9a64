package dev.trunkline.routing.sql;

import java.util.List;

/** Routing directives: block comments that say where their statement is to run. */
final class Directives {

    private static final List<String> PREFIXES = List.of("pgdog_", "trunkline_");
    private static final List<String> FIELDS = List.of("shard", "sharding_key", "role");

    private Directives() {}

    /** Whether the comment text[from, to) holds a directive: a known field and a colon, white space allowed. */
    static boolean isIn(byte[] text, int from, int to) {
        for (int i = from + 2; i < to; i++) {
            if (text[i] == '_' && isField(text, i + 1, to) && hasPrefix(text, from, i + 1)) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasPrefix(byte[] text, int from, int end) {
        for (int i = 0; i < PREFIXES.size(); i++) {
            String prefix = PREFIXES.get(i);
            int at = end - prefix.length();
            if (at >= from && Bytes.startsWith(text, at, end, prefix)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isField(byte[] text, int at, int to) {
        for (int i = 0; i < FIELDS.size(); i++) {
            String field = FIELDS.get(i);
            if (Bytes.startsWith(text, at, to, field) && colonFollows(text, at + field.length(), to)) {
                return true;
            }
        }
        return false;
    }

    private static boolean colonFollows(byte[] text, int at, int to) {
        int i = at;
        while (i < to && Bytes.isSpace(text[i])) {
            i++;
        }
        return i < to && text[i] == ':';
    }
}
