package dev.trunkline.routing;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.trunkline.routing.sql.Shape;
import dev.trunkline.routing.sql.ShapeText;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What was found out about statement shapes, shared by all event loops; bounded by bytes. Safe for any thread. */
public final class PlanCache {

    /** What a plan weighs beside its canonical bytes: a guess from heap dumps of common statements. */
    private static final int ENTRY_BYTES = 2_000;

    private static final byte[] NOTHING = {};

    private final Cache<Key, Known> analyses;
    private final LongAdder misses = new LongAdder();

    /** An entry, with the key under which it is kept. */
    record Known(Key key, Analysis analysis, LongAdder hits) {

        Known(Key key, Analysis analysis) {
            this(key, analysis, new LongAdder());
        }
    }

    /**
     * A plan as operators see it.
     *
     * @param shape the statement's shape, with {@code ?} for constants
     * @param uses statements of this shape, the first included
     */
    public record PlanView(String shape, long uses) {}

    /** A cache of about this size. */
    public PlanCache(long maximumBytes) {
        this.analyses = Caffeine.newBuilder()
                .maximumWeight(maximumBytes)
                .weigher((Key key, Known known) -> ENTRY_BYTES + 4 * key.canonical.length)
                .build();
    }

    /** Plans that are kept, about. */
    public long count() {
        return analyses.estimatedSize();
    }

    /** Statements that were analysed because no plan was kept for their shape. */
    public long misses() {
        return misses.sum();
    }

    /** The plans that are kept, most used first; uses that an event loop has not published are missing. */
    public List<PlanView> view(int limit) {
        return analyses.asMap().values().stream()
                .map(known -> new PlanView(known.key.text(), known.hits.sum()))
                .sorted(Comparator.comparingLong(PlanView::uses).reversed())
                .limit(limit)
                .toList();
    }

    @Nullable
    Known get(Key key) {
        return analyses.getIfPresent(key);
    }

    Known put(Key key, Analysis analysis) {
        misses.increment();
        Known known = new Known(key, analysis);
        analyses.put(key, known);
        return known;
    }

    /** A shape, and what else the meaning of its statements depends on. */
    static final class Key {

        private final long router;
        private final RoutingContext context;
        private final long fingerprint;
        /** Null for a key to be kept: it has the bytes instead. */
        private final @Nullable Shape shape;

        private final byte[] canonical;

        /**
         * A key for looking up, valid until the shape is filled again.
         *
         * @param router the number of the router: it stands for the rules and the catalog
         */
        Key(long router, RoutingContext context, Shape shape) {
            this(router, context, shape.fingerprint(), shape, NOTHING);
        }

        private Key(long router, RoutingContext context, long fingerprint, @Nullable Shape shape, byte[] canonical) {
            this.router = router;
            this.context = context;
            this.fingerprint = fingerprint;
            this.shape = shape;
            this.canonical = canonical;
        }

        /** The shape as people read it. */
        String text() {
            return ShapeText.of(canonical);
        }

        /** A key to be kept. */
        Key lasting() {
            return shape == null ? this : new Key(router, context, fingerprint, null, shape.toByteArray());
        }

        /** Equal fingerprints alone do not make equal shapes: clients choose the text. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key
                    && fingerprint == key.fingerprint
                    && router == key.router
                    && hasSameShape(key)
                    && (context == key.context || context.equals(key.context));
        }

        private boolean hasSameShape(Key key) {
            if (shape != null) {
                return key.shape == null ? shape.matches(key.canonical) : shape == key.shape;
            }
            return key.shape == null ? Arrays.equals(canonical, key.canonical) : key.shape.matches(canonical);
        }

        @Override
        public int hashCode() {
            return Long.hashCode(fingerprint ^ router);
        }
    }
}
