package dev.trunkline.proxy.net;

import dev.trunkline.protocol.error.PgException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
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

/** What it costs to cut a buffer of 64 KiB into frames, and to make one slice of those that stand side by side. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class FrameReaderBenchmark {

    private static final int BUFFER_BYTES = 64 * 1024;

    /** Bytes of a frame: a short row, a CopyData of psql. */
    @Param({"60", "8192"})
    public int frameBytes = 60;

    private final Run run = new Run();
    private final FrameReader reader = new FrameReader(Framing.SERVER, run, PooledByteBufAllocator.DEFAULT);
    private ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(BUFFER_BYTES);

    @Setup
    public void setUp() {
        buffer.clear();
        while (buffer.readableBytes() + frameBytes <= BUFFER_BYTES) {
            buffer.writeByte('D').writeInt(frameBytes - 1).writeZero(frameBytes - 5);
        }
    }

    @Benchmark
    public long cut() {
        buffer.readerIndex(0);
        reader.read(buffer.retain());
        return run.bytes;
    }

    /** Relays whole runs of frames. */
    private static final class Run implements FrameSink {
        private int from = -1;
        private int to;
        private long bytes;

        @Override
        public void frame(byte type, ByteBuf buffer, int start, int end) {
            from = from < 0 ? start : from;
            to = end;
        }

        @Override
        public void part(byte type, ByteBuf buffer, int start, int end, boolean first, boolean last) {
            frame(type, buffer, start, end);
        }

        @Override
        public void bufferEnd(ByteBuf buffer) {
            ByteBuf slice = buffer.retainedSlice(from, to - from);
            bytes += slice.readableBytes();
            slice.release();
            from = -1;
        }

        @Override
        public void writabilityChanged(boolean writable) {}

        @Override
        public void violation(PgException fault) {
            throw fault;
        }

        @Override
        public void closed(@Nullable Throwable cause) {}
    }
}
