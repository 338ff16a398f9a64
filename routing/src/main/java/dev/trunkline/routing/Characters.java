package dev.trunkline.routing;

/** Characters of a text that is kept as UTF-8. */
final class Characters {

    private Characters() {}

    /** How many characters begin before a byte. */
    static int count(byte[] utf8, int end) {
        int count = 0;
        for (int i = 0; i < end; i++) {
            if (begins(utf8[i])) {
                count++;
            }
        }
        return count;
    }

    /** The byte at which the character behind this many others begins; the length if there is none. */
    static int offset(byte[] utf8, int characters) {
        int left = characters;
        int i = 0;
        while (i < utf8.length && (left > 0 || !begins(utf8[i]))) {
            if (begins(utf8[i])) {
                left--;
            }
            i++;
        }
        return i;
    }

    private static boolean begins(byte unit) {
        return (unit & 0xC0) != 0x80;
    }
}
