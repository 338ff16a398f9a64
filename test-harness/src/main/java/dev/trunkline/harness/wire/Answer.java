package dev.trunkline.harness.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All that a server said up to ReadyForQuery.
 *
 * @param frames every message, ReadyForQuery last
 */
public record Answer(List<Frame> frames) {

    public Answer {
        frames = List.copyOf(frames);
    }

    /** The rows of all results in the order in which they came. */
    public List<List<@Nullable String>> rows() {
        List<List<@Nullable String>> rows = new ArrayList<>();
        for (Frame frame : frames) {
            if (frame.type() == 'D') {
                rows.add(Notation.values(frame));
            }
        }
        return rows;
    }

    /** The rows as {@code 1|ada}, sorted: for what has no order. */
    public List<String> sortedRows() {
        return notations('D').stream()
                .map(row -> row.substring(Math.min(2, row.length())))
                .sorted()
                .toList();
    }

    /** The one value of one row with one column. */
    public @Nullable String value() {
        List<List<@Nullable String>> rows = rows();
        if (rows.size() != 1 || rows.get(0).size() != 1) {
            throw new AssertionError("not one row of one column: " + this);
        }
        return rows.get(0).get(0);
    }

    /** The command tags in their order, for instance {@code INSERT 0 1}. */
    public List<String> tags() {
        return notations('C').stream().map(tag -> tag.substring(2)).toList();
    }

    /** The SQLSTATE of the first error; null if there is none. */
    public @Nullable String sqlState() {
        return field('C');
    }

    /** The message of the first error; null if there is none. */
    public @Nullable String message() {
        return field('M');
    }

    /** A field of the first error by its type: 'D' detail, 'H' hint, 'S' severity, 't' table …; null if there is none. */
    public @Nullable String field(char type) {
        for (Frame frame : frames) {
            if (frame.type() == 'E') {
                Map<Character, String> fields = Notation.fields(frame);
                return fields.get(type);
            }
        }
        return null;
    }

    /** This answer, if it holds no error; else an AssertionError. */
    public Answer ok() {
        if (sqlState() != null) {
            throw new AssertionError("unexpected error: " + Objects.requireNonNull(sqlState()) + " " + message());
        }
        return this;
    }

    /** The transaction status of ReadyForQuery: 'I', 'T' or 'E'. */
    public char status() {
        return (char) frames.get(frames.size() - 1).reader().int8();
    }

    private List<String> notations(char type) {
        return frames.stream()
                .filter(frame -> frame.type() == type)
                .map(Frame::toString)
                .toList();
    }
}
