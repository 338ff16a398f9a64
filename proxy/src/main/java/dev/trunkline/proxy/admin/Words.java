package dev.trunkline.proxy.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The words of one command, read one after the other. Words are plain ones, quoted names, quoted texts, numbers, and
 * single signs ({@code <>}, {@code !=}, {@code <=} and {@code >=} being one).
 */
final class Words {

    private static final String SIGNS = "<>!=";

    /**
     * A word.
     *
     * @param text without its quotes
     * @param isQuoted it had some
     */
    record Word(String text, boolean isQuoted) {}

    private final String source;
    private final List<Word> words;
    private int next;

    private Words(String source, List<Word> words) {
        this.source = source;
        this.words = words;
    }

    /** The commands of a text, without empty ones; throws PgException 42601. */
    static List<Words> commands(String text) {
        return new Reader(text).read();
    }

    /** The command as it was written. */
    String source() {
        return source;
    }

    boolean atEnd() {
        return next == words.size();
    }

    /** Takes the next word if it is this one, whatever its case. */
    boolean take(String word) {
        if (!atEnd() && !words.get(next).isQuoted && words.get(next).text.equalsIgnoreCase(word)) {
            next++;
            return true;
        }
        return false;
    }

    /** Takes the next word as it is; empty at the end. */
    String any() {
        return atEnd() ? "" : words.get(next++).text;
    }

    /** Takes the next word in upper case; empty at the end. */
    String keyword() {
        return any().toUpperCase(Locale.ROOT);
    }

    /** The next word in upper case, without taking it; empty at the end. */
    String peek() {
        return atEnd() ? "" : words.get(next).text.toUpperCase(Locale.ROOT);
    }

    /** Cuts a text into words and commands. */
    private static final class Reader {

        private final String text;
        private final List<Words> commands = new ArrayList<>();
        private List<Word> words = new ArrayList<>();
        private int start;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        List<Words> read() {
            while (at < text.length()) {
                step(text.charAt(at));
            }
            finish();
            return commands;
        }

        private void step(char sign) {
            if (Character.isWhitespace(sign) || sign == 0) {
                at++;
            } else if (sign == ';') {
                finish();
                start = ++at;
            } else if (text.startsWith("--", at)) {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (text.startsWith("/*", at)) {
                at = closing("*/", at + 2) + 2;
            } else if (sign == '"' || sign == '\'') {
                quoted(String.valueOf(sign));
            } else if (SIGNS.indexOf(sign) >= 0) {
                int end = at + 1;
                while (end < text.length() && SIGNS.indexOf(text.charAt(end)) >= 0) {
                    end++;
                }
                add(end);
            } else if (isWordPart(sign)) {
                int end = at + 1;
                while (end < text.length() && isWordPart(text.charAt(end))) {
                    end++;
                }
                add(end);
            } else {
                add(at + 1);
            }
        }

        private static boolean isWordPart(char sign) {
            return Character.isLetterOrDigit(sign) || sign == '_' || sign == '.' || sign == '-' || sign == '$';
        }

        private void add(int end) {
            words.add(new Word(text.substring(at, end), false));
            at = end;
        }

        private void quoted(String quote) {
            StringBuilder content = new StringBuilder();
            int from = at + 1;
            int end = closing(quote, from);
            while (text.startsWith(quote, end + 1)) {
                content.append(text, from, end + 1);
                from = end + 2;
                end = closing(quote, from);
            }
            words.add(new Word(content.append(text, from, end).toString(), true));
            at = end + 1;
        }

        private int closing(String sign, int from) {
            int end = text.indexOf(sign, from);
            if (end < 0) {
                throw AdminErrors.unterminated();
            }
            return end;
        }

        private void finish() {
            if (!words.isEmpty()) {
                commands.add(new Words(text.substring(start, at).strip(), words));
                words = new ArrayList<>();
            }
        }
    }
}
