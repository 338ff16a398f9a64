package dev.trunkline.routing.sql;

/**
 * What stands for a slot in normalised text: a string {@code 's12'} or {@code 'l12'} or {@code 'r12'}, or a number from
 * {@value #FIRST_NUMBER} on. No constant of the client can be taken for one: every constant that could is a slot.
 */
public final class Markers {

    /** The number that stands for slot 0. */
    public static final long FIRST_NUMBER = 7_000_000_000_000_000L;

    private static final int MAX_SLOTS = 1_000_000_000;
    private static final int SAFE_DIGITS = 15;

    private Markers() {}

    /** The slot that a string of normalised text stands for; -1 if it is a constant that was kept. */
    public static int slotOf(String value) {
        if (value.length() < 2 || value.length() > 10 || "slr".indexOf(value.charAt(0)) < 0) {
            return -1;
        }
        int slot = 0;
        for (int i = 1; i < value.length(); i++) {
            int digit = value.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            slot = slot * 10 + digit;
        }
        return slot;
    }

    /** The slot that a number of normalised text stands for; -1 if it is a constant that was kept. */
    public static int slotOf(long value) {
        return value >= FIRST_NUMBER && value < FIRST_NUMBER + MAX_SLOTS ? (int) (value - FIRST_NUMBER) : -1;
    }

    /** Appends, in SQL, what stands for a slot; a list with its parentheses. */
    static void append(SlotKind kind, int slot, StringBuilder into) {
        switch (kind) {
            case NUMBER -> into.append(FIRST_NUMBER + slot);
            case NUMBER_LIST -> into.append('(').append(FIRST_NUMBER + slot).append(')');
            case STRING_LIST -> into.append("('l").append(slot).append("')");
            case ROW_CONSTANT -> into.append("'r").append(slot).append('\'');
            case STRING, TYPED -> into.append("'s").append(slot).append('\'');
        }
    }

    /** Whether a number is too short to be one that stands for a slot. */
    static boolean cannotBeMistaken(Tokens tokens, int token) {
        return tokens.end(token) - tokens.start(token) <= SAFE_DIGITS;
    }
}
