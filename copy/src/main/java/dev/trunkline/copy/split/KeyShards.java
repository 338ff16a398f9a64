package dev.trunkline.copy.split;

import dev.trunkline.routing.key.DecodedKey;
import dev.trunkline.routing.key.ShardingKey;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The keys that one COPY has translated, with their shards: what it rests on can be looked at again when it ends. Finds a
 * key without allocating. Not thread-safe.
 */
public final class KeyShards {

    /** What {@link #shard} answers for a key that is not there. */
    public static final int NONE = -1;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;
    private static final int FIRST_SLOTS = 256;

    // Open addressing: the entry's number plus one, 0 = free.
    private int[] slots = new int[FIRST_SLOTS];
    private int[] hashes = new int[FIRST_SLOTS / 2];
    private int[] shards = new int[FIRST_SLOTS / 2];
    private ShardingKey[] keys = new ShardingKey[FIRST_SLOTS / 2];
    private int size;

    /** The shard of a key, or {@link #NONE}. */
    public int shard(DecodedKey key) {
        int hash = hash(key);
        int mask = slots.length - 1;
        for (int slot = hash & mask; slots[slot] != 0; slot = slot + 1 & mask) {
            int entry = slots[slot] - 1;
            if (hashes[entry] == hash && isSame(keys[entry], key)) {
                return shards[entry];
            }
        }
        return NONE;
    }

    /** Adds a key that is not there. */
    public void add(DecodedKey key, int shard) {
        if (size == keys.length) {
            grow();
        }
        int hash = hash(key);
        hashes[size] = hash;
        shards[size] = shard;
        keys[size] = key.toKey();
        size++;
        occupy(hash, size);
    }

    /** How many keys there are. */
    public int size() {
        return size;
    }

    /** The keys in the order in which they were added. */
    public List<ShardingKey> keys() {
        return new ArrayList<>(Arrays.asList(keys).subList(0, size));
    }

    /** The shard of the key with this number in {@link #keys}. */
    public int shardOf(int number) {
        return shards[number];
    }

    private void grow() {
        int most = 2 * keys.length;
        hashes = Arrays.copyOf(hashes, most);
        shards = Arrays.copyOf(shards, most);
        keys = Arrays.copyOf(keys, most);
        slots = new int[2 * most];
        for (int entry = 0; entry < size; entry++) {
            occupy(hashes[entry], entry + 1);
        }
    }

    private void occupy(int hash, int entryPlusOne) {
        int mask = slots.length - 1;
        int slot = hash & mask;
        while (slots[slot] != 0) {
            slot = slot + 1 & mask;
        }
        slots[slot] = entryPlusOne;
    }

    private static boolean isSame(ShardingKey known, DecodedKey key) {
        return switch (key.type()) {
            case BIGINT -> known.longValue() == key.longValue();
            case UUID ->
                known.mostSignificant() == key.mostSignificant() && known.leastSignificant() == key.leastSignificant();
            case VARCHAR -> {
                byte[] bytes = known.bytes();
                yield Arrays.equals(bytes, 0, bytes.length, key.bytes(), key.offset(), key.offset() + key.length());
            }
        };
    }

    private static int hash(DecodedKey key) {
        long hash = switch (key.type()) {
            case BIGINT -> key.longValue() * MIX;
            case UUID -> (key.mostSignificant() * MIX ^ key.leastSignificant()) * MIX;
            case VARCHAR -> hash(key.bytes(), key.offset(), key.length());
        };
        return (int) (hash ^ hash >>> 32);
    }

    private static long hash(byte[] bytes, int offset, int length) {
        long hash = length * MIX;
        int at = offset;
        int end = offset + length;
        for (; at <= end - Long.BYTES; at += Long.BYTES) {
            hash = Long.rotateLeft((hash ^ (long) LONGS.get(bytes, at)) * MIX, 29);
        }
        for (; at < end; at++) {
            hash = Long.rotateLeft((hash ^ bytes[at]) * MIX, 29);
        }
        return hash * MIX;
    }
}
