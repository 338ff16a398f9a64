package dev.trunkline.routing.sql;

import java.util.Arrays;

/**
 * The VALUES lists of a statement whose rows all look alike, so that the shape holds one row for all; in the order of
 * the text. Of a list whose rows differ nothing is recorded: its rows stand in the shape one by one. Not thread-safe.
 */
public final class Rows {

    private int count;
    /** Per list: first row in {@link #start}, number of rows, closing parenthesis of the last row, parameter stride. */
    private int[] layout = new int[FIELDS];

    private int starts;
    private int[] start = new int[16];
    private int main = -1;

    private static final int FIELDS = 4;
    private static final int FIRST = 0;
    private static final int ROWS = 1;
    private static final int LAST_TOKEN = 2;
    private static final int STRIDE = 3;

    /** Number of lists. */
    public int count() {
        return count;
    }

    /** The list that stands outside all parentheses: what an INSERT inserts; -1 if there is none. */
    public int main() {
        return main;
    }

    /** Number of rows of a list, at least 1. */
    public int rows(int list) {
        return layout[list * FIELDS + ROWS];
    }

    /** The opening parenthesis of a row. */
    public int firstToken(int list, int row) {
        return start[layout[list * FIELDS + FIRST] + row];
    }

    /** The closing parenthesis of a row. */
    public int lastToken(int list, int row) {
        return row + 1 < rows(list) ? firstToken(list, row + 1) - 2 : layout[list * FIELDS + LAST_TOKEN];
    }

    /**
     * The distance of parameter numbers from row to row: where the first row has {@code $n}, row r has
     * {@code $(n + r * stride)}. 0 for a single row or rows without parameters. It belongs to the shape.
     */
    public int parameterStride(int list) {
        return layout[list * FIELDS + STRIDE];
    }

    void clear() {
        count = 0;
        starts = 0;
        main = -1;
    }

    int starts() {
        return starts;
    }

    void addStart(int token) {
        if (starts == start.length) {
            start = Arrays.copyOf(start, starts * 2);
        }
        start[starts++] = token;
    }

    /** Forgets the starts that belong to no list yet. */
    void dropStarts(int from) {
        starts = from;
    }

    /** Makes a list of the starts from {@code firstStart} on. */
    void add(int firstStart, int lastToken, int parameterStride, boolean outermost) {
        int at = count * FIELDS;
        if (at == layout.length) {
            layout = Arrays.copyOf(layout, at * 2);
        }
        layout[at + FIRST] = firstStart;
        layout[at + ROWS] = starts - firstStart;
        layout[at + LAST_TOKEN] = lastToken;
        layout[at + STRIDE] = parameterStride;
        if (outermost && main < 0) {
            main = count;
        }
        count++;
    }
}
