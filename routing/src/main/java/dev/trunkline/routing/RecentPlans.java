package dev.trunkline.routing;

import dev.trunkline.routing.PlanCache.Known;
import org.jspecify.annotations.Nullable;

/**
 * What one event loop has found in the {@link PlanCache} of late, by fingerprint: a look at one place, which writes
 * nothing that is shared. Not thread-safe.
 */
final class RecentPlans {

    /** A power of two. */
    private static final int SIZE = 64;

    private final @Nullable Known[] places = new Known[SIZE];

    @Nullable
    Analysis get(PlanCache.Key key) {
        Known known = places[place(key)];
        return known != null && known.key().equals(key) ? known.analysis() : null;
    }

    void put(Known known) {
        places[place(known.key())] = known;
    }

    private static int place(PlanCache.Key key) {
        return key.hashCode() & SIZE - 1;
    }
}
