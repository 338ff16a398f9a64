package dev.trunkline.routing.sql;

/** How often the key word SELECT stands in normalised text, outside names and constants. */
final class SelectCount {

    private static final String SELECT = "SELECT";

    private SelectCount() {}

    static int of(String normalized) {
        int count = 0;
        int i = 0;
        while (i < normalized.length()) {
            char c = normalized.charAt(i);
            if (c == '"' || c == '\'') {
                i = normalized.indexOf(c, i + 1) + 1;
            } else if (c == 'S' && isWord(normalized, i)) {
                count++;
                i += SELECT.length();
            } else {
                i++;
            }
        }
        return count;
    }

    private static boolean isWord(String text, int at) {
        int end = at + SELECT.length();
        return text.startsWith(SELECT, at)
                && (at == 0 || !Character.isJavaIdentifierPart(text.charAt(at - 1)))
                && (end == text.length() || !Character.isJavaIdentifierPart(text.charAt(end)));
    }
}
