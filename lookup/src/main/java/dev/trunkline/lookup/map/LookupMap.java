package dev.trunkline.lookup.map;

import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map from sharding key to translated sharding key, both of one {@link KeyType}.
 *
 * <p>Safe for any thread. A hit neither blocks nor allocates; equal translated keys are one object. Asked for a key of
 * another type it answers null.
 */
public abstract sealed class LookupMap implements KeyTranslation permits FixedKeyMap, TextKeyMap {

    private final KeyType type;

    LookupMap(KeyType type) {
        this.type = type;
    }

    /** A map without entries. */
    public static LookupMap empty(KeyType type) {
        return LookupMapBuilder.of(type, Long.MAX_VALUE).build();
    }

    /** What the keys and the values are. */
    public final KeyType type() {
        return type;
    }

    /** The number of keys. */
    public abstract int size();

    /** The heap that this map holds, in bytes: a close estimate for a 64-bit JVM with compressed references. */
    public abstract long bytes();

    /** Hands every entry to an action, in no particular order. */
    public abstract void forEach(BiConsumer<ShardingKey, ShardingKey> action);

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
}
