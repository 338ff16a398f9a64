package dev.trunkline.lookup.source;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A node of a query's tree as PostgreSQL writes it: {@code {NAME :field value :field (value value)}}. A value is a word,
 * a list or a node; immutable.
 */
final class QueryTree {

    private final String name;
    private final Map<String, List<Object>> fields = new LinkedHashMap<>();

    private QueryTree(String name) {
        this.name = name;
    }

    /**
     * The nodes of a list of trees.
     *
     * @throws IllegalArgumentException if the text is not of that form
     */
    static List<QueryTree> parse(String text) {
        Reader reader = new Reader(text);
        List<Object> values = reader.values("");
        return nodes(values).toList();
    }

    /** What kind of node it is. */
    String name() {
        return name;
    }

    /** The first word of a field; empty if the field is not there, holds no word, or {@code <>}. */
    String word(String field) {
        List<Object> values = fields.getOrDefault(field, List.of());
        return values.isEmpty() || !(values.get(0) instanceof String word) || word.equals("<>") ? "" : word;
    }

    /** The words of a field's list, the letter first that says of what they are ({@code o} for identifiers). */
    List<String> words(String field) {
        List<Object> values = fields.getOrDefault(field, List.of());
        return values.isEmpty() || !(values.get(0) instanceof List<?> list)
                ? List.of()
                : list.stream().map(String::valueOf).toList();
    }

    /** The node of a field, or the first of its list; null if there is none. */
    @Nullable
    QueryTree node(String field) {
        return nodes(fields.getOrDefault(field, List.of())).findFirst().orElse(null);
    }

    /** This node and all below it. */
    void each(Consumer<QueryTree> visitor) {
        visitor.accept(this);
        fields.values().forEach(values -> nodes(values).forEach(node -> node.each(visitor)));
    }

    private static Stream<QueryTree> nodes(List<?> values) {
        return values.stream().flatMap(value -> {
            if (value instanceof QueryTree node) {
                return Stream.of(node);
            }
            return value instanceof List<?> list ? nodes(list) : Stream.empty();
        });
    }

    /** Words end at white space and at brackets; a backslash takes the meaning of the character behind it away. */
    private static final class Reader {
        private final String text;
        private int next;

        Reader(String text) {
            this.text = text;
        }

        /** Values up to this bracket, which is taken as well; empty = up to the end. */
        List<Object> values(String end) {
            List<Object> values = new ArrayList<>();
            for (String token = token(); !token.equals(end); token = token()) {
                values.add(value(token));
            }
            return values;
        }

        private Object value(String token) {
            return switch (token) {
                case "(" -> values(")");
                case "{" -> node();
                case "", ")", "}" -> throw new IllegalArgumentException("a bracket is missing or one too many");
                default -> token;
            };
        }

        private QueryTree node() {
            QueryTree node = new QueryTree(token());
            List<Object> field = new ArrayList<>();
            for (String token = token(); !token.equals("}"); token = token()) {
                if (token.startsWith(":")) {
                    field = node.fields.computeIfAbsent(token.substring(1), name -> new ArrayList<>());
                } else {
                    field.add(value(token));
                }
            }
            return node;
        }

        /** The next bracket or word; empty at the end. */
        private String token() {
            while (next < text.length() && Character.isWhitespace(text.charAt(next))) {
                next++;
            }
            int start = next;
            if (next < text.length() && isBracket(text.charAt(next))) {
                next++;
            } else {
                while (next < text.length() && !isEnd(text.charAt(next))) {
                    next += text.charAt(next) == '\\' ? 2 : 1;
                }
                next = Math.min(next, text.length());
            }
            return text.substring(start, next);
        }

        private static boolean isEnd(char character) {
            return Character.isWhitespace(character) || isBracket(character);
        }

        private static boolean isBracket(char character) {
            return "(){}".indexOf(character) >= 0;
        }
    }
}
