package dev.trunkline.lookup;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.ShardingKey;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The statements that wait for keys of one map, in order of arrival. Only on the loader's event loop. */
final class MissQueue {

    private final SharedLookup lookup;
    private final Map<Long, Miss> waiting = new LinkedHashMap<>();
    private final Duration wait;
    private final Timers timers;
    private Timers.@Nullable Timer expiry;
    private long expiryNanos;
    private long arrivals;

    MissQueue(SharedLookup lookup, Duration wait, Timers timers) {
        this.lookup = lookup;
        this.wait = wait;
        this.timers = timers;
    }

    /** Adds a statement; completes when it is answered. */
    Future<KeyTranslation> add(List<ShardingKey> keys, long deadlineNanos, boolean byLoad) {
        Promise<KeyTranslation> promise = Promise.promise();
        arrivals++;
        waiting.put(arrivals, new Miss(arrivals, keys, lookup.commits().newest(), deadlineNanos, byLoad, promise));
        armExpiry();
        return promise.future();
    }

    /** The number of the last statement that arrived. */
    long lastArrival() {
        return arrivals;
    }

    boolean hasActive(Predicate<Miss> which) {
        return waiting.values().stream().anyMatch(miss -> miss.isActive() && which.test(miss));
    }

    List<Miss> active(Predicate<Miss> which) {
        return waiting.values().stream()
                .filter(miss -> miss.isActive() && which.test(miss))
                .toList();
    }

    /** Answers whom the published state answers now. */
    void settleByPublished() {
        MapState published = lookup.map().current();
        for (Miss miss : snapshot()) {
            if (miss.isAnsweredBy(published)) {
                complete(miss, published);
            }
        }
    }

    /** Answers whom a load answers, in one way or the other. */
    void settleByLoad(ReadStamp stamp, KeyTranslation loaded) {
        settleByPublished();
        for (Miss miss : snapshot()) {
            if (miss.number() <= stamp.lastMiss()) {
                settle(miss, stamp, loaded);
            }
        }
    }

    /** Answers one statement by a read that was sent after its arrival; parks it if it cannot be told "no row" yet. */
    void settle(Miss miss, ReadStamp stamp, KeyTranslation read) {
        MapState published = lookup.map().current();
        if (miss.isAnsweredBy(published)) {
            complete(miss, published);
        } else if (miss.isAnsweredBy(read)) {
            complete(miss, read);
        } else if (miss.maySayNo(stamp.oldestCommit())) {
            lookup.counters().unmapped.increment();
            fail(miss, LookupErrors.noRow(lookup.definition(), miss.missingIn(read)));
        } else {
            miss.park();
            miss.unpark(lookup.commits().oldest());
        }
    }

    void fail(Miss miss, PgException error) {
        remove(miss);
        boolean ignoredIfAnswered = miss.promise().tryFail(error);
    }

    void failAll(PgException error) {
        snapshot().forEach(miss -> fail(miss, error));
    }

    PgException timedOut() {
        return LookupErrors.timedOut(lookup.definition(), wait);
    }

    /** One timer, for the first deadline: statements of transactions that may hold locks wait less long than others. */
    private void armExpiry() {
        long now = timers.nanoTime();
        OptionalLong left = waiting.values().stream()
                .mapToLong(miss -> miss.deadlineNanos() - now)
                .min();
        if (left.isEmpty() || expiry != null && expiryNanos - now <= left.getAsLong()) {
            return;
        }
        if (expiry != null) {
            expiry.cancel();
        }
        expiryNanos = now + left.getAsLong();
        expiry = timers.schedule(Timers.millis(left.getAsLong()), this::expire);
    }

    private void expire() {
        expiry = null;
        long now = timers.nanoTime();
        for (Miss miss : snapshot()) {
            if (miss.deadlineNanos() - now <= 0) {
                lookup.counters().timeouts.increment();
                fail(miss, timedOut());
            }
        }
        armExpiry();
    }

    /** Some commit has settled. */
    void unpark() {
        long oldest = lookup.commits().oldest();
        waiting.values().forEach(miss -> miss.unpark(oldest));
    }

    /** Whether the statement has not been answered. */
    boolean holds(Miss miss) {
        return waiting.containsKey(miss.number());
    }

    private void complete(Miss miss, KeyTranslation answer) {
        remove(miss);
        boolean ignoredIfAnswered = miss.promise().tryComplete(answer);
    }

    private void remove(Miss miss) {
        waiting.remove(miss.number());
    }

    /** Completing a promise may add to the queue. */
    private List<Miss> snapshot() {
        return new ArrayList<>(waiting.values());
    }
}
