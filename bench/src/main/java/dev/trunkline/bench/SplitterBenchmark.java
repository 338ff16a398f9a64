package dev.trunkline.bench;

import dev.trunkline.copy.format.CopyFormat;
import dev.trunkline.copy.format.CopyOptions;
import dev.trunkline.copy.format.KeyEncoding;
import dev.trunkline.copy.format.RowScanner;
import dev.trunkline.copy.format.RowScanner.KeyValue;
import dev.trunkline.copy.split.CopySplitter;
import dev.trunkline.copy.split.KeyPlacement;
import dev.trunkline.copy.split.KeyShards;
import dev.trunkline.copy.split.ShardOutput;
import dev.trunkline.lookup.map.LookupMap;
import dev.trunkline.routing.key.DecodedKey;
import dev.trunkline.routing.key.Decoding;
import dev.trunkline.routing.key.KeyColumn;
import dev.trunkline.routing.key.KeyDecoder;
import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.PgType;
import dev.trunkline.routing.shard.Lookup;
import dev.trunkline.routing.shard.ShardingFunctions;
import dev.trunkline.routing.shard.ShardingRule;
import dev.trunkline.routing.sql.Command;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
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

/**
 * A COPY stream of {@value #BYTES} bytes is divided between two shards: 200-byte rows, whose keys of 36 characters go
 * through a map of 10,000, all of which the COPY has met before. What leaves is copied into batches, as the proxy does
 * it. A score of 0.0625 operations per millisecond is a GB/s.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class SplitterBenchmark {

    static final int BYTES = 16_000_000;

    private static final int ROW_BYTES = 200;
    private static final int PIECE_BYTES = 64 * 1024;
    private static final int SHARDS = 2;
    private static final List<String> COLUMNS = List.of("tenant_id", "id", "v", "note");

    /** How the rows are written. */
    public enum Format {
        TEXT,
        CSV,
        /** The last column is quoted. */
        CSV_QUOTED,
        BINARY
    }

    @Param
    public Format format = Format.TEXT;

    private final byte[] piece = new byte[PIECE_BYTES];
    private byte[] stream = {};
    private KeyDecoder decoder = KeyDecoder.stored(new KeyColumn(KeyType.VARCHAR, PgType.VARCHAR, -1, true));
    private CopyOptions options = CopyOptions.of(List.of());
    private Placement placement = new Placement(decoder, LookupMap.empty(KeyType.VARCHAR));

    @Setup
    public void setUp() {
        byte[][] keys = Keys.texts(10_000);
        placement = new Placement(decoder, Keys.map(keys));
        CopyFormat name = format == Format.CSV_QUOTED ? CopyFormat.CSV : CopyFormat.valueOf(format.name());
        options = CopyOptions.of(
                List.of(new Command.CopyOption("format", List.of(name.name().toLowerCase(java.util.Locale.ROOT)))));
        stream = stream(keys);
    }

    private byte[] stream(byte[][] keys) {
        Random random = new Random(2);
        ByteArrayOutputStream out = new ByteArrayOutputStream(BYTES + 64);
        if (format == Format.BINARY) {
            out.writeBytes(new byte[] {'P', 'G', 'C', 'O', 'P', 'Y', '\n', -1, '\r', '\n', 0, 0, 0, 0, 0, 0, 0, 0, 0});
        }
        for (int row = 0; row < BYTES / ROW_BYTES; row++) {
            out.writeBytes(row(keys[random.nextInt(keys.length)], row));
        }
        return out.toByteArray();
    }

    private byte[] row(byte[] key, int number) {
        if (format == Format.BINARY) {
            ByteBuffer row = ByteBuffer.allocate(ROW_BYTES);
            row.putShort((short) 4)
                    .putInt(key.length)
                    .put(key)
                    .putInt(8)
                    .putLong(number)
                    .putInt(8)
                    .putLong(7);
            int left = row.remaining() - 4;
            return row.putInt(left)
                    .put("n".repeat(left).getBytes(StandardCharsets.US_ASCII))
                    .array();
        }
        String divider = format == Format.TEXT ? "\t" : ",";
        String quote = format == Format.CSV_QUOTED ? "\"" : "";
        String begin = new String(key, StandardCharsets.US_ASCII) + divider + number + divider + 7 + divider + quote;
        return (begin
                        + "lorem ipsum dolor sit amet "
                                .repeat(8)
                                .substring(0, ROW_BYTES - 1 - quote.length() - begin.length())
                        + quote + "\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    @Benchmark
    public long split() {
        Batches batches = new Batches();
        RowScanner scanner = RowScanner.of(options, COLUMNS, 0, false, KeyEncoding.UTF8);
        CopySplitter splitter = new CopySplitter(scanner, COLUMNS, SHARDS, PIECE_BYTES, placement, batches);
        for (int at = 0; at < stream.length; at += PIECE_BYTES) {
            int length = Math.min(PIECE_BYTES, stream.length - at);
            System.arraycopy(stream, at, piece, 0, length);
            if (!splitter.take(piece, 0, length)) {
                throw new IllegalStateException("a key is not known");
            }
        }
        if (!splitter.finish() || splitter.rows() != BYTES / ROW_BYTES) {
            throw new IllegalStateException("rows: " + splitter.rows());
        }
        return batches.sent;
    }

    /** As the proxy places rows of translated keys. */
    private static final class Placement implements KeyPlacement {
        private final ShardingRule rule = new ShardingRule(
                null,
                null,
                "tenant_id",
                KeyType.VARCHAR,
                new Lookup(0, null, "tenants", "", KeyType.VARCHAR, "tenant_id", "*"),
                false,
                ShardingFunctions.hash(SHARDS),
                SHARDS);
        private final KeyDecoder decoder;
        private final LookupMap map;
        private final DecodedKey key = new DecodedKey();
        private final KeyShards known = new KeyShards();

        Placement(KeyDecoder decoder, LookupMap map) {
            this.decoder = decoder;
            this.map = map;
        }

        @Override
        public int shard(KeyValue value, byte[] bytes, int offset, int length) {
            Decoding decoding = decoder.string(bytes, offset, length, key);
            if (value != KeyValue.VALUE || decoding != Decoding.KEY) {
                throw new IllegalStateException("no key");
            }
            int shard = known.shard(key);
            if (shard < 0) {
                shard = rule.shard(key, map);
                known.add(key, shard);
            }
            return shard;
        }
    }

    /** A batch for each shard, sent when it is full. */
    private static final class Batches implements ShardOutput {
        private final byte[][] batches = new byte[SHARDS][2 * PIECE_BYTES];
        private final int[] lengths = new int[SHARDS];
        private long sent;

        @Override
        public void bytes(int shard, byte[] bytes, int from, int end) {
            int length = end - from;
            System.arraycopy(bytes, from, batches[shard], lengths[shard], length);
            lengths[shard] += length;
            if (lengths[shard] >= PIECE_BYTES) {
                sent += lengths[shard];
                lengths[shard] = 0;
            }
        }

        @Override
        public void toAll(byte[] bytes, int from, int end) {
            for (int shard = 0; shard < SHARDS; shard++) {
                bytes(shard, bytes, from, end);
            }
        }
    }
}
