package dev.trunkline.lookup;

import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What has happened to one map since the start. Safe for any thread. */
final class LookupCounters {

    final LongAdder loads = new LongAdder();
    final LongAdder loadErrors = new LongAdder();
    final LongAdder rejectedLoads = new LongAdder();
    final LongAdder probes = new LongAdder();
    final LongAdder misses = new LongAdder();
    final LongAdder unmapped = new LongAdder();
    final LongAdder timeouts = new LongAdder();
    final LongAdder ownReads = new LongAdder();
    final LongAdder ownHits = new LongAdder();
    final LongAdder ownMisses = new LongAdder();
    final LongAdder invalidations = new LongAdder();

    private volatile boolean loading;
    private volatile long lastLoadMillis;
    private volatile @Nullable String lastError;

    void loading(boolean underWay) {
        loading = underWay;
    }

    boolean isLoading() {
        return loading;
    }

    void loadedIn(long millis) {
        lastLoadMillis = millis;
        lastError = null;
    }

    long lastLoadMillis() {
        return lastLoadMillis;
    }

    void failed(String reason) {
        lastError = reason;
    }

    @Nullable
    String lastError() {
        return lastError;
    }
}
