package dev.trunkline.routing.shard;

import dev.trunkline.conf.ShardMapping;
import dev.trunkline.routing.key.DecodedKey;
import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Lists first, then ranges, then the default. Ranges do not overlap (the configuration is checked for that); a text is
 * compared by its bytes, an integer as signed, a uuid by its 16 bytes.
 *
 * @param values the shard of each listed value
 * @param ranges ascending
 * @param fallback the shard of every other value, or {@link #UNMAPPED}
 */
record MappingFunction(Map<ShardingKey, Integer> values, List<Range> ranges, int fallback) implements ShardingFunction {

    /**
     * A range of values.
     *
     * @param start the first value; null = open
     * @param end the first value behind it; null = open
     */
    record Range(@Nullable ShardingKey start, @Nullable ShardingKey end, int shard) {

        boolean contains(ShardingKey key) {
            return (start == null || COMPARATOR.compare(start, key) <= 0)
                    && (end == null || COMPARATOR.compare(key, end) < 0);
        }
    }

    private static final Comparator<ShardingKey> COMPARATOR = MappingFunction::compare;

    /** The function that a rule's mapping describes; its values are canonical for the type. */
    static MappingFunction of(KeyType type, List<ShardMapping> mappings) {
        Map<ShardingKey, Integer> values = new HashMap<>();
        int fallback = UNMAPPED;
        for (ShardMapping mapping : mappings) {
            for (String value : mapping.values()) {
                values.put(key(type, value), mapping.shard());
            }
            if (mapping.isDefault()) {
                fallback = mapping.shard();
            }
        }
        List<Range> ranges = mappings.stream()
                .filter(ShardMapping::isRange)
                .map(mapping ->
                        new Range(keyOrNull(type, mapping.start()), keyOrNull(type, mapping.end()), mapping.shard()))
                .sorted(Comparator.comparing(Range::start, Comparator.nullsFirst(COMPARATOR)))
                .toList();
        return new MappingFunction(Map.copyOf(values), ranges, fallback);
    }

    @Override
    public int shard(DecodedKey key) {
        return shard(key.toKey());
    }

    @Override
    public int shard(ShardingKey key) {
        Integer listed = values.get(key);
        if (listed != null) {
            return listed;
        }
        Range range = lastStartingAtOrBefore(key);
        return range != null && range.contains(key) ? range.shard() : fallback;
    }

    private @Nullable Range lastStartingAtOrBefore(ShardingKey key) {
        int low = 0;
        int high = ranges.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            ShardingKey start = ranges.get(middle).start();
            if (start == null || compare(start, key) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == 0 ? null : ranges.get(low - 1);
    }

    private static int compare(ShardingKey one, ShardingKey other) {
        return switch (one.type()) {
            case BIGINT -> Long.compare(one.longValue(), other.longValue());
            case VARCHAR -> Arrays.compareUnsigned(one.bytes(), other.bytes());
            case UUID -> {
                int high = Long.compareUnsigned(one.mostSignificant(), other.mostSignificant());
                yield high != 0 ? high : Long.compareUnsigned(one.leastSignificant(), other.leastSignificant());
            }
        };
    }

    private static @Nullable ShardingKey keyOrNull(KeyType type, @Nullable String value) {
        return value == null ? null : key(type, value);
    }

    private static ShardingKey key(KeyType type, String value) {
        return switch (type) {
            case BIGINT -> ShardingKey.ofLong(Long.parseLong(value));
            case VARCHAR -> ShardingKey.ofText(value);
            case UUID -> {
                UUID uuid = UUID.fromString(value);
                yield ShardingKey.ofUuid(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
            }
        };
    }
}
