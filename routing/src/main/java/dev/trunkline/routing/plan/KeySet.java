package dev.trunkline.routing.plan;

import java.util.ArrayList;
import java.util.List;

/** The keys that rows of interest may have, as far as a predicate tells; an upper bound. */
sealed interface KeySet {

    /** No bound and no key. */
    enum Fixed implements KeySet {
        /** Any key. */
        ALL,
        /** No key: no row is of interest. */
        NONE
    }

    /** The keys at these places; a NULL among them is none. */
    record Values(List<KeyRef> refs) implements KeySet {}

    /** The key at this place; a NULL means rows without a key. */
    record NotDistinctFrom(KeyRef ref) implements KeySet {}

    /**
     * The keys of the rows of a VALUES list that is inserted.
     *
     * @param rows the place of the key in each row of the shape
     * @param list the list's number if the shape holds one row for all of it; else -1
     * @param stride the distance of parameter numbers from row to row
     */
    record Rows(List<KeyRef> rows, int list, int stride) implements KeySet {}

    /** Keys that are in any of these. */
    record Union(List<KeySet> parts) implements KeySet {}

    /** Keys that are in all of these. */
    record Intersection(List<KeySet> parts) implements KeySet {}

    static KeySet of(KeyRef ref) {
        return new Values(List.of(ref));
    }

    static KeySet union(List<KeySet> parts) {
        if (parts.contains(Fixed.ALL)) {
            return Fixed.ALL;
        }
        List<KeySet> some =
                parts.stream().filter(part -> part != Fixed.NONE).distinct().toList();
        return switch (some.size()) {
            case 0 -> Fixed.NONE;
            case 1 -> some.get(0);
            default -> new Union(some);
        };
    }

    static KeySet intersection(List<KeySet> parts) {
        List<KeySet> some = new ArrayList<>();
        for (KeySet part : parts) {
            if (part == Fixed.NONE) {
                return part;
            }
            if (part != Fixed.ALL && !some.contains(part)) {
                some.add(part);
            }
        }
        return switch (some.size()) {
            case 0 -> Fixed.ALL;
            case 1 -> some.get(0);
            default -> new Intersection(some);
        };
    }
}
