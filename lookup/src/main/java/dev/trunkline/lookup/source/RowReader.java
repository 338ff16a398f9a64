package dev.trunkline.lookup.source;

import dev.trunkline.lookup.map.CanonicalKey;
import dev.trunkline.lookup.map.MapFault;
import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import org.jspecify.annotations.Nullable;

/** Makes keys of the two text columns of a row. For one thread at a time. */
final class RowReader {

    private final KeyType type;
    private final CanonicalKey keys;

    RowReader(KeyType type) {
        this.type = type;
        keys = new CanonicalKey(type);
    }

    /** The key; null for a row that no statement can mean: its key is NULL or not of the type. */
    @Nullable
    ShardingKey key(@Nullable String text) {
        return text == null ? null : keys.parse(text);
    }

    /**
     * The value of a row whose key is not null.
     *
     * @throws MapFault if it is NULL or not of the type
     */
    ShardingKey value(ShardingKey key, @Nullable String text) {
        if (text == null) {
            throw MapFault.nullValue(key);
        }
        ShardingKey value = keys.parse(text);
        if (value == null) {
            throw MapFault.malformedValue(key, text, type);
        }
        return value;
    }
}
