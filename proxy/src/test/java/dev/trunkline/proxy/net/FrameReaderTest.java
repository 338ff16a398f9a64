package dev.trunkline.proxy.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.SqlState;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames come out whole wherever the stream is cut, CopyData in parts; no length makes the reader stop or hoard. */
class FrameReaderTest {

    private static final Framing CLIENT = Framing.client(1_000);
    private static final ByteBufAllocator HEAP = new UnpooledByteBufAllocator(false);

    /** Notes what is delivered; the parts of a frame are put together again. */
    private static final class Notes implements FrameSink {
        private final List<String> notes = new ArrayList<>();
        private final ByteArrayOutputStream parts = new ByteArrayOutputStream();
        private @Nullable PgException violation;

        @Override
        public void frame(byte type, ByteBuf buffer, int start, int end) {
            assertThat(parts.size()).isZero();
            notes.add((char) type + " " + ByteBufUtil.hexDump(buffer, start, end - start));
        }

        @Override
        public void part(byte type, ByteBuf buffer, int start, int end, boolean first, boolean last) {
            assertThat(parts.size() == 0).isEqualTo(first);
            parts.writeBytes(ByteBufUtil.getBytes(buffer, start, end - start));
            if (last) {
                notes.add((char) type + " " + HexFormat.of().formatHex(parts.toByteArray()));
                parts.reset();
            }
        }

        @Override
        public void tooLong(byte type, PgException fault) {
            notes.add((char) type + " too long " + fault.state());
        }

        @Override
        public void bufferEnd(ByteBuf buffer) {}

        @Override
        public void writabilityChanged(boolean writable) {}

        @Override
        public void violation(PgException fault) {
            violation = fault;
        }

        @Override
        public void closed(@Nullable Throwable cause) {}
    }

    private final Notes notes = new Notes();
    private final FrameReader reader = new FrameReader(CLIENT, notes, HEAP);

    private static byte[] frame(char type, int bodyBytes) {
        ByteBuffer frame = ByteBuffer.allocate(5 + bodyBytes).put((byte) type).putInt(4 + bodyBytes);
        for (int i = 0; i < bodyBytes; i++) {
            frame.put((byte) i);
        }
        return frame.array();
    }

    private static byte[] header(char type, int length) {
        return ByteBuffer.allocate(5).put((byte) type).putInt(length).array();
    }

    private static byte[] join(byte[]... all) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] each : all) {
            joined.writeBytes(each);
        }
        return joined.toByteArray();
    }

    private void read(byte[] bytes, int from, int to) {
        reader.read(Unpooled.copiedBuffer(bytes, from, to - from));
    }

    @Test
    void deliversWholeFramesWhereverTheStreamIsCut() {
        byte[] stream =
                join(frame('Q', 30), frame('S', 0), frame('d', 20), frame('d', 0), frame('H', 0), frame('B', 9));
        read(stream, 0, stream.length);
        List<String> whole = List.copyOf(notes.notes);
        assertThat(whole).hasSize(6);
        for (int first = 0; first <= stream.length; first++) {
            for (int second = first; second <= stream.length; second++) {
                notes.notes.clear();
                read(stream, 0, first);
                read(stream, first, second);
                read(stream, second, stream.length);
                assertThat(notes.notes).as("cut at %d and %d", first, second).isEqualTo(whole);
            }
        }
    }

    @Test
    void passesOverWhatIsTooLongWhereverTheStreamIsCut() {
        byte[] stream = join(frame('S', 0), frame('Q', 1_001), frame('d', 1_100), frame('Q', 1_000));
        read(stream, 0, stream.length);
        List<String> whole = List.copyOf(notes.notes);
        assertThat(whole).hasSize(4);
        assertThat(whole.get(1)).isEqualTo("Q too long PROGRAM_LIMIT_EXCEEDED");
        for (int cut = 0; cut <= stream.length; cut++) {
            notes.notes.clear();
            read(stream, 0, cut);
            read(stream, cut, stream.length);
            assertThat(notes.notes).as("cut at %d", cut).isEqualTo(whole);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE - 1, 0x4000_0000})
    void endsAtALengthThatNoMessageHas(int length) {
        for (char type : new char[] {'Q', 'd', 'S', 'B'}) {
            for (boolean cut : new boolean[] {false, true}) {
                Notes heard = new Notes();
                FrameReader fresh = new FrameReader(CLIENT, heard, HEAP);
                byte[] bytes = join(header(type, length), new byte[100]);
                fresh.read(Unpooled.copiedBuffer(bytes, 0, cut ? 3 : bytes.length));
                if (cut) {
                    fresh.read(Unpooled.copiedBuffer(bytes, 3, bytes.length - 3));
                }
                assertThat(heard.violation).as("%c", type).isNotNull();
                assertThat(heard.violation.state()).isEqualTo(SqlState.PROTOCOL_VIOLATION);
                fresh.closed(null);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MAX_VALUE, -1, 3, 0x4000_0000})
    void endsAtALengthThatNoServerSends(int length) {
        for (char type : new char[] {'D', 'd', 'T', 'E'}) {
            Notes heard = new Notes();
            FrameReader fresh = new FrameReader(Framing.SERVER, heard, HEAP);
            fresh.read(Unpooled.copiedBuffer(header(type, length)));
            assertThat(heard.violation).as("%c", type).isNotNull();
            fresh.closed(null);
        }
    }

    @Test
    void endsAtATypeThatNoClientSends() {
        read(header('Z', 5), 0, 5);
        assertThat(notes.violation).isNotNull();
        read(frame('Q', 1), 0, 6);
        assertThat(notes.notes).isEmpty();
    }

    @Test
    void reservesNothingForALengthAlone() {
        UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false);
        FrameReader large = new FrameReader(Framing.client(1 << 28), notes, allocator);
        large.read(Unpooled.copiedBuffer(join(header('Q', 1 << 28), new byte[10])));
        assertThat(allocator.metric().usedHeapMemory() + allocator.metric().usedDirectMemory())
                .isBetween(1L, 1_000L);
        large.closed(null);
        assertThat(notes.notes).isEmpty();
    }
}
