package dev.trunkline.conf.load;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A coarse look at a lookup query: one statement that reads, without parameters. Whether it is valid SQL with two
 * columns is for the server to say.
 */
final class LookupQuery {

    private static final Set<String> READING = Set.of("select", "with", "table", "values");

    /** The parts of SQL that may hide a semicolon or a dollar sign, then what is looked for, then anything else. */
    private static final Pattern PART = Pattern.compile(
            "(?<blank>\\s+|--[^\\r\\n]*)"
                    + "|(?<comment>/\\*)"
                    + "|(?<escaped>(?i:e)'(?:[^'\\\\]|''|\\\\.)*+')"
                    + "|(?<quoted>'(?:[^']|'')*+'|\"(?:[^\"]|\"\")*+\")"
                    + "|\\$(?<tag>(?:[A-Za-z_\\x80-\\uFFFF][A-Za-z0-9_\\x80-\\uFFFF]*)?)\\$"
                    + "|(?<parameter>\\$[0-9]+)"
                    + "|(?<open>(?i:e)'|['\"])"
                    + "|(?<word>[A-Za-z_\\x80-\\uFFFF][A-Za-z0-9_$\\x80-\\uFFFF]*)"
                    + "|(?<semicolon>;)"
                    + "|(?<other>.)",
            Pattern.DOTALL);

    private final String text;
    private String firstWord = "";
    private int end = -1;
    private boolean hasParameter;
    private boolean hasSecondStatement;
    private boolean isUnterminated;

    private LookupQuery(String text) {
        this.text = text;
    }

    static LookupQuery of(String text) {
        LookupQuery query = new LookupQuery(text);
        query.scan();
        return query;
    }

    /** The query without a semicolon at its end, so that it can be put in parentheses. */
    String statement() {
        return (end < 0 ? text : text.substring(0, end)).strip();
    }

    /** What keeps it from being a lookup query, or nothing. */
    Optional<String> fault() {
        if (isUnterminated) {
            return Optional.of("a quoted text or a comment does not end");
        }
        if (!READING.contains(firstWord)) {
            return Optional.of("must be a SELECT (or begin with WITH, TABLE or VALUES)");
        }
        if (hasSecondStatement) {
            return Optional.of("must be one statement");
        }
        return hasParameter ? Optional.of("must not have parameters") : Optional.empty();
    }

    private void scan() {
        Matcher part = PART.matcher(text);
        int position = 0;
        while (position < text.length() && part.find(position)) {
            position = see(part);
        }
    }

    /** Notes one part and answers where the next one starts. */
    private int see(Matcher part) {
        if (part.group("comment") != null) {
            return endOfComment(part.end());
        }
        if (part.group("blank") != null) {
            return part.end();
        }
        if (part.group("semicolon") != null) {
            end = end < 0 ? part.start() : end;
            return part.end();
        }
        hasSecondStatement |= end >= 0;
        hasParameter |= part.group("parameter") != null;
        isUnterminated |= part.group("open") != null;
        if (firstWord.isEmpty() && !"(".equals(part.group("other"))) {
            firstWord = part.group().toLowerCase(Locale.ROOT);
        }
        return part.group("tag") == null ? part.end() : endOfDollarQuote(part.group(), part.end());
    }

    /** Comments nest. */
    private int endOfComment(int from) {
        int depth = 1;
        int i = from;
        while (i < text.length() && depth > 0) {
            boolean opens = text.startsWith("/*", i);
            boolean closes = text.startsWith("*/", i);
            depth += opens ? 1 : closes ? -1 : 0;
            i += opens || closes ? 2 : 1;
        }
        isUnterminated |= depth > 0;
        return i;
    }

    private int endOfDollarQuote(String delimiter, int from) {
        int close = text.indexOf(delimiter, from);
        isUnterminated |= close < 0;
        return close < 0 ? text.length() : close + delimiter.length();
    }
}
