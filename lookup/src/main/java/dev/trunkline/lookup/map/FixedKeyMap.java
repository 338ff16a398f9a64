package dev.trunkline.lookup.map;

import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Keys of one or two longs (bigint, uuid) in the slots themselves.
 *
 * <p>Open addressing with linear probing. Slot {@code i} holds the words {@code keys[i * words …]} and the number of
 * the value plus one; number 0 marks a free slot.
 */
final class FixedKeyMap extends LookupMap {

    private final int words;
    private final long[] keys;
    private final int[] numbers;
    private final ShardingKey[] values;
    private final int size;
    private final long bytes;

    private FixedKeyMap(Builder builder) {
        super(builder.type);
        words = builder.words;
        keys = builder.keys;
        numbers = builder.numbers;
        values = builder.values.toArray();
        size = builder.size;
        bytes = builder.bytes();
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public @Nullable ShardingKey translate(long value) {
        return words == 1 ? find(0, value) : null;
    }

    @Override
    public @Nullable ShardingKey translate(long mostSignificant, long leastSignificant) {
        return words == 2 ? find(mostSignificant, leastSignificant) : null;
    }

    @Override
    public void forEach(BiConsumer<ShardingKey, ShardingKey> action) {
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] != 0) {
                ShardingKey key =
                        words == 1 ? ShardingKey.ofLong(keys[i]) : ShardingKey.ofUuid(keys[2 * i], keys[2 * i + 1]);
                action.accept(key, values[numbers[i] - 1]);
            }
        }
    }

    private @Nullable ShardingKey find(long high, long low) {
        int at = KeyHash.slot(KeyHash.of(high, low), numbers.length);
        while (numbers[at] != 0) {
            if (holds(keys, words, at, high, low)) {
                return values[numbers[at] - 1];
            }
            at = at + 1 == numbers.length ? 0 : at + 1;
        }
        return null;
    }

    private static boolean holds(long[] keys, int words, int slot, long high, long low) {
        return words == 1 ? keys[slot] == low : keys[2 * slot] == high && keys[2 * slot + 1] == low;
    }

    /** See {@link LookupMapBuilder}. */
    static final class Builder extends LookupMapBuilder {

        private static final int FIRST_SLOTS = 16;

        private final KeyType type;
        private final int words;
        private final ValueTable values;
        private long[] keys;
        private int[] numbers;
        private int size;

        Builder(KeyType type, long maxBytes) {
            super(maxBytes);
            this.type = type;
            words = type == KeyType.UUID ? 2 : 1;
            values = new ValueTable();
            keys = new long[FIRST_SLOTS * words];
            numbers = new int[FIRST_SLOTS];
        }

        Builder(FixedKeyMap map, long maxBytes) {
            super(maxBytes);
            type = map.type();
            words = map.words;
            values = new ValueTable(map.values);
            keys = map.keys.clone();
            numbers = map.numbers.clone();
            size = map.size;
        }

        @Override
        public int size() {
            return size;
        }

        @Override
        long bytes() {
            return (long) numbers.length * (words * Long.BYTES + Integer.BYTES) + values.bytes();
        }

        @Override
        ShardingKey putIfAbsent(ShardingKey key, ShardingKey value) {
            long high = words == 2 ? key.mostSignificant() : 0;
            long low = words == 2 ? key.leastSignificant() : key.longValue();
            int at = freeOrHolding(high, low);
            if (numbers[at] != 0) {
                return values.get(numbers[at] - 1);
            }
            if (slotsFor(size + 1) > numbers.length) {
                resize((int) Math.min(numbers.length * 2L, Integer.MAX_VALUE / 2 - 8));
                at = freeOrHolding(high, low);
            }
            occupy(at, high, low, values.intern(value) + 1);
            size++;
            return value;
        }

        @Override
        public LookupMap build() {
            resize(Math.max(1, slotsFor(size)));
            return new FixedKeyMap(this);
        }

        private int freeOrHolding(long high, long low) {
            int at = KeyHash.slot(KeyHash.of(high, low), numbers.length);
            while (numbers[at] != 0 && !holds(keys, words, at, high, low)) {
                at = at + 1 == numbers.length ? 0 : at + 1;
            }
            return at;
        }

        private void occupy(int slot, long high, long low, int number) {
            if (words == 1) {
                keys[slot] = low;
            } else {
                keys[2 * slot] = high;
                keys[2 * slot + 1] = low;
            }
            numbers[slot] = number;
        }

        private void resize(int slots) {
            long[] oldKeys = keys;
            int[] oldNumbers = numbers;
            keys = new long[slots * words];
            numbers = new int[slots];
            for (int i = 0; i < oldNumbers.length; i++) {
                if (oldNumbers[i] != 0) {
                    long high = words == 1 ? 0 : oldKeys[2 * i];
                    long low = words == 1 ? oldKeys[i] : oldKeys[2 * i + 1];
                    occupy(freeOrHolding(high, low), high, low, oldNumbers[i]);
                }
            }
        }
    }
}
