package dev.trunkline.routing.plan;

import dev.trunkline.routing.tree.Window;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the expressions of one query level hold that concerns all of its rows. */
final class Level {

    /** The VALUES list of whose rows the shape holds one, if these expressions stand in it; else -1. */
    final int list;
    /** The distance of parameter numbers from row to row of that list. */
    final int stride;

    /** Each of these expressions is computed once for the statement, or once for each row that it lists. */
    final boolean once;

    /** Windows over which functions run. */
    final List<Window> windows = new ArrayList<>();

    boolean aggregated;
    /** A function that may be an aggregate; null if there is none. */
    @Nullable
    String maybeAggregate;

    Level() {
        this(-1, 0, false);
    }

    Level(int list, int stride, boolean once) {
        this.list = list;
        this.stride = stride;
        this.once = once;
    }
}
