package dev.trunkline.proxy.engine;

import dev.trunkline.lookup.Lookups;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.KeyTranslations;
import dev.trunkline.routing.key.ShardingKey;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots by which one statement was translated, so that it can be asked before the statement is sent whether they
 * still hold. Filled again for each statement.
 */
final class UsedTranslations implements KeyTranslations {

    /** Every key is to be read first. */
    private static final KeyTranslation NOT_READ = new KeyTranslation() {
        @Override
        public @Nullable ShardingKey translate(long value) {
            return null;
        }

        @Override
        public @Nullable ShardingKey translate(long mostSignificant, long leastSignificant) {
            return null;
        }

        @Override
        public @Nullable ShardingKey translate(byte[] bytes, int offset, int length) {
            return null;
        }
    };

    private final Lookups lookups;
    private final RouteCounters counters;
    private @Nullable KeyTranslation[] snapshots = new KeyTranslation[1];
    private boolean any;
    private long own;

    UsedTranslations(Lookups lookups, RouteCounters counters) {
        this.lookups = lookups;
        this.counters = counters;
    }

    /**
     * Begins a statement.
     *
     * @param written the lookups that the statement's transaction has written, which it reads by itself: bit i = the
     *     lookup with index i
     */
    void begin(long written) {
        own = written;
        if (any) {
            any = false;
            Arrays.fill(snapshots, null);
        }
    }

    /** The statement's keys were verified by this snapshot: the next attempt to route uses it. */
    void verified(int lookup, KeyTranslation snapshot) {
        any = true;
        ensure(lookup);
        snapshots[lookup] = snapshot;
    }

    @Override
    public KeyTranslation translation(int lookup) {
        ensure(lookup);
        KeyTranslation snapshot = snapshots[lookup];
        if (snapshot == null && isOwn(lookup)) {
            return NOT_READ;
        }
        if (snapshot == null) {
            snapshot = lookups.translation(lookup);
            counters.translated(lookup);
            snapshots[lookup] = snapshot;
            any = true;
        }
        return snapshot;
    }

    /** True for a lookup that the statement's transaction has written: what others see of it is of no use. */
    boolean isOwn(int lookup) {
        return (own & 1L << lookup) != 0;
    }

    private void ensure(int lookup) {
        if (lookup >= snapshots.length) {
            snapshots = Arrays.copyOf(snapshots, lookup + 1);
        }
    }

    /** True when every snapshot used still says what it said. */
    boolean areCurrent() {
        if (any) {
            for (int i = 0; i < snapshots.length; i++) {
                KeyTranslation snapshot = snapshots[i];
                if (snapshot != null && !lookups.isCurrent(i, snapshot)) {
                    return false;
                }
            }
        }
        return true;
    }
}
