package dev.trunkline.lookup.map;

import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Keys that are byte strings.
 *
 * <p>Open addressing with linear probing. A slot is one long: the key's hash above, the place of its entry in a
 * {@link TextArena} below; 0 marks a free slot. A hit in a large map thus costs two reads of memory that is not cached,
 * and those of the value. A key that translates to itself is kept once.
 */
final class TextKeyMap extends LookupMap {

    private final long[] slots;
    private final TextArena arena;
    private final ShardingKey[] values;
    private final int size;
    private final long bytes;

    private TextKeyMap(Builder builder) {
        super(KeyType.VARCHAR);
        slots = builder.slots;
        arena = builder.arena.trimmed();
        values = builder.values.toArray();
        size = builder.size;
        bytes = (long) slots.length * Long.BYTES + arena.bytes() + builder.values.bytes();
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
                ShardingKey value = values[arena.number((int) slot)];
                if (arena.holds((int) slot, value.bytes(), bytes, offset, length)) {
                    return value;
                }
            }
            at = at + 1 == slots.length ? 0 : at + 1;
        }
        return null;
    }

    @Override
    public void forEach(BiConsumer<ShardingKey, ShardingKey> action) {
        for (long slot : slots) {
            if (slot != 0) {
                ShardingKey value = values[arena.number((int) slot)];
                byte[] key = arena.key((int) slot, value.bytes());
                action.accept(ShardingKey.ofText(key, 0, key.length), value);
            }
        }
    }

    /** See {@link LookupMapBuilder}. */
    static final class Builder extends LookupMapBuilder {

        private static final int FIRST_SLOTS = 16;

        private final ValueTable values;
        private final TextArena arena;
        private long[] slots;
        private int size;

        Builder(long maxBytes) {
            super(maxBytes);
            values = new ValueTable();
            arena = new TextArena();
            slots = new long[FIRST_SLOTS];
        }

        Builder(TextKeyMap map, long maxBytes) {
            super(maxBytes);
            values = new ValueTable(map.values);
            arena = map.arena.extended();
            slots = map.slots.clone();
            size = map.size;
        }

        @Override
        public int size() {
            return size;
        }

        @Override
        long bytes() {
            return (long) slots.length * Long.BYTES + arena.bytes() + values.bytes();
        }

        @Override
        ShardingKey putIfAbsent(ShardingKey key, ShardingKey value) {
            byte[] bytes = key.bytes();
            int hash = KeyHash.of(bytes, 0, bytes.length);
            int at = KeyHash.slot(hash, slots.length);
            for (long slot = slots[at]; slot != 0; slot = slots[at]) {
                if ((int) (slot >>> Integer.SIZE) == hash) {
                    ShardingKey present = values.get(arena.number((int) slot));
                    if (arena.holds((int) slot, present.bytes(), bytes, 0, bytes.length)) {
                        return present;
                    }
                }
                at = at + 1 == slots.length ? 0 : at + 1;
            }
            append(hash, key, value);
            return value;
        }

        private void append(int hash, ShardingKey key, ShardingKey value) {
            if (slotsFor(size + 1) > slots.length) {
                resize((int) Math.min(slots.length * 2L, Integer.MAX_VALUE - 8));
            }
            int number = values.intern(value);
            int place = key.equals(value) ? arena.appendAsValue(number) : arena.append(key.bytes(), number);
            occupy((long) hash << Integer.SIZE | Integer.toUnsignedLong(place));
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
