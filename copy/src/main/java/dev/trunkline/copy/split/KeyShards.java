package dev.trunkline.copy.split;

import dev.trunkline.routing.key.DecodedKey;
import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The keys that one COPY has translated, all of one type, with their shards: what it rests on can be looked at again when
 * it ends. Finds a key without allocating, and in few places of memory. Not thread-safe.
 */
public final class KeyShards {

    /** What {@link #shard} answers for a key that is not there. */
    public static final int NONE = -1;

    private static final int MOST_KEYS = 1 << 22;
    private static final int MOST_TEXT_BYTES = 1 << 28;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;
    private static final int FIRST_SLOTS = 256;
    private static final long HASH = 0xFFFF_FFFF_0000_0000L;

    // Open addressing: the upper half of the hash, below it the key's number plus one; 0 = free.
    private long[] slots = new long[FIRST_SLOTS];
    private int[] shards = new int[FIRST_SLOTS / 2];
    private int size;
    private KeyType type = KeyType.BIGINT;
    /** Where the text of each key ends; it begins where the one before ends. */
    private int[] ends = new int[FIRST_SLOTS / 2];

    private byte[] text = new byte[FIRST_SLOTS * Long.BYTES];
    /** Two for each key: an integer, a uuid, or the first eight bytes of a text and its length. */
    private long[] numbers = new long[FIRST_SLOTS];

    /** The shard of a key, or {@link #NONE}. */
    public int shard(DecodedKey key) {
        long hash = hash(key);
        int mask = slots.length - 1;
        for (int slot = (int) hash & mask; slots[slot] != 0; slot = slot + 1 & mask) {
            long found = slots[slot];
            if (((found ^ hash) & HASH) == 0) {
                int number = (int) found - 1;
                if (isSame(number, key)) {
                    return shards[number];
                }
            }
        }
        return NONE;
    }

    /** Adds a key that is not there. */
    public void add(DecodedKey key, int shard) {
        if (size == shards.length) {
            grow();
        }
        type = key.type();
        shards[size] = shard;
        switch (type) {
            case BIGINT -> numbers[2 * size] = key.longValue();
            case UUID -> {
                numbers[2 * size] = key.mostSignificant();
                numbers[2 * size + 1] = key.leastSignificant();
            }
            case VARCHAR -> addText(key);
        }
        size++;
        long hash = hash(key);
        occupy(slots, hash & HASH | size, (int) hash);
    }

    private void addText(DecodedKey key) {
        int begin = begin(size);
        int end = begin + key.length();
        if (end > text.length) {
            text = Arrays.copyOf(text, Math.max(end, 2 * text.length));
        }
        System.arraycopy(key.bytes(), key.offset(), text, begin, key.length());
        ends[size] = end;
        numbers[2 * size] = firstWord(key.bytes(), key.offset(), key.length());
        numbers[2 * size + 1] = key.length();
    }

    /** How many keys there are. */
    public int size() {
        return size;
    }

    /** True when no more should be added. */
    public boolean isFull() {
        return size >= MOST_KEYS || begin(size) >= MOST_TEXT_BYTES;
    }

    /** The key with this number, counted from 0 in the order in which they were added. */
    public ShardingKey key(int number) {
        return switch (type) {
            case BIGINT -> ShardingKey.ofLong(numbers[2 * number]);
            case UUID -> ShardingKey.ofUuid(numbers[2 * number], numbers[2 * number + 1]);
            case VARCHAR -> ShardingKey.ofText(text, begin(number), ends[number] - begin(number));
        };
    }

    /** The shard of the key with this number. */
    public int shardOf(int number) {
        return shards[number];
    }

    private int begin(int number) {
        return number == 0 ? 0 : ends[number - 1];
    }

    private void grow() {
        int most = 2 * shards.length;
        shards = Arrays.copyOf(shards, most);
        ends = Arrays.copyOf(ends, most);
        numbers = Arrays.copyOf(numbers, 2 * most);
        long[] larger = new long[2 * most];
        for (int number = 0; number < size; number++) {
            long hash = hashOf(number);
            occupy(larger, hash & HASH | number + 1, (int) hash);
        }
        slots = larger;
    }

    private static void occupy(long[] slots, long entry, int hash) {
        int mask = slots.length - 1;
        int slot = hash & mask;
        while (slots[slot] != 0) {
            slot = slot + 1 & mask;
        }
        slots[slot] = entry;
    }

    private boolean isSame(int number, DecodedKey key) {
        return switch (type) {
            case BIGINT -> numbers[2 * number] == key.longValue();
            case UUID ->
                numbers[2 * number] == key.mostSignificant() && numbers[2 * number + 1] == key.leastSignificant();
            case VARCHAR -> {
                int length = key.length();
                yield numbers[2 * number + 1] == length
                        && numbers[2 * number] == firstWord(key.bytes(), key.offset(), length)
                        && (length <= Long.BYTES || isSame(text, begin(number), key.bytes(), key.offset(), length));
            }
        };
    }

    /** Compares texts of more than eight bytes that begin with the same eight. */
    private static boolean isSame(byte[] one, int from, byte[] other, int otherFrom, int length) {
        int last = length - Long.BYTES;
        for (int at = Long.BYTES; at < last; at += Long.BYTES) {
            if ((long) LONGS.get(one, from + at) != (long) LONGS.get(other, otherFrom + at)) {
                return false;
            }
        }
        return (long) LONGS.get(one, from + last) == (long) LONGS.get(other, otherFrom + last);
    }

    /** The first eight bytes; zeros stand for those that a shorter text does not have. */
    private static long firstWord(byte[] bytes, int offset, int length) {
        if (length >= Long.BYTES) {
            return (long) LONGS.get(bytes, offset);
        }
        if (offset <= bytes.length - Long.BYTES) {
            return (long) LONGS.get(bytes, offset) & (1L << length * Byte.SIZE) - 1;
        }
        long word = 0;
        for (int at = offset + length - 1; at >= offset; at--) {
            word = word << Byte.SIZE | bytes[at] & 0xFF;
        }
        return word;
    }

    private long hashOf(int number) {
        return switch (type) {
            case BIGINT -> hash(numbers[2 * number]);
            case UUID -> hash(numbers[2 * number], numbers[2 * number + 1]);
            case VARCHAR -> hash(text, begin(number), ends[number] - begin(number));
        };
    }

    private static long hash(DecodedKey key) {
        return switch (key.type()) {
            case BIGINT -> hash(key.longValue());
            case UUID -> hash(key.mostSignificant(), key.leastSignificant());
            case VARCHAR -> hash(key.bytes(), key.offset(), key.length());
        };
    }

    private static long hash(long value) {
        return mix(value ^ MULTIPLIER);
    }

    private static long hash(long high, long low) {
        return mix(mix(high ^ MULTIPLIER) ^ low);
    }

    private static long hash(byte[] bytes, int offset, int length) {
        long hash = mix(length * MULTIPLIER ^ firstWord(bytes, offset, length));
        if (length > Long.BYTES) {
            int last = offset + length - Long.BYTES;
            for (int at = offset + Long.BYTES; at < last; at += Long.BYTES) {
                hash = mix(hash ^ (long) LONGS.get(bytes, at));
            }
            // Some of the last eight have been read already.
            hash = mix(hash ^ (long) LONGS.get(bytes, last));
        }
        return hash;
    }

    private static long mix(long value) {
        return Math.multiplyHigh(value, MULTIPLIER) ^ value * MULTIPLIER;
    }
}
