package dev.trunkline.lookup;

import dev.trunkline.lookup.map.LookupMap;
import dev.trunkline.lookup.map.LookupMapBuilder;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.ShardingKey;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is published about one map, as one immutable object: a session reads a single reference and has a
 * consistent answer.
 *
 * <p>While writers are committing a change ({@code closers > 0}) and before a load, both maps are empty, so that every
 * key is a miss.
 */
final class MapState implements KeyTranslation {

    private final LookupMap none;
    private final long generation;
    private final int closers;
    private final boolean loaded;
    private final long readNanos;
    private final LookupMap base;
    private final LookupMap found;

    private MapState(
            LookupMap none,
            long generation,
            int closers,
            boolean loaded,
            long readNanos,
            LookupMap base,
            LookupMap found) {
        this.none = none;
        this.generation = generation;
        this.closers = closers;
        this.loaded = loaded;
        this.readNanos = readNanos;
        this.base = base;
        this.found = found;
    }

    /** Nothing is known yet. */
    static MapState empty(LookupMap none, long generation) {
        return new MapState(none, generation, 0, false, Long.MIN_VALUE, none, none);
    }

    /** Nothing is known any more. */
    MapState invalidated(long newGeneration) {
        return without(newGeneration, closers);
    }

    /** Nothing is known, and nothing may be published until the writer who begins here has ended. */
    MapState closed(long newGeneration) {
        return without(newGeneration, closers + 1);
    }

    /** One writer fewer, who changed nothing: what is being read now may be published. */
    MapState reopened() {
        return without(generation, closers - 1);
    }

    /** One writer fewer, who may have changed anything: what is being read now must not be published. */
    MapState reopenedAfterChange(long newGeneration) {
        return without(newGeneration, closers - 1);
    }

    private MapState without(long newGeneration, int newClosers) {
        return new MapState(none, newGeneration, newClosers, false, Long.MIN_VALUE, none, none);
    }

    /** A whole map in place of everything before. */
    MapState published(LookupMap map, long mapReadNanos) {
        return new MapState(none, generation, 0, true, mapReadNanos, map, none);
    }

    /** The same base with more single entries beside it; a key that is known keeps its value. */
    MapState withFound(Map<ShardingKey, ShardingKey> entries) {
        LookupMapBuilder builder = LookupMapBuilder.from(found, Long.MAX_VALUE);
        entries.forEach((key, value) -> {
            if (key.translatedBy(this) == null) {
                builder.put(key, value);
            }
        });
        return new MapState(none, generation, closers, loaded, readNanos, base, builder.build());
    }

    /** The same content with another division between base and single entries. */
    MapState folded(LookupMap newBase, LookupMap newFound) {
        return new MapState(none, generation, closers, loaded, readNanos, newBase, newFound);
    }

    @Override
    public @Nullable ShardingKey translate(long value) {
        ShardingKey known = base.translate(value);
        return known != null ? known : found.translate(value);
    }

    @Override
    public @Nullable ShardingKey translate(long mostSignificant, long leastSignificant) {
        ShardingKey known = base.translate(mostSignificant, leastSignificant);
        return known != null ? known : found.translate(mostSignificant, leastSignificant);
    }

    @Override
    public @Nullable ShardingKey translate(byte[] bytes, int offset, int length) {
        ShardingKey known = base.translate(bytes, offset, length);
        return known != null ? known : found.translate(bytes, offset, length);
    }

    /** Whether everything that the other state answers is still what this one answers. */
    boolean continues(MapState other) {
        return this == other || (generation == other.generation && base == other.base && closers == 0);
    }

    long generation() {
        return generation;
    }

    boolean isOpen() {
        return closers == 0;
    }

    boolean isLoaded() {
        return loaded;
    }

    /** When the read behind the base was sent; {@link Long#MIN_VALUE} before a load. */
    long readNanos() {
        return readNanos;
    }

    LookupMap base() {
        return base;
    }

    LookupMap found() {
        return found;
    }
}
