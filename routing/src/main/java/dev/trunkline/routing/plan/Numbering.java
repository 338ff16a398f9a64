package dev.trunkline.routing.plan;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Numbers the constants that a plan asks for, and puts the numbers in the place of their slots. */
final class Numbering {

    private final Map<Integer, Integer> numbers = new LinkedHashMap<>();
    private boolean parameters;

    /** The slots, by number. */
    int[] slots() {
        return numbers.keySet().stream().mapToInt(Integer::intValue).toArray();
    }

    /** A parameter has been seen. */
    boolean parameters() {
        return parameters;
    }

    KeySet numbered(KeySet keys) {
        if (keys instanceof KeySet.Values values) {
            return new KeySet.Values(values.refs().stream().map(this::numbered).toList());
        }
        if (keys instanceof KeySet.NotDistinctFrom same) {
            return new KeySet.NotDistinctFrom(numbered(same.ref()));
        }
        if (keys instanceof KeySet.Rows rows) {
            List<KeyRef> refs = rows.rows().stream().map(this::numbered).toList();
            return new KeySet.Rows(refs, rows.list(), rows.stride());
        }
        if (keys instanceof KeySet.Union union) {
            return new KeySet.Union(union.parts().stream().map(this::numbered).toList());
        }
        if (keys instanceof KeySet.Intersection both) {
            return new KeySet.Intersection(
                    both.parts().stream().map(this::numbered).toList());
        }
        return keys;
    }

    KeyRef numbered(KeyRef ref) {
        if (ref instanceof KeyRef.Constant constant) {
            return new KeyRef.Constant(number(constant.slot()), constant.cast());
        }
        if (ref instanceof KeyRef.ArrayConstant constant) {
            return new KeyRef.ArrayConstant(number(constant.slot()));
        }
        parameters |= ref instanceof KeyRef.Parameter || ref instanceof KeyRef.ArrayParameter;
        return ref;
    }

    private int number(int slot) {
        return numbers.computeIfAbsent(slot, absent -> numbers.size());
    }
}
