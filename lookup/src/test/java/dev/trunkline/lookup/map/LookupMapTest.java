package dev.trunkline.lookup.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LookupMapTest {

    private static final long NO_LIMIT = Long.MAX_VALUE;

    @Property(tries = 300)
    void answersLikeAHashMap(@ForAll("entries") Entries entries) {
        LookupMapBuilder builder = LookupMapBuilder.of(entries.type, NO_LIMIT);
        Map<ShardingKey, ShardingKey> model = new HashMap<>();
        for (ShardingKey key : entries.keys) {
            ShardingKey value = entries.valueOf(key);
            builder.put(key, value);
            model.put(key, value);
        }
        assertSame(builder.build(), model, entries.absent);
    }

    @Property(tries = 100)
    void extendedMapHoldsBothAndLeavesTheFirstAsItWas(@ForAll("entries") Entries entries) {
        int half = entries.keys.size() / 2;
        LookupMap first = build(entries, entries.keys.subList(0, half));
        LookupMapBuilder builder = LookupMapBuilder.from(first, NO_LIMIT);
        entries.keys.subList(half, entries.keys.size()).forEach(key -> builder.put(key, entries.valueOf(key)));

        assertSame(builder.build(), model(entries, entries.keys), entries.absent);
        assertSame(first, model(entries, entries.keys.subList(0, half)), entries.absent);
    }

    @ParameterizedTest
    @EnumSource(KeyType.class)
    void holdsManyKeysWhoseHashesCollide(KeyType type) {
        // 200,000 random keys hold about five pairs with the same 32-bit hash.
        SplittableRandom random = new SplittableRandom(7);
        Map<ShardingKey, ShardingKey> model = new HashMap<>();
        LookupMapBuilder builder = LookupMapBuilder.of(type, NO_LIMIT);
        for (int i = 0; i < 200_000; i++) {
            ShardingKey key = key(type, random.nextLong(), random.nextLong());
            ShardingKey value = key(type, 1, random.nextInt(100));
            model.put(key, value);
            builder.put(key, value);
        }
        assertSame(builder.build(), model, List.of(key(type, 1, 2)));
    }

    @ParameterizedTest
    @EnumSource(KeyType.class)
    void equalValuesAreOneObject(KeyType type) {
        LookupMapBuilder builder = LookupMapBuilder.of(type, NO_LIMIT);
        builder.put(key(type, 0, 1), key(type, 0, 9));
        builder.put(key(type, 0, 2), key(type, 0, 9));
        LookupMap map = builder.build();
        assertThat(key(type, 0, 1).translatedBy(map)).isSameAs(key(type, 0, 2).translatedBy(map));
    }

    @ParameterizedTest
    @EnumSource(KeyType.class)
    void oneKeyWithTwoValuesIsAFaultAndTwiceTheSameIsNot(KeyType type) {
        LookupMapBuilder builder = LookupMapBuilder.of(type, NO_LIMIT);
        builder.put(key(type, 0, 1), key(type, 0, 9));
        builder.put(key(type, 0, 1), key(type, 0, 9));
        assertThat(builder.size()).isEqualTo(1);
        assertThatThrownBy(() -> builder.put(key(type, 0, 1), key(type, 0, 8)))
                .isInstanceOfSatisfying(
                        MapFault.class,
                        fault -> assertThat(fault.detail())
                                .contains(key(type, 0, 1).toString()))
                .hasMessage("one key has two different values");
    }

    @ParameterizedTest
    @EnumSource(KeyType.class)
    void refusesToOutgrowItsLimit(KeyType type) {
        LookupMapBuilder builder = LookupMapBuilder.of(type, 100_000);
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 100_000; i++) {
                        builder.put(key(type, 5, i), key(type, 5, 1));
                    }
                })
                .isInstanceOf(MapFault.class)
                .hasMessage("the map is too large");
        assertThat(builder.size()).isLessThan(20_000);
    }

    /** Whether a thousand keys share a value or each key is its own: the bound that the design sets. */
    @ParameterizedTest
    @EnumSource(KeyType.class)
    void takesNoMoreThan64BytesAndTheKeyPerEntry(KeyType type) {
        int count = 50_000;
        LookupMapBuilder shared = LookupMapBuilder.of(type, NO_LIMIT);
        LookupMapBuilder selves = LookupMapBuilder.of(type, NO_LIMIT);
        for (int i = 0; i < count; i++) {
            ShardingKey key =
                    type == KeyType.VARCHAR ? ShardingKey.ofText(new UUID(i, ~i).toString()) : key(type, i, -i);
            shared.put(key, key(type, 5, i % 50));
            selves.put(key, key);
        }
        int keyBytes = switch (type) {
            case BIGINT -> 8;
            case UUID -> 16;
            case VARCHAR -> 36;
        };
        assertThat(shared.build().bytes() / count).isLessThanOrEqualTo(30 + keyBytes);
        assertThat(selves.build().bytes() / count).isLessThanOrEqualTo(64 + keyBytes);
    }

    @Test
    void aKeyOfAnotherTypeIsNotThere() {
        LookupMap map = LookupMap.empty(KeyType.BIGINT);
        assertThat(map.translate(1)).isNull();
        assertThat(map.translate(1, 2)).isNull();
        assertThat(map.translate(new byte[] {1}, 0, 1)).isNull();
    }

    @Test
    void longTextsAndPageBoundariesSurvive() {
        Map<ShardingKey, ShardingKey> model = new HashMap<>();
        LookupMapBuilder builder = LookupMapBuilder.of(KeyType.VARCHAR, NO_LIMIT);
        ShardingKey target = ShardingKey.ofText("t");
        for (int length :
                new int[] {0, 1, 253, 254, 255, 256, 65_536, (1 << 20) - 6, 1 << 20, 3 << 20, 700_000, 700_001}) {
            ShardingKey key = ShardingKey.ofText("x".repeat(length));
            builder.put(key, target);
            model.put(key, target);
        }
        LookupMap map = builder.build();
        assertSame(map, model, List.of(ShardingKey.ofText("xxx")));
        assertSame(LookupMapBuilder.from(map, NO_LIMIT).build(), model, List.of(ShardingKey.ofText("xxx")));
    }

    @Test
    void findsAKeyInTheMiddleOfALargerArray() {
        LookupMapBuilder builder = LookupMapBuilder.of(KeyType.VARCHAR, NO_LIMIT);
        builder.put(ShardingKey.ofText("tenant-7"), ShardingKey.ofText("root"));
        byte[] statement = "xxtenant-7xx".getBytes(StandardCharsets.UTF_8);
        assertThat(builder.build().translate(statement, 2, 8)).hasToString("root");
    }

    private static void assertSame(LookupMap map, Map<ShardingKey, ShardingKey> model, List<ShardingKey> absent) {
        assertThat(map.size()).isEqualTo(model.size());
        model.forEach((key, value) -> {
            if (!value.equals(key.translatedBy(map))) {
                throw new AssertionError(key + " gives " + key.translatedBy(map) + ", not " + value);
            }
        });
        for (ShardingKey key : absent) {
            assertThat(key.translatedBy(map)).isEqualTo(model.get(key));
        }
    }

    private static LookupMap build(Entries entries, List<ShardingKey> keys) {
        LookupMapBuilder builder = LookupMapBuilder.of(entries.type, NO_LIMIT);
        keys.forEach(key -> builder.put(key, entries.valueOf(key)));
        return builder.build();
    }

    private static Map<ShardingKey, ShardingKey> model(Entries entries, List<ShardingKey> keys) {
        Map<ShardingKey, ShardingKey> model = new HashMap<>();
        keys.forEach(key -> model.put(key, entries.valueOf(key)));
        return model;
    }

    private static ShardingKey key(KeyType type, long high, long low) {
        return switch (type) {
            case BIGINT -> ShardingKey.ofLong(high * 31 + low);
            case UUID -> ShardingKey.ofUuid(high, low);
            case VARCHAR -> ShardingKey.ofText(high + "/" + low);
        };
    }

    /** Keys, some of them twice; every third translates to itself. */
    record Entries(KeyType type, List<ShardingKey> keys, List<ShardingKey> absent, List<ShardingKey> roots) {
        ShardingKey valueOf(ShardingKey key) {
            int at = Math.floorMod(key.hashCode(), 3 * roots.size());
            return at < roots.size() ? roots.get(at) : key;
        }
    }

    @Provide
    Arbitrary<Entries> entries() {
        return Arbitraries.of(KeyType.class).flatMap(type -> {
            Arbitrary<ShardingKey> key = keys(type);
            return Combinators.combine(
                            key.list().ofMaxSize(400),
                            key.list().ofMaxSize(20),
                            key.list().ofMinSize(1).ofMaxSize(5))
                    .as((keys, absent, roots) -> new Entries(type, keys, absent, roots));
        });
    }

    private static Arbitrary<ShardingKey> keys(KeyType type) {
        return switch (type) {
            case BIGINT -> Arbitraries.longs().map(ShardingKey::ofLong);
            case UUID ->
                Combinators.combine(Arbitraries.longs(), Arbitraries.longs()).as(ShardingKey::ofUuid);
            case VARCHAR -> Arbitraries.strings().ofMaxLength(40).map(ShardingKey::ofText);
        };
    }
}
