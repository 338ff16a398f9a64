package dev.trunkline.routing.sql;

import java.util.Arrays;

/**
 * The parameter numbers in the rows of one VALUES list: whether they grow by the same number from row to row, as those
 * that drivers generate do.
 */
final class RowParameters {

    private int[] number = new int[16];
    private int count;
    private int row;
    private int seen;
    private int stride;
    private boolean regular;

    void clear() {
        count = 0;
        row = 0;
        seen = 0;
        stride = 0;
        regular = true;
    }

    void nextRow() {
        row++;
        seen = 0;
    }

    void add(int newNumber, boolean isFirstRow) {
        if (isFirstRow) {
            if (count == number.length) {
                number = Arrays.copyOf(number, count * 2);
            }
            number[count++] = newNumber;
            regular &= newNumber > 0;
        } else {
            compare(newNumber);
        }
    }

    private void compare(int newNumber) {
        int place = seen++;
        if (place >= count) {
            regular = false;
            return;
        }
        if (row == 1 && place == 0) {
            stride = newNumber - number[0];
        }
        regular &= newNumber > 0 && newNumber == number[place] + row * stride;
    }

    /** Whether all rows up to the present one follow the rule. */
    boolean isRowRegular() {
        return regular;
    }

    /** 0 for one row and for rows without parameters. */
    int stride() {
        return stride;
    }

    /** Appends the numbers of the first row and the distance, if there are parameters. */
    void appendTo(ByteBuilder canonical) {
        for (int i = 0; i < count; i++) {
            canonical.appendInt(number[i]);
        }
        if (count > 0) {
            canonical.appendInt(stride);
        }
    }
}
