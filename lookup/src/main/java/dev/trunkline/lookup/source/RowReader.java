package dev.trunkline.lookup.source;

import dev.trunkline.lookup.map.CanonicalKey;
import dev.trunkline.lookup.map.MapFault;
import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import org.jspecify.annotations.Nullable;

/** Makes keys of the two text columns of a row. For one thread at a time. */
final class RowReader {

    private static final int MAX_DIGITS = 9;

    private final KeyType type;
    private final CanonicalKey keys;
    private final boolean namesShard;

    RowReader(LookupQuery query) {
        type = query.type();
        keys = new CanonicalKey(type);
        namesShard = query.namesShard();
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
        ShardingKey value = namesShard ? shard(text) : keys.parse(text);
        if (value == null) {
            throw namesShard ? MapFault.noShardNumber(key, text) : MapFault.malformedValue(key, text, type);
        }
        return value;
    }

    /** A shard's number in the place of a key; null if the text is none. */
    private @Nullable ShardingKey shard(String text) {
        if (text.isEmpty() || text.length() > MAX_DIGITS || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return null;
        }
        int number = Integer.parseInt(text);
        return switch (type) {
            case BIGINT -> ShardingKey.ofLong(number);
            case VARCHAR -> ShardingKey.ofText(Integer.toString(number));
            case UUID -> ShardingKey.ofUuid(0, number);
        };
    }
}
