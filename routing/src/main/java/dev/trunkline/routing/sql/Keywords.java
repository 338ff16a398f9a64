package dev.trunkline.routing.sql;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Finds the key word that a word spells: open addressing over a table that is built once. */
final class Keywords {

    private static final Keyword[] ALL = Keyword.values();
    /** A power of two, sparse enough that a word that is no key word mostly meets an empty place. */
    private static final int SIZE = 4096;

    private static final int SHIFT = 32 - 12;
    private static final byte[][] SPELLING = new byte[ALL.length][];
    private static final short[] PLACES = new short[SIZE];
    private static final int LONGEST;

    static {
        int longest = 0;
        for (Keyword keyword : ALL) {
            byte[] spelling = keyword.name().toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII);
            SPELLING[keyword.ordinal()] = spelling;
            if (keyword != Keyword.NONE_OF_THEM) {
                enter(keyword, spelling);
                longest = Math.max(longest, spelling.length);
            }
        }
        LONGEST = longest;
    }

    private Keywords() {}

    static Keyword at(int ordinal) {
        return ALL[ordinal];
    }

    /** One step of the hash that {@link #ordinalOf} expects; case does not count. */
    static int hashStep(int hash, int character) {
        return hash * 31 + (character | 0x20);
    }

    /** The ordinal of the key word that text[from, to) spells in whatever case; 0 if none. */
    static int ordinalOf(byte[] text, int from, int to, int hash) {
        if (to - from > LONGEST) {
            return 0;
        }
        int place = spread(hash);
        int ordinal;
        while ((ordinal = PLACES[place]) != 0) {
            if (equalsFolded(SPELLING[ordinal], text, from, to)) {
                return ordinal;
            }
            place = (place + 1) & (SIZE - 1);
        }
        return 0;
    }

    private static int spread(int hash) {
        return (hash * 0x9E3779B1) >>> SHIFT;
    }

    private static boolean equalsFolded(byte[] word, byte[] text, int from, int to) {
        if (word.length != to - from) {
            return false;
        }
        for (int i = 0; i < word.length; i++) {
            if (word[i] != Bytes.fold(text[from + i])) {
                return false;
            }
        }
        return true;
    }

    private static void enter(Keyword keyword, byte[] spelling) {
        int hash = 0;
        for (byte character : spelling) {
            hash = hashStep(hash, character);
        }
        int place = spread(hash);
        while (PLACES[place] != 0) {
            place = (place + 1) & (SIZE - 1);
        }
        PLACES[place] = (short) keyword.ordinal();
    }
}
