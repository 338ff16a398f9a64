package dev.trunkline.routing.key;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A sharding key value in canonical form, in place: what {@link ShardingKey} is, but mutable and without a copy of the
 * bytes. Filled by a {@link KeyDecoder}, read at once, never kept.
 */
public final class DecodedKey {

    private static final byte[] NO_BYTES = {};

    private KeyType type = KeyType.BIGINT;
    private long high;
    private long low;
    private byte[] bytes = NO_BYTES;
    private int offset;
    private int length;

    void setLong(long value) {
        type = KeyType.BIGINT;
        low = value;
    }

    void setUuid(long mostSignificant, long leastSignificant) {
        type = KeyType.UUID;
        high = mostSignificant;
        low = leastSignificant;
    }

    void setText(byte[] newBytes, int newOffset, int newLength) {
        type = KeyType.VARCHAR;
        bytes = newBytes;
        offset = newOffset;
        length = newLength;
    }

    void setText(String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        setText(encoded, 0, encoded.length);
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

    /** The array that holds the text; only for {@link KeyType#VARCHAR}. */
    public byte[] bytes() {
        return bytes;
    }

    /** Where the text begins in {@link #bytes}. */
    public int offset() {
        return offset;
    }

    /** The length of the text in bytes. */
    public int length() {
        return length;
    }

    /** A lasting copy. */
    public ShardingKey toKey() {
        return switch (type) {
            case BIGINT -> ShardingKey.ofLong(low);
            case UUID -> ShardingKey.ofUuid(high, low);
            case VARCHAR -> ShardingKey.ofText(bytes, offset, length);
        };
    }

    /** Whether both hold the same value. */
    public boolean sameAs(DecodedKey other) {
        return type == other.type
                && switch (type) {
                    case BIGINT -> low == other.low;
                    case UUID -> high == other.high && low == other.low;
                    case VARCHAR ->
                        Arrays.equals(
                                bytes, offset, offset + length, other.bytes, other.offset, other.offset + other.length);
                };
    }
}
