package dev.trunkline.routing.key;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A sharding key value in canonical form; immutable. Equal values of one type are equal objects. */
public final class ShardingKey {

    private static final byte[] NO_BYTES = {};

    private final KeyType type;
    private final long high;
    private final long low;
    private final byte[] bytes;

    private ShardingKey(KeyType type, long high, long low, byte[] bytes) {
        this.type = type;
        this.high = high;
        this.low = low;
        this.bytes = bytes;
    }

    /** The key of an int2, int4 or int8 value. */
    public static ShardingKey ofLong(long value) {
        return new ShardingKey(KeyType.BIGINT, 0, value, NO_BYTES);
    }

    /** The key of a uuid, given as two big-endian longs. */
    public static ShardingKey ofUuid(long mostSignificant, long leastSignificant) {
        return new ShardingKey(KeyType.UUID, mostSignificant, leastSignificant, NO_BYTES);
    }

    /** The key of a text, given as UTF-8 bytes, which are copied. */
    public static ShardingKey ofText(byte[] bytes, int offset, int length) {
        return new ShardingKey(KeyType.VARCHAR, 0, 0, Arrays.copyOfRange(bytes, offset, offset + length));
    }

    /** The key of a text. */
    public static ShardingKey ofText(String text) {
        return new ShardingKey(KeyType.VARCHAR, 0, 0, text.getBytes(StandardCharsets.UTF_8));
    }

    public KeyType type() {
        return type;
    }

    /** The integer; only for {@link KeyType#BIGINT}. */
    public long longValue() {
        return low;
    }

    /** The first eight bytes, big-endian; only for {@link KeyType#UUID}. */
    public long mostSignificant() {
        return high;
    }

    /** The last eight bytes, big-endian; only for {@link KeyType#UUID}. */
    public long leastSignificant() {
        return low;
    }

    /** The UTF-8 bytes, not to be changed; only for {@link KeyType#VARCHAR}. */
    public byte[] bytes() {
        return bytes;
    }

    /** The translation of this key in a snapshot, or null when the snapshot has no row for it. */
    public @Nullable ShardingKey translatedBy(KeyTranslation translation) {
        return switch (type) {
            case BIGINT -> translation.translate(low);
            case UUID -> translation.translate(high, low);
            case VARCHAR -> translation.translate(bytes, 0, bytes.length);
        };
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ShardingKey key
                && type == key.type
                && high == key.high
                && low == key.low
                && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
        return type.ordinal() + 31 * (Long.hashCode(high) + 31 * (Long.hashCode(low) + 31 * Arrays.hashCode(bytes)));
    }

    /** The value as PostgreSQL prints it. */
    @Override
    public String toString() {
        return switch (type) {
            case BIGINT -> Long.toString(low);
            case UUID -> new UUID(high, low).toString();
            case VARCHAR -> new String(bytes, StandardCharsets.UTF_8);
        };
    }
}
