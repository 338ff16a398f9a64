package dev.trunkline.lookup.map;

import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;

/** Collects the entries of a {@link LookupMap}. For one thread at a time; of no use after {@link #build()}. */
public abstract sealed class LookupMapBuilder permits FixedKeyMap.Builder, TextKeyMap.Builder {

    /** Three quarters: at most 8.5 neighbouring slots are read for an absent key, 2.5 for a present one. */
    private static final int SLOTS_PER_THREE_ENTRIES = 4;

    private static final int CHECK_SIZE_EVERY = 4096;

    /** Keeps every index of every table within an int. */
    private static final int MAX_ENTRIES = 1 << 29;

    private final long maxBytes;

    LookupMapBuilder(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * A builder without entries.
     *
     * @param maxBytes a map that would need more is refused
     */
    public static LookupMapBuilder of(KeyType type, long maxBytes) {
        return switch (type) {
            case BIGINT, UUID -> new FixedKeyMap.Builder(type, maxBytes);
            case VARCHAR -> new TextKeyMap.Builder(maxBytes);
        };
    }

    /** A builder that starts with the entries of a map, which is left as it is. */
    public static LookupMapBuilder from(LookupMap map, long maxBytes) {
        if (map instanceof FixedKeyMap fixed) {
            return new FixedKeyMap.Builder(fixed, maxBytes);
        }
        return new TextKeyMap.Builder((TextKeyMap) map, maxBytes);
    }

    /**
     * Adds an entry; one that is there already is accepted.
     *
     * @throws MapFault if the key has another value already, or the map became too large
     */
    public final void put(ShardingKey key, ShardingKey value) {
        ShardingKey present = putIfAbsent(key, value);
        if (!present.equals(value)) {
            throw MapFault.twoValues(key, present, value);
        }
        if (size() % CHECK_SIZE_EVERY == 0 && (bytes() > maxBytes || size() >= MAX_ENTRIES)) {
            throw MapFault.tooLarge(size(), maxBytes);
        }
    }

    /** The map of everything that was put. */
    public abstract LookupMap build();

    /** The number of keys so far. */
    public abstract int size();

    /** Adds an entry unless the key has one; the value that the key has now. */
    abstract ShardingKey putIfAbsent(ShardingKey key, ShardingKey value);

    /** The heap that the entries hold. */
    abstract long bytes();

    static int slotsFor(int entries) {
        return (int) Math.min((long) entries * SLOTS_PER_THREE_ENTRIES / 3 + 1, Integer.MAX_VALUE - 8);
    }
}
