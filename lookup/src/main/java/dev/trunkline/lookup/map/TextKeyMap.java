package dev.trunkline.lookup.map;

import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import java.util.Arrays;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Keys that are byte strings, kept in a {@link TextArena}.
 *
 * <p>Open addressing with linear probing. A slot is one long: the key's hash above, the entry's number plus one below;
 * 0 marks a free slot. Entry {@code e} is {@code entries[2e]}, the key's place in the arena, and
 * {@code entries[2e + 1]}, the number of its value. A key that translates to itself is not kept twice: its place is
 * {@link #AS_VALUE} and its bytes are those of the value.
 */
final class TextKeyMap extends LookupMap {

    private static final int AS_VALUE = -1;

    private final long[] slots;
    private final int[] entries;
    private final TextArena arena;
    private final ShardingKey[] values;
    private final int size;
    private final long bytes;

    private TextKeyMap(Builder builder) {
        super(KeyType.VARCHAR);
        slots = builder.slots;
        size = builder.size;
        entries = Arrays.copyOf(builder.entries, 2 * size);
        arena = builder.arena.trimmed();
        values = builder.values.toArray();
        bytes = (long) slots.length * Long.BYTES
                + (long) entries.length * Integer.BYTES
                + arena.bytes()
                + builder.values.bytes();
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
    public @Nullable ShardingKey translate(byte[] bytes, int offset, int length) {
        int hash = KeyHash.of(bytes, offset, length);
        int at = KeyHash.slot(hash, slots.length);
        for (long slot = slots[at]; slot != 0; slot = slots[at]) {
            if ((int) (slot >>> Integer.SIZE) == hash) {
                int entry = (int) slot - 1;
                ShardingKey value = values[entries[2 * entry + 1]];
                if (isKey(arena, entries[2 * entry], value, bytes, offset, length)) {
                    return value;
                }
            }
            at = at + 1 == slots.length ? 0 : at + 1;
        }
        return null;
    }

    @Override
    public void forEach(BiConsumer<ShardingKey, ShardingKey> action) {
        for (int entry = 0; entry < size; entry++) {
            int place = entries[2 * entry];
            ShardingKey value = values[entries[2 * entry + 1]];
            action.accept(place == AS_VALUE ? value : arena.key(place), value);
        }
    }

    private static boolean isKey(TextArena arena, int place, ShardingKey value, byte[] bytes, int offset, int length) {
        if (place == AS_VALUE) {
            byte[] own = value.bytes();
            return Arrays.equals(own, 0, own.length, bytes, offset, offset + length);
        }
        return arena.holds(place, bytes, offset, length);
    }

    /** See {@link LookupMapBuilder}. */
    static final class Builder extends LookupMapBuilder {

        private static final int FIRST_SLOTS = 16;

        private final ValueTable values;
        private final TextArena arena;
        private long[] slots;
        private int[] entries;
        private int size;

        Builder(long maxBytes) {
            super(maxBytes);
            values = new ValueTable();
            arena = new TextArena();
            slots = new long[FIRST_SLOTS];
            entries = new int[FIRST_SLOTS];
        }

        Builder(TextKeyMap map, long maxBytes) {
            super(maxBytes);
            values = new ValueTable(map.values);
            arena = map.arena.extended();
            slots = map.slots.clone();
            entries = map.entries.clone();
            size = map.size;
        }

        @Override
        public int size() {
            return size;
        }

        @Override
        long bytes() {
            return (long) slots.length * Long.BYTES
                    + (long) entries.length * Integer.BYTES
                    + arena.bytes()
                    + values.bytes();
        }

        @Override
        ShardingKey putIfAbsent(ShardingKey key, ShardingKey value) {
            byte[] bytes = key.bytes();
            int hash = KeyHash.of(bytes, 0, bytes.length);
            int at = KeyHash.slot(hash, slots.length);
            for (long slot = slots[at]; slot != 0; slot = slots[at]) {
                if ((int) (slot >>> Integer.SIZE) == hash) {
                    int entry = (int) slot - 1;
                    ShardingKey present = values.get(entries[2 * entry + 1]);
                    if (isKey(arena, entries[2 * entry], present, bytes, 0, bytes.length)) {
                        return present;
                    }
                }
                at = at + 1 == slots.length ? 0 : at + 1;
            }
            append(hash, bytes, value, key.equals(value));
            return value;
        }

        private void append(int hash, byte[] key, ShardingKey value, boolean asValue) {
            if (slotsFor(size + 1) > slots.length) {
                resize((int) Math.min(slots.length * 2L, Integer.MAX_VALUE - 8));
            }
            if (2 * size + 2 > entries.length) {
                entries = Arrays.copyOf(entries, entries.length + (entries.length >> 1) + 2);
            }
            entries[2 * size] = asValue ? AS_VALUE : arena.append(key);
            entries[2 * size + 1] = values.intern(value);
            occupy((long) hash << Integer.SIZE | size + 1);
            size++;
        }

        @Override
        public LookupMap build() {
            resize(Math.max(1, slotsFor(size)));
            return new TextKeyMap(this);
        }

        private void occupy(long slot) {
            int at = KeyHash.slot((int) (slot >>> Integer.SIZE), slots.length);
            while (slots[at] != 0) {
                at = at + 1 == slots.length ? 0 : at + 1;
            }
            slots[at] = slot;
        }

        private void resize(int count) {
            long[] old = slots;
            slots = new long[count];
            for (long slot : old) {
                if (slot != 0) {
                    occupy(slot);
                }
            }
        }
    }
}
