package dev.trunkline.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.lookup.map.LookupMap;
import dev.trunkline.lookup.map.LookupMapBuilder;
import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PublishedMapTest {

    private final PublishedMap map = new PublishedMap(KeyType.BIGINT);

    @Test
    void aReadThatAnInvalidationOvertookIsNotPublished() {
        MapState seen = map.current();
        map.invalidate();
        assertThat(map.publish(seen, mapOf(1), 5)).isFalse();
        assertThat(map.publishFound(seen, Map.of(key(1), key(1)), 5)).isFalse();
        assertThat(hit()).isNull();
    }

    @Test
    void nothingIsPublishedWhileClosed() {
        map.close();
        assertThat(map.publish(map.current(), mapOf(1), 5)).isFalse();
        map.openAfterChange();
        assertThat(map.publish(map.current(), mapOf(1), 5)).isTrue();
    }

    @Test
    void anEarlierReadDoesNotReplaceALaterOne() {
        MapState seen = map.current();
        assertThat(map.publish(seen, mapOf(2), 20)).isTrue();
        assertThat(map.publish(seen, mapOf(1), 10)).isFalse();
        assertThat(map.publishFound(seen, Map.of(key(7), key(7)), 10)).isFalse();
        assertThat(hit()).isEqualTo(key(2));
    }

    @Test
    void whatIsFoundDoesNotReplaceWhatIsKnown() {
        assertThat(map.publish(map.current(), mapOf(1), 10)).isTrue();
        assertThat(map.publishFound(map.current(), Map.of(key(0), key(9), key(5), key(6)), 11))
                .isTrue();
        assertThat(hit()).isEqualTo(key(1));
        assertThat(key(5).translatedBy(map.current())).isEqualTo(key(6));
        assertThat(map.current().isLoaded()).isTrue();
    }

    @Test
    void generationsAreUniqueInTheProcess() {
        PublishedMap other = new PublishedMap(KeyType.BIGINT);
        assertThat(other.current().generation()).isNotEqualTo(map.current().generation());
        map.invalidate();
        assertThat(map.current().generation()).isGreaterThan(other.current().generation());
    }

    /**
     * Writers raise a number, one loader publishes what it reads, readers look: none of them may see less than a writer
     * was told before.
     */
    @Test
    void whoStartsAfterAWriterHasEndedNeverSeesTheStateBefore() throws Exception {
        AtomicLong truth = new AtomicLong();
        AtomicLong told = new AtomicLong();
        AtomicLong hits = new AtomicLong();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1500);
        List<Callable<Void>> threads = new ArrayList<>();
        for (int writer = 0; writer < 2; writer++) {
            threads.add(() -> {
                while (System.nanoTime() < end) {
                    map.close();
                    long written = truth.incrementAndGet();
                    map.openAfterChange();
                    told.accumulateAndGet(written, Math::max);
                    Thread.yield();
                }
                return null;
            });
        }
        threads.add(() -> {
            while (System.nanoTime() < end) {
                MapState seen = map.current();
                long nanos = System.nanoTime();
                boolean ignored = map.publish(seen, mapOf(truth.get()), nanos);
            }
            return null;
        });
        for (int reader = 0; reader < 2; reader++) {
            threads.add(() -> {
                while (System.nanoTime() < end) {
                    long before = told.get();
                    ShardingKey seen = hit();
                    if (seen != null) {
                        hits.incrementAndGet();
                        assertThat(seen.longValue()).isGreaterThanOrEqualTo(before);
                    }
                }
                return null;
            });
        }
        ExecutorService pool = Executors.newFixedThreadPool(threads.size());
        try {
            for (Future<Void> ended : pool.invokeAll(threads)) {
                ended.get(10, TimeUnit.SECONDS);
            }
        } finally {
            pool.shutdownNow();
        }
        assertThat(hits.get()).isPositive();
    }

    private ShardingKey hit() {
        return key(0).translatedBy(map.current());
    }

    private static LookupMap mapOf(long value) {
        LookupMapBuilder builder = LookupMapBuilder.of(KeyType.BIGINT, Long.MAX_VALUE);
        builder.put(key(0), key(value));
        return builder.build();
    }

    private static ShardingKey key(long value) {
        return ShardingKey.ofLong(value);
    }
}
