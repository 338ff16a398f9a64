package dev.trunkline.lookup;

import dev.trunkline.lookup.map.LookupMap;
import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The one place that sessions read and writers take back: a reference to the current {@link MapState}. Safe for any
 * thread; a change has its effect before the method returns.
 *
 * <p>A read of the lookup table may be published only while the map is open and in the generation that the reader saw
 * when it sent the read: every change by a writer raises the generation, so whatever was read before it is refused.
 * Generations are unique in the process: a map of a replaced configuration cannot be mistaken for its successor.
 */
final class PublishedMap {

    private static final AtomicLong GENERATIONS = new AtomicLong();

    private final AtomicReference<MapState> state;

    PublishedMap(KeyType type) {
        state = new AtomicReference<>(MapState.empty(LookupMap.empty(type), nextGeneration()));
    }

    MapState current() {
        return Objects.requireNonNull(state.get());
    }

    /** Forgets everything. */
    void invalidate() {
        state.updateAndGet(now -> now.invalidated(nextGeneration()));
    }

    /** Forgets everything and publishes nothing until the writer calls one of the two methods that open again. */
    void close() {
        state.updateAndGet(now -> now.closed(nextGeneration()));
    }

    /** Ends a {@link #close()} whose writer changed nothing for certain. */
    void open() {
        state.updateAndGet(MapState::reopened);
    }

    /** Ends a {@link #close()} whose writer changed something, or may have. */
    void openAfterChange() {
        state.updateAndGet(now -> now.reopenedAfterChange(nextGeneration()));
    }

    /**
     * Publishes a whole map.
     *
     * @param seen the state when the read was sent
     * @param readNanos when the read was sent
     * @return false if the state has moved on and the map must not be published
     */
    boolean publish(MapState seen, LookupMap map, long readNanos) {
        while (true) {
            MapState now = current();
            if (!accepts(now, seen, readNanos)) {
                return false;
            }
            if (state.compareAndSet(now, now.published(map, readNanos))) {
                return true;
            }
        }
    }

    /**
     * Publishes single entries beside the base.
     *
     * @param seen the state when the read was sent
     * @param readNanos when the read was sent
     * @return false if the state has moved on and the entries must not be published
     */
    boolean publishFound(MapState seen, Map<ShardingKey, ShardingKey> entries, long readNanos) {
        while (true) {
            MapState now = current();
            if (!accepts(now, seen, readNanos)) {
                return false;
            }
            if (state.compareAndSet(now, now.withFound(entries))) {
                return true;
            }
        }
    }

    /** Replaces a state by one with the same answers; without effect if the state has moved on. */
    boolean replace(MapState from, MapState same) {
        return state.compareAndSet(from, same);
    }

    private static boolean accepts(MapState now, MapState seen, long readNanos) {
        return now.isOpen()
                && now.generation() == seen.generation()
                && (!now.isLoaded() || readNanos - now.readNanos() >= 0);
    }

    /** Every generation that comes after this call is greater. */
    static long lastGeneration() {
        return GENERATIONS.get();
    }

    private static long nextGeneration() {
        return GENERATIONS.incrementAndGet();
    }
}
