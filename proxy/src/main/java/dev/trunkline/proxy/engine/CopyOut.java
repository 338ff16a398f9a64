package dev.trunkline.proxy.engine;

import dev.trunkline.copy.format.CopyFormat;
import dev.trunkline.copy.format.CopyOptions;
import dev.trunkline.protocol.Frame;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Makes the streams that several shards send for one COPY TO STDOUT one stream: its header comes once, from whoever is
 * first, and its end once. A server sends each row in a CopyData of its own; the header of the text and CSV formats is
 * one, too, that of the binary format stands before the first row, and its trailer is one.
 */
final class CopyOut {

    private static final int HEADER = Frame.HEADER_BYTES;
    private static final int SIGNATURE_BYTES = 11 + 2 * Integer.BYTES;
    private static final int TRAILER_BYTES = Short.BYTES;
    private static final byte[] BINARY_END = {'d', 0, 0, 0, 6, (byte) 0xFF, (byte) 0xFF};
    private static final byte[] COPY_DONE = {'c', 0, 0, 0, 4};

    private final boolean binary;
    private final boolean header;
    private final boolean[] begun;
    private final boolean[] dropping;
    private final @Nullable ByteBuf[] whole;
    private boolean responded;
    private boolean headed;

    CopyOut(CopyOptions options, int shards) {
        this.binary = options.format() == CopyFormat.BINARY;
        this.header = options.header();
        this.begun = new boolean[shards];
        this.dropping = new boolean[shards];
        this.whole = new ByteBuf[shards];
    }

    /** CopyOutResponse, CopyData or CopyDone of a shard; what of it the client gets, null for nothing. */
    @Nullable
    ByteBuf frame(int shard, byte type, ByteBuf buffer, int start, int end) {
        return switch (type) {
            case 'H' -> response(buffer, start, end);
            case 'd' -> data(shard, buffer, start, end);
            default -> null;
        };
    }

    private @Nullable ByteBuf response(ByteBuf buffer, int start, int end) {
        if (responded) {
            return null;
        }
        responded = true;
        return buffer.retainedSlice(start, end - start);
    }

    private @Nullable ByteBuf data(int shard, ByteBuf buffer, int start, int end) {
        boolean first = !begun[shard];
        begun[shard] = true;
        if (binary) {
            return first ? withoutSignature(buffer, start, end) : withoutTrailer(buffer, start, end);
        }
        return first && isRepeatedHeader() ? null : buffer.retainedSlice(start, end - start);
    }

    private boolean isRepeatedHeader() {
        boolean repeated = header && headed;
        headed = true;
        return repeated;
    }

    private @Nullable ByteBuf withoutSignature(ByteBuf buffer, int start, int end) {
        boolean keeps = !headed;
        headed = true;
        boolean isAll =
                end - start == HEADER + SIGNATURE_BYTES + TRAILER_BYTES && isTrailer(buffer, end - TRAILER_BYTES);
        int from = start + HEADER + (keeps ? 0 : SIGNATURE_BYTES);
        int to = isAll ? end - TRAILER_BYTES : end;
        if (from >= to) {
            return null;
        }
        ByteBuf frame = Unpooled.buffer(HEADER + to - from);
        return frame.writeByte('d').writeInt(to - from + Integer.BYTES).writeBytes(buffer, from, to - from);
    }

    private static boolean isTrailer(ByteBuf buffer, int at) {
        return buffer.getShort(at) == -1;
    }

    private @Nullable ByteBuf withoutTrailer(ByteBuf buffer, int start, int end) {
        boolean trailer = end - start == HEADER + TRAILER_BYTES && isTrailer(buffer, start + HEADER);
        return trailer ? null : buffer.retainedSlice(start, end - start);
    }

    /**
     * A part of a CopyData.
     *
     * @return what of it the client gets, which is the end of a frame if this is; null for nothing
     */
    @Nullable
    ByteBuf part(int shard, ByteBuf buffer, int start, int end, boolean first, boolean last) {
        if (first) {
            boolean isTrailerLong = buffer.getInt(start + 1) == Integer.BYTES + TRAILER_BYTES;
            dropping[shard] = !binary && !begun[shard] && isRepeatedHeader();
            if (binary && (!begun[shard] || isTrailerLong)) {
                whole[shard] = Unpooled.buffer();
            }
            begun[shard] |= !binary;
        }
        ByteBuf collected = whole[shard];
        if (collected != null) {
            collected.writeBytes(buffer, start, end - start);
            return last ? collected(shard, collected) : null;
        }
        return dropping[shard] ? null : buffer.retainedSlice(start, end - start);
    }

    private @Nullable ByteBuf collected(int shard, ByteBuf collected) {
        whole[shard] = null;
        return data(shard, collected, 0, collected.readableBytes());
    }

    /** The end of the stream. */
    byte[] end() {
        if (!binary || !headed) {
            return COPY_DONE;
        }
        byte[] both = Arrays.copyOf(BINARY_END, BINARY_END.length + COPY_DONE.length);
        System.arraycopy(COPY_DONE, 0, both, BINARY_END.length, COPY_DONE.length);
        return both;
    }
}
