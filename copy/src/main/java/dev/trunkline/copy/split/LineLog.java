package dev.trunkline.copy.split;

import java.util.Arrays;

/**
 * Which line of the client each line is that one shard has got, so that an error can be placed in the client's stream. A
 * server reports what it reads, and what is on the way to it is bounded by the buffers of sockets: lines longer ago are
 * forgotten.
 */
final class LineLog {

    /** One MiB of lines, more than sockets hold of lines that are not very short. */
    private static final int MOST_LINES = 1 << 18;

    private static final int FIRST_LINES = 1 << 10;

    private int[] ring = new int[FIRST_LINES];
    private long count;
    private long latest;
    /** How many lines of the shard the first row is, if it is more of the client's; else 0. */
    private int foldedLines;

    /**
     * The shard has got a row that spans these lines of the client.
     *
     * @param asFirst how many the server takes it for if it is its first
     */
    void addRow(long from, long to, int asFirst) {
        if (count == 0 && to - from + 1 > asFirst) {
            foldedLines = asFirst;
        }
        add(count == 0 ? to - asFirst + 1 : from, to);
    }

    /** True for a line of which the shard may have been anywhere in several of the client's while it read it. */
    boolean isFolded(long line) {
        return line <= foldedLines;
    }

    /** The shard has got these lines of the client. */
    void add(long from, long to) {
        for (long line = from; line <= to; line++) {
            if (count >= ring.length && ring.length < MOST_LINES) {
                ring = Arrays.copyOf(ring, 2 * ring.length);
            }
            // The lowest bits will do: a line that is remembered is less than 2^32 lines ago.
            ring[(int) count & ring.length - 1] = (int) line;
            count++;
        }
        latest = to;
    }

    /** The client's line, counted from 1, as the shard counts this one, from 1; 0 when it is forgotten or not there. */
    long clientLine(long line) {
        if (line < 1 || line > count || line <= count - ring.length) {
            return 0;
        }
        int low = ring[(int) (line - 1) & ring.length - 1];
        long distance = (int) latest - low & 0xFFFF_FFFFL;
        return latest - distance;
    }
}
