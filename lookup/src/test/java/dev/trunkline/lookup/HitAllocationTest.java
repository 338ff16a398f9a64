package dev.trunkline.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.trunkline.lookup.map.LookupMapBuilder;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A hit allocates nothing: not in the base of a published map, and not in what probes have found beside it. */
class HitAllocationTest {

    private static final int KEYS = 1_000;
    private static final int HITS = 200_000;

    /** What asking for the count may allocate by itself, and a compiler that takes over meanwhile. */
    private static final long NOISE_BYTES = 4_096;

    private static ShardingKey key(KeyType type, int number) {
        return switch (type) {
            case BIGINT -> ShardingKey.ofLong(number);
            case UUID -> ShardingKey.ofUuid(number, ~number);
            case VARCHAR -> ShardingKey.ofText(text(number));
        };
    }

    private static String text(int number) {
        return "tenant-%029d".formatted(number);
    }

    private static PublishedMap published(KeyType type, boolean inBase) {
        PublishedMap map = new PublishedMap(type);
        LookupMapBuilder base = LookupMapBuilder.of(type, Long.MAX_VALUE);
        Map<ShardingKey, ShardingKey> found = new HashMap<>();
        for (int i = 0; i < KEYS; i++) {
            // A third stands for itself.
            ShardingKey value = key(type, i % 3 == 0 ? i : i / 10 * 10);
            if (inBase) {
                base.put(key(type, i), value);
            } else {
                found.put(key(type, i), value);
            }
        }
        assertThat(map.publish(map.current(), base.build(), 1)).isTrue();
        assertThat(inBase || map.publishFound(map.current(), found, 2)).isTrue();
        return map;
    }

    /** As sessions ask: the state once per statement, then key by key, a text as a range of the bytes that came. */
    private static int hits(KeyType type, PublishedMap map, byte[] texts, int length) {
        int missed = 0;
        for (int i = 0; i < HITS; i++) {
            KeyTranslation state = map.current();
            int number = i % KEYS;
            ShardingKey value = switch (type) {
                case BIGINT -> state.translate(number);
                case UUID -> state.translate(number, ~number);
                case VARCHAR -> state.translate(texts, number * length, length);
            };
            missed += value == null ? 1 : 0;
        }
        return missed;
    }

    private static void allocatesNothing(KeyType type, boolean inBase) {
        PublishedMap map = published(type, inBase);
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < KEYS; i++) {
            all.append(text(i));
        }
        byte[] texts = all.toString().getBytes(StandardCharsets.US_ASCII);
        int length = texts.length / KEYS;
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        assertThat(hits(type, map, texts, length)).isZero();
        long before = threads.getCurrentThreadAllocatedBytes();
        int missed = hits(type, map, texts, length);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(missed).isZero();
        assertThat(allocated).as("bytes of %,d hits", HITS).isLessThan(NOISE_BYTES);
    }

    @ParameterizedTest
    @EnumSource(KeyType.class)
    void aHitInTheBaseAllocatesNothing(KeyType type) {
        allocatesNothing(type, true);
    }

    @ParameterizedTest
    @EnumSource(KeyType.class)
    void aHitInWhatProbesHaveFoundAllocatesNothing(KeyType type) {
        allocatesNothing(type, false);
    }
}
