package dev.trunkline.lookup;

import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.ShardingKey;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;

/** A statement that waits for its keys to be verified. Only on the loader's event loop. */
final class Miss {

    private final long number;
    private final List<ShardingKey> keys;
    private final long newestCommit;
    private final long deadlineNanos;
    private final Promise<KeyTranslation> promise;
    private boolean byLoad;
    private boolean parked;

    /**
     * A statement that waits.
     *
     * @param number in order of arrival
     * @param newestCommit the newest marked commit in flight at arrival, see {@link CommitTickets#newest}
     * @param byLoad only a whole load may answer, not a probe
     */
    Miss(
            long number,
            List<ShardingKey> keys,
            long newestCommit,
            long deadlineNanos,
            boolean byLoad,
            Promise<KeyTranslation> promise) {
        this.number = number;
        this.keys = keys;
        this.newestCommit = newestCommit;
        this.deadlineNanos = deadlineNanos;
        this.byLoad = byLoad;
        this.promise = promise;
    }

    long number() {
        return number;
    }

    List<ShardingKey> keys() {
        return keys;
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    Promise<KeyTranslation> promise() {
        return promise;
    }

    boolean byLoad() {
        return byLoad;
    }

    /** From now on only a whole load may answer. */
    void leaveToLoad() {
        byLoad = true;
    }

    /** Whether it takes part in reads; a parked miss waits for commits to settle. */
    boolean isActive() {
        return !parked;
    }

    /** Waits for the commits that were in flight at its arrival. */
    void park() {
        parked = true;
    }

    /** Takes part in reads again if those commits have settled. */
    void unpark(long oldestCommit) {
        if (maySayNo(oldestCommit)) {
            parked = false;
        }
    }

    /** Whether a read sent when {@code oldestCommit} was the oldest commit in flight may say "no row". */
    boolean maySayNo(long oldestCommit) {
        return newestCommit < oldestCommit;
    }

    /** Whether a snapshot answers every key. */
    boolean isAnsweredBy(KeyTranslation snapshot) {
        return isAnswered(keys, snapshot);
    }

    static boolean isAnswered(List<ShardingKey> keys, KeyTranslation snapshot) {
        for (ShardingKey key : keys) {
            if (key.translatedBy(snapshot) == null) {
                return false;
            }
        }
        return true;
    }

    /** The keys that a snapshot does not answer. */
    List<ShardingKey> missingIn(KeyTranslation snapshot) {
        List<ShardingKey> missing = new ArrayList<>();
        for (ShardingKey key : keys) {
            if (key.translatedBy(snapshot) == null) {
                missing.add(key);
            }
        }
        return missing;
    }
}
