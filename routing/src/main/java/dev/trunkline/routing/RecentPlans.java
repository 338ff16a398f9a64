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
    /** Uses that the entry itself has not been told of: it is shared, and counting there would cost the loops dear. */
    private final long[] hits = new long[SIZE];

    @Nullable
    Analysis get(PlanCache.Key key) {
        int place = place(key);
        Known known = places[place];
        if (known == null || !known.key().equals(key)) {
            return null;
        }
        hits[place]++;
        return known.analysis();
    }

    void put(Known known) {
        int place = place(known.key());
        publishHits(place);
        places[place] = known;
        hits[place] = 1;
    }

    /** Tells every entry how often it was used. */
    void publishHits() {
        for (int place = 0; place < SIZE; place++) {
            publishHits(place);
        }
    }

    private void publishHits(int place) {
        Known known = places[place];
        if (known != null && hits[place] > 0) {
            known.hits().add(hits[place]);
            hits[place] = 0;
        }
    }

    private static int place(PlanCache.Key key) {
        return key.hashCode() & SIZE - 1;
    }
}
