package dev.trunkline.routing.sql;

import java.util.Arrays;

/**
 * The constants of a statement that its shape leaves open, numbered from 0 in the order of the text.
 *
 * <p>A slot has elements: one for a single constant, as many as the list is long for an IN list, as many as there are
 * rows for a constant within a VALUES list. An element is the token that holds the constant, and a sign. How many slots
 * there are and their kinds belong to the shape; the elements belong to the statement. Not thread-safe.
 */
public final class Slots {

    private int count;
    private byte[] kind = new byte[16];
    /** Per slot: first token, token after the last, place of its first element, distance of elements, their number. */
    private int[] layout = new int[16 * FIELDS];

    private int elements;
    private int[] element = new int[16];

    private static final int FIELDS = 5;
    private static final int FROM = 0;
    private static final int TO = 1;
    private static final int OFFSET = 2;
    private static final int STRIDE = 3;
    private static final int SIZE = 4;

    public int count() {
        return count;
    }

    public SlotKind kind(int slot) {
        return SlotKind.at(kind[slot]);
    }

    /** Number of elements, at least 1. */
    public int size(int slot) {
        return layout[slot * FIELDS + SIZE];
    }

    /** The token that holds an element's constant, the sign apart. */
    public int token(int slot, int index) {
        int token = element(slot, index);
        return token < 0 ? ~token : token;
    }

    /**
     * Whether a minus sign within the slot stands before the element. The sign before a slot of kind NUMBER does not
     * belong to the slot; it is an operator of the statement.
     */
    public boolean isNegative(int slot, int index) {
        return element(slot, index) < 0;
    }

    /** The first token of the slot's text; of its first row's for a slot within a VALUES list. */
    public int firstToken(int slot) {
        return layout[slot * FIELDS + FROM];
    }

    /** The token after the slot's text; after its first row's for a slot within a VALUES list. */
    public int endToken(int slot) {
        return layout[slot * FIELDS + TO];
    }

    private int element(int slot, int index) {
        int at = slot * FIELDS;
        return element[layout[at + OFFSET] + index * layout[at + STRIDE]];
    }

    void clear() {
        truncate(0, 0);
    }

    int elements() {
        return elements;
    }

    void truncate(int slots, int newElements) {
        count = slots;
        elements = newElements;
    }

    /** Forgets the slots from {@code newCount} on, but keeps their elements. */
    void dropSlots(int newCount) {
        count = newCount;
    }

    /** Adds a slot whose elements are those added next. */
    void add(SlotKind newKind, int from, int to) {
        if (count == kind.length) {
            kind = Arrays.copyOf(kind, count * 2);
            layout = Arrays.copyOf(layout, count * 2 * FIELDS);
        }
        int at = count * FIELDS;
        kind[count++] = (byte) newKind.ordinal();
        layout[at + FROM] = from;
        layout[at + TO] = to;
        layout[at + OFFSET] = elements;
        layout[at + STRIDE] = 1;
        layout[at + SIZE] = 1;
    }

    void addElement(int token, boolean negative) {
        if (elements == element.length) {
            element = Arrays.copyOf(element, elements * 2);
        }
        element[elements++] = negative ? ~token : token;
    }

    /** Says how many elements the last slot has. */
    void setSize(int size) {
        layout[(count - 1) * FIELDS + SIZE] = size;
    }

    /** Says that the slots from {@code first} on have one element in each of several rows, stored row by row. */
    void setRows(int first, int rows) {
        for (int slot = first; slot < count; slot++) {
            layout[slot * FIELDS + STRIDE] = count - first;
            layout[slot * FIELDS + SIZE] = rows;
        }
    }
}
