package dev.trunkline.routing.sql;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Finds the key word that a word spells: open addressing over a table that is built once. A word of up to eight bytes is
 * compared as one number.
 */
final class Keywords {

    private static final Keyword[] ALL = Keyword.values();
    /** A power of two, sparse enough that a word that is no key word mostly meets an empty place. */
    private static final int SIZE = 4096;

    private static final int SHIFT = 64 - 12;
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
    private static final byte[][] SPELLING = new byte[ALL.length][];
    private static final long[] PACKED = new long[ALL.length];
    private static final short[] PLACES = new short[SIZE];
    private static final int LONGEST;

    static {
        int longest = 0;
        for (Keyword keyword : ALL) {
            byte[] spelling = keyword.name().toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII);
            SPELLING[keyword.ordinal()] = spelling;
            PACKED[keyword.ordinal()] = Words.pack(spelling, 0, Math.min(spelling.length, Words.STEP));
            if (keyword != Keyword.NONE_OF_THEM) {
                enter(keyword);
                longest = Math.max(longest, spelling.length);
            }
        }
        LONGEST = longest;
    }

    private Keywords() {}

    static Keyword at(int ordinal) {
        return ALL[ordinal];
    }

    /** The ordinal of the key word that text[from, to), not empty, spells in whatever case; 0 if none. */
    static int ordinalOf(byte[] text, int from, int to) {
        int length = to - from;
        if (length > LONGEST) {
            return 0;
        }
        long packed = Words.pack(text, from, Math.min(length, Words.STEP));
        int place = place(packed);
        int ordinal;
        while ((ordinal = PLACES[place]) != 0) {
            if (PACKED[ordinal] == packed && isRest(SPELLING[ordinal], text, from, length)) {
                return ordinal;
            }
            place = (place + 1) & (SIZE - 1);
        }
        return 0;
    }

    private static int place(long packed) {
        return (int) ((packed * MULTIPLIER) >>> SHIFT);
    }

    /** Whether the lengths are equal and all bytes after the eighth, too. */
    private static boolean isRest(byte[] word, byte[] text, int from, int length) {
        if (word.length != length) {
            return false;
        }
        for (int i = Words.STEP; i < length; i++) {
            if (word[i] != Bytes.fold(text[from + i])) {
                return false;
            }
        }
        return true;
    }

    private static void enter(Keyword keyword) {
        int place = place(PACKED[keyword.ordinal()]);
        while (PLACES[place] != 0) {
            place = (place + 1) & (SIZE - 1);
        }
        PLACES[place] = (short) keyword.ordinal();
    }
}
