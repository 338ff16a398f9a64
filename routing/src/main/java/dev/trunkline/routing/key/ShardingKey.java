package dev.trunkline.routing.key;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A sharding key value in canonical form; immutable. Equal values of one type are equal objects.
 *
 * <p>One class per type, because a lookup holds millions of them: each has only the fields that it needs.
 */
public abstract sealed class ShardingKey {

    private static final byte[] NO_BYTES = {};

    /** The key of an int2, int4 or int8 value. */
    public static ShardingKey ofLong(long value) {
        return new LongKey(value);
    }

    /** The key of a uuid, given as two big-endian longs. */
    public static ShardingKey ofUuid(long mostSignificant, long leastSignificant) {
        return new UuidKey(mostSignificant, leastSignificant);
    }

    /** The key of a text, given as UTF-8 bytes, which are copied. */
    public static ShardingKey ofText(byte[] bytes, int offset, int length) {
        return new TextKey(Arrays.copyOfRange(bytes, offset, offset + length));
    }

    /** The key of a text. */
    public static ShardingKey ofText(String text) {
        return new TextKey(text.getBytes(StandardCharsets.UTF_8));
    }

    public abstract KeyType type();

    /** The integer; only for {@link KeyType#BIGINT}. */
    public long longValue() {
        return 0;
    }

    /** The first eight bytes, big-endian; only for {@link KeyType#UUID}. */
    public long mostSignificant() {
        return 0;
    }

    /** The last eight bytes, big-endian; only for {@link KeyType#UUID}. */
    public long leastSignificant() {
        return 0;
    }

    /** The UTF-8 bytes, not to be changed; only for {@link KeyType#VARCHAR}. */
    public byte[] bytes() {
        return NO_BYTES;
    }

    /** The translation of this key in a snapshot, or null when the snapshot has no row for it. */
    public abstract @Nullable ShardingKey translatedBy(KeyTranslation translation);

    @Override
    public abstract boolean equals(@Nullable Object other);

    @Override
    public abstract int hashCode();

    /** The value as PostgreSQL prints it. */
    @Override
    public abstract String toString();

    private static final class LongKey extends ShardingKey {

        private final long value;

        LongKey(long value) {
            this.value = value;
        }

        @Override
        public KeyType type() {
            return KeyType.BIGINT;
        }

        @Override
        public long longValue() {
            return value;
        }

        @Override
        public @Nullable ShardingKey translatedBy(KeyTranslation translation) {
            return translation.translate(value);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof LongKey key && value == key.value;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(value);
        }

        @Override
        public String toString() {
            return Long.toString(value);
        }
    }

    private static final class UuidKey extends ShardingKey {

        private final long high;
        private final long low;

        UuidKey(long high, long low) {
            this.high = high;
            this.low = low;
        }

        @Override
        public KeyType type() {
            return KeyType.UUID;
        }

        @Override
        public long mostSignificant() {
            return high;
        }

        @Override
        public long leastSignificant() {
            return low;
        }

        @Override
        public @Nullable ShardingKey translatedBy(KeyTranslation translation) {
            return translation.translate(high, low);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof UuidKey key && high == key.high && low == key.low;
        }

        @Override
        public int hashCode() {
            return 31 * Long.hashCode(high) + Long.hashCode(low);
        }

        @Override
        public String toString() {
            return new UUID(high, low).toString();
        }
    }

    private static final class TextKey extends ShardingKey {

        private final byte[] bytes;

        TextKey(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public KeyType type() {
            return KeyType.VARCHAR;
        }

        @Override
        public byte[] bytes() {
            return bytes;
        }

        @Override
        public @Nullable ShardingKey translatedBy(KeyTranslation translation) {
            return translation.translate(bytes, 0, bytes.length);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof TextKey key && Arrays.equals(bytes, key.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }

        @Override
        public String toString() {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }
}
