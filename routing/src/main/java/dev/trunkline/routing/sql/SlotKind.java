package dev.trunkline.routing.sql;

/** What a slot of a {@link Shape} stands for. */
public enum SlotKind {
    /** One string constant of unknown type. */
    STRING,
    /** One number, without its sign. */
    NUMBER,
    /** One constant that has a type of its own: {@code B'…'}, {@code X'…'} (bit), {@code N'…'} (bpchar). */
    TYPED,
    /** All elements of {@code IN ('a', 'b', …)}. */
    STRING_LIST,
    /** All elements of {@code IN (1, -2, …)}, with their signs. */
    NUMBER_LIST,
    /**
     * The constants in one place of every row of a VALUES list, one for each row: strings and numbers (with their
     * signs), typed constants, and the words NULL, TRUE, FALSE and DEFAULT, in any mixture.
     */
    ROW_CONSTANT;

    private static final SlotKind[] VALUES = values();

    static SlotKind at(int ordinal) {
        return VALUES[ordinal];
    }

    /** Whether the slot stands for an IN list. */
    public boolean isList() {
        return this == STRING_LIST || this == NUMBER_LIST;
    }
}
