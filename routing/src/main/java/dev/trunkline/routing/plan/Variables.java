package dev.trunkline.routing.plan;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/**
 * The columns that a statement compares, what their values are known to be, and which equal which.
 *
 * <p>A <em>flow</em> from one column to another says: rows are of interest only if the second column's value is one
 * that the first has in some row of interest. So whatever bounds the first bounds the second. Inner equality is a flow
 * both ways; the condition of an outer join flows to the side whose rows may be missing; a correlated subquery's
 * condition flows inwards.
 */
final class Variables {

    /** No column, or one that nobody can tell. */
    static final int NONE = -1;

    private final List<ColumnClass> classes = new ArrayList<>();
    private final List<Integer> typmods = new ArrayList<>();
    private final List<List<KeySet>> bounds = new ArrayList<>();
    private final List<BitSet> flowsFrom = new ArrayList<>();
    private final List<Integer> representative = new ArrayList<>();

    /** A new column of a class and with a type modifier, -1 = none. */
    int add(ColumnClass columnClass, int typmod) {
        int variable = classes.size();
        classes.add(columnClass);
        typmods.add(typmod);
        bounds.add(new ArrayList<>());
        flowsFrom.add(new BitSet());
        representative.add(variable);
        return variable;
    }

    ColumnClass columnClass(int variable) {
        return classes.get(variable);
    }

    int typmod(int variable) {
        return typmods.get(variable);
    }

    void bound(int variable, KeySet keys) {
        if (keys != KeySet.Fixed.ALL) {
            bounds.get(variable).add(keys);
        }
    }

    void flow(int from, int to) {
        if (from != to && areComparable(from, to)) {
            flowsFrom.get(to).set(from);
        }
    }

    /** In every row of interest both have the same value. */
    void equate(int one, int other) {
        if (areComparable(one, other)) {
            flow(one, other);
            flow(other, one);
            representative.set(find(one), find(other));
        }
    }

    private boolean areComparable(int one, int other) {
        return one != NONE
                && other != NONE
                && classes.get(one) == classes.get(other)
                && classes.get(one) != ColumnClass.OTHER;
    }

    /** Whether both have the same value in every row of interest. */
    boolean areSame(int one, int other) {
        return one != NONE && other != NONE && find(one) == find(other);
    }

    private int find(int variable) {
        int at = variable;
        while (representative.get(at) != at) {
            at = representative.get(at);
        }
        return at;
    }

    /** What the values of a column in rows of interest are known to be. */
    KeySet keys(int variable) {
        List<KeySet> all = new ArrayList<>();
        BitSet reaching = reaching(variable);
        for (int v = reaching.nextSetBit(0); v >= 0; v = reaching.nextSetBit(v + 1)) {
            all.addAll(bounds.get(v));
        }
        return KeySet.intersection(all);
    }

    /** Whether the values of one column bound those of another. */
    boolean reaches(int from, int to) {
        return reaching(to).get(from);
    }

    private BitSet reaching(int variable) {
        BitSet seen = new BitSet();
        Deque<Integer> open = new ArrayDeque<>();
        seen.set(variable);
        open.add(variable);
        while (!open.isEmpty()) {
            BitSet from = flowsFrom.get(open.remove());
            for (int v = from.nextSetBit(0); v >= 0; v = from.nextSetBit(v + 1)) {
                if (!seen.get(v)) {
                    seen.set(v);
                    open.add(v);
                }
            }
        }
        return seen;
    }
}
