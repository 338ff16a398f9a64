package dev.trunkline.proxy.engine;

import dev.trunkline.lookup.Lookups;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.KeyTranslations;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots by which one statement was translated, so that it can be asked before the statement is sent whether they
 * still hold. Filled again for each statement.
 */
final class UsedTranslations implements KeyTranslations {

    private final Lookups lookups;
    private final RouteCounters counters;
    private @Nullable KeyTranslation[] snapshots = new KeyTranslation[1];
    private boolean any;
    private boolean forbidden;

    UsedTranslations(Lookups lookups, RouteCounters counters) {
        this.lookups = lookups;
        this.counters = counters;
    }

    /**
     * Begins a statement.
     *
     * @param inMarkedTransaction the transaction has written a lookup table: nothing may be translated
     */
    void begin(boolean inMarkedTransaction) {
        forbidden = inMarkedTransaction;
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
        if (forbidden) {
            throw EngineErrors.translationInMarkedTransaction();
        }
        ensure(lookup);
        KeyTranslation snapshot = snapshots[lookup];
        if (snapshot == null) {
            snapshot = lookups.translation(lookup);
            counters.translated(lookup);
            snapshots[lookup] = snapshot;
            any = true;
        }
        return snapshot;
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
