package dev.trunkline.lookup.map;

import dev.trunkline.routing.key.ShardingKey;
import java.util.Arrays;

/** The distinct translated keys of a map under construction, numbered from 0. */
final class ValueTable {

    private static final int OBJECT_HEADER_BYTES = 12;
    private static final int ARRAY_HEADER_BYTES = 16;
    private static final int REFERENCE_BYTES = 4;

    private ShardingKey[] values;
    private int size;
    private long bytes;
    /** Open addressing; number of a value plus one, 0 = free. */
    private int[] slots;

    ValueTable() {
        values = new ShardingKey[8];
        slots = new int[16];
    }

    /** Starts with the values of a finished map. */
    ValueTable(ShardingKey[] from) {
        values = Arrays.copyOf(from, Math.max(8, from.length + from.length / 8));
        size = from.length;
        slots = new int[Math.max(16, 2 * from.length)];
        for (int i = 0; i < size; i++) {
            bytes += bytesOf(values[i]);
            occupy(i);
        }
    }

    /** The number of a value equal to the given one, which is kept if there was none. */
    int intern(ShardingKey value) {
        int at = KeyHash.slot(spread(value), slots.length);
        while (slots[at] != 0) {
            if (values[slots[at] - 1].equals(value)) {
                return slots[at] - 1;
            }
            at = at + 1 == slots.length ? 0 : at + 1;
        }
        return append(value);
    }

    ShardingKey get(int number) {
        return values[number];
    }

    /** All values by number, without room to spare. */
    ShardingKey[] toArray() {
        return Arrays.copyOf(values, size);
    }

    long bytes() {
        return bytes;
    }

    private int append(ShardingKey value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size + size / 2 + 1);
        }
        values[size] = value;
        bytes += bytesOf(value);
        size++;
        if (2L * size > slots.length) {
            rehash();
        } else {
            occupy(size - 1);
        }
        return size - 1;
    }

    private void rehash() {
        slots = new int[(int) Math.min(4L * size, Integer.MAX_VALUE - 8)];
        for (int i = 0; i < size; i++) {
            occupy(i);
        }
    }

    private void occupy(int number) {
        int at = KeyHash.slot(spread(values[number]), slots.length);
        while (slots[at] != 0) {
            at = at + 1 == slots.length ? 0 : at + 1;
        }
        slots[at] = number + 1;
    }

    private static int spread(ShardingKey value) {
        return switch (value.type()) {
            case BIGINT -> KeyHash.of(0, value.longValue());
            case UUID -> KeyHash.of(value.mostSignificant(), value.leastSignificant());
            case VARCHAR -> KeyHash.of(value.bytes(), 0, value.bytes().length);
        };
    }

    /** A reference in the array, the object, and the array that it may have. */
    private static long bytesOf(ShardingKey value) {
        return REFERENCE_BYTES
                + switch (value.type()) {
                    case BIGINT -> align(OBJECT_HEADER_BYTES + Long.BYTES);
                    case UUID -> align(OBJECT_HEADER_BYTES + 2 * Long.BYTES);
                    case VARCHAR ->
                        align(OBJECT_HEADER_BYTES + REFERENCE_BYTES) + align(ARRAY_HEADER_BYTES + value.bytes().length);
                };
    }

    private static long align(long bytes) {
        return (bytes + 7) & ~7L;
    }
}
