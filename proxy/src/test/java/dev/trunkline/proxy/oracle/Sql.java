package dev.trunkline.proxy.oracle;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One statement in every spelling that clients send: fixed once, so that subject and oracle get the same bytes.
 *
 * @param constants the text without parameters
 * @param marked the text with a question mark for each parameter
 * @param values of the parameters
 * @param inText what Bind carries in the text format
 * @param inBinary what Bind carries in the binary format
 * @param oids the parameters' types for Parse; 0 = left to the server
 */
record Sql(
        String constants,
        String marked,
        List<Value> values,
        List<@Nullable Object> inText,
        List<@Nullable Object> inBinary,
        List<Integer> oids) {

    /** A statement from a text with a question mark for each value; some of the values become constants. */
    static Sql of(Dice dice, String text, Value... values) {
        StringBuilder constants = new StringBuilder();
        StringBuilder marked = new StringBuilder();
        List<Value> parameters = new ArrayList<>();
        int at = 0;
        int inlinedPercent = dice.of(0, 0, 30, 100);
        for (Value value : values) {
            int mark = text.indexOf('?', at);
            if (mark < 0) {
                throw new IllegalArgumentException("too many values for: " + text);
            }
            String literal = value.literal(dice);
            constants.append(text, at, mark).append(literal);
            if (dice.percent(inlinedPercent)) {
                marked.append(text, at, mark).append(literal);
            } else {
                marked.append(text, at, mark + 1);
                parameters.add(value);
            }
            at = mark + 1;
        }
        if (text.indexOf('?', at) >= 0) {
            throw new IllegalArgumentException("too few values for: " + text);
        }
        constants.append(text, at, text.length());
        marked.append(text, at, text.length());
        return new Sql(
                constants.toString(),
                marked.toString(),
                List.copyOf(parameters),
                bound(parameters, false, dice),
                bound(parameters, true, dice),
                parameters.stream()
                        .map(value -> value.inferred() && dice.percent(50) ? 0 : value.type().oid)
                        .toList());
    }

    private static List<@Nullable Object> bound(List<Value> values, boolean binary, Dice dice) {
        List<@Nullable Object> bound = new ArrayList<>();
        values.forEach(value -> bound.add(value.bound(binary, dice)));
        return Collections.unmodifiableList(bound);
    }

    /** The text with {@code $1}, {@code $2} … for its parameters. */
    String numbered() {
        StringBuilder numbered = new StringBuilder();
        int number = 0;
        for (char c : marked.toCharArray()) {
            if (c == '?') {
                numbered.append('$').append(++number);
            } else {
                numbered.append(c);
            }
        }
        return numbered.toString();
    }

    int[] oidArray() {
        return oids.stream().mapToInt(Integer::intValue).toArray();
    }

    @Override
    public String toString() {
        return values.isEmpty() ? constants : numbered() + " with " + inText;
    }
}
