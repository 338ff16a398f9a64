package dev.trunkline.routing.plan;

/** Where a sharding key value stands in a statement. Equal places are equal objects. */
sealed interface KeyRef {

    /**
     * A constant; with all its elements, if it is an IN list.
     *
     * @param slot the slot of the shape, as {@code ~slot} where a minus sign stands before it
     * @param cast it is cast to a type of the key's family
     */
    record Constant(int slot, boolean cast) implements KeyRef {}

    /** A string constant that spells an array. */
    record ArrayConstant(int slot) implements KeyRef {}

    /**
     * A parameter.
     *
     * @param cast it is cast to a type of the key's family
     */
    record Parameter(int number, boolean cast) implements KeyRef {}

    /** A parameter that is an array. */
    record ArrayParameter(int number) implements KeyRef {}

    /** The key word NULL. */
    enum Fixed implements KeyRef {
        NULL
    }
}
