package dev.trunkline.bench;

import dev.trunkline.lookup.map.LookupMap;
import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import dev.trunkline.routing.shard.PartitionHash;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What a hit in the key map costs, in no order of the keys, and the hash. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class LookupBenchmark {

    private static final int ORDER = 1 << 16;

    @Param({"10000", "1000000"})
    public int keys = 10_000;

    private final int[] order = new int[ORDER];
    private byte[] texts = {};
    private LookupMap byText = LookupMap.empty(KeyType.VARCHAR);
    private LookupMap byLong = LookupMap.empty(KeyType.BIGINT);
    private int next;

    @Setup
    public void setUp() {
        byte[][] all = Keys.texts(keys);
        byText = Keys.map(all);
        byLong = Keys.longs(keys);
        texts = new byte[keys * 36];
        for (int i = 0; i < keys; i++) {
            System.arraycopy(all[i], 0, texts, i * 36, 36);
        }
        Random random = new Random(3);
        for (int i = 0; i < ORDER; i++) {
            order[i] = random.nextInt(keys);
        }
    }

    private int any() {
        next = next + 1 & ORDER - 1;
        return order[next];
    }

    @Benchmark
    public @Nullable ShardingKey text() {
        return byText.translate(texts, any() * 36, 36);
    }

    @Benchmark
    public @Nullable ShardingKey integer() {
        return byLong.translate(any());
    }

    @Benchmark
    public int hashOfText() {
        return PartitionHash.shard(PartitionHash.ofBytes(texts, any() * 36, 36), 3);
    }

    @Benchmark
    public int hashOfInteger() {
        return PartitionHash.shard(PartitionHash.ofLong(any()), 3);
    }
}
