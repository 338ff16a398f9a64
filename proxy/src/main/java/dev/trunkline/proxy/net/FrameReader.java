package dev.trunkline.proxy.net;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.ProtocolErrors;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a stream of buffers into frames without copying them; only the rest of a buffer that ends in the middle of a
 * frame is copied (never a DataRow or CopyData: those pass in parts).
 *
 * <pre>
 * byte type | int32 length, itself included | body
 *             int32 length, itself included | body      (start-up packet)
 * </pre>
 *
 * @see <a href="https://www.postgresql.org/docs/18/protocol-overview.html">Message formats</a>
 */
final class FrameReader {

    private static final int LENGTH_BYTES = 4;

    private final ByteBufAllocator allocator;
    private Framing framing;
    private FrameSink sink;
    private @Nullable ByteBuf partial;
    private byte streamedType;
    private int streamedRemaining;
    private int skippedRemaining;
    private boolean stopped;
    private @Nullable ByteBuf reading;
    private long receivedBytes;

    FrameReader(Framing framing, FrameSink sink, ByteBufAllocator allocator) {
        this.framing = framing;
        this.sink = sink;
        this.allocator = allocator;
    }

    void framing(Framing newFraming) {
        framing = newFraming;
    }

    void sink(FrameSink newSink) {
        sink = newSink;
    }

    /** Nothing more is delivered. */
    void stop() {
        stopped = true;
    }

    /** Cuts one buffer and releases it. */
    void read(ByteBuf in) {
        reading = in;
        receivedBytes += in.readableBytes();
        try {
            while (!stopped && in.isReadable()) {
                if (skippedRemaining > 0) {
                    int length = Math.min(skippedRemaining, in.readableBytes());
                    in.skipBytes(length);
                    skippedRemaining -= length;
                } else if (streamedRemaining > 0) {
                    streamRest(in);
                } else if (partial != null) {
                    fill(partial, in);
                } else {
                    cut(in);
                }
            }
            if (!stopped) {
                sink.bufferEnd(in);
            }
        } finally {
            reading = null;
            in.release();
        }
    }

    /** Bytes received so far. */
    long receivedBytes() {
        return receivedBytes;
    }

    /** Whether bytes have been received behind the frame that is being delivered. */
    boolean hasUnread() {
        return reading != null && reading.isReadable();
    }

    void secured() {
        if (!stopped) {
            sink.secured();
        }
    }

    void writabilityChanged(boolean writable) {
        sink.writabilityChanged(writable);
    }

    void closed(@Nullable Throwable cause) {
        stopped = true;
        if (partial != null) {
            partial.release();
            partial = null;
        }
        sink.closed(cause);
    }

    private int headerBytes() {
        return framing.startup() ? LENGTH_BYTES : 1 + LENGTH_BYTES;
    }

    /** Cuts whole frames off the front of a buffer. */
    private void cut(ByteBuf in) {
        int start = in.readerIndex();
        int available = in.readableBytes();
        if (available < headerBytes()) {
            keep(in, available);
            return;
        }
        byte type = framing.startup() ? 0 : in.getByte(start);
        int total = frameBytes(in, start, type);
        if (total < 0) {
            return;
        }
        if (isTooLong(type, total)) {
            int received = Math.min(available, total);
            in.readerIndex(start + received);
            passOver(type, total, received);
        } else if (available >= total) {
            in.readerIndex(start + total);
            sink.frame(type, in, start, start + total);
        } else if (framing.isStreamed(type)) {
            in.readerIndex(start + available);
            streamedType = type;
            streamedRemaining = total - available;
            sink.part(type, in, start, start + available, true, false);
        } else {
            keep(in, available);
        }
    }

    private void streamRest(ByteBuf in) {
        int start = in.readerIndex();
        int length = Math.min(streamedRemaining, in.readableBytes());
        in.readerIndex(start + length);
        streamedRemaining -= length;
        sink.part(streamedType, in, start, start + length, false, streamedRemaining == 0);
    }

    private void keep(ByteBuf in, int length) {
        ByteBuf kept = allocator.buffer(Math.max(64, length));
        kept.writeBytes(in, length);
        partial = kept;
    }

    /** Adds what is missing to the frame that began in an earlier buffer, and delivers it when it is whole. */
    private void fill(ByteBuf kept, ByteBuf in) {
        int header = headerBytes();
        if (kept.readableBytes() < header) {
            kept.writeBytes(in, Math.min(header - kept.readableBytes(), in.readableBytes()));
            if (kept.readableBytes() < header) {
                return;
            }
        }
        byte type = framing.startup() ? 0 : kept.getByte(0);
        int total = frameBytes(kept, 0, type);
        if (total < 0) {
            return;
        }
        if (isTooLong(type, total)) {
            int received = kept.readableBytes();
            partial = null;
            kept.release();
            passOver(type, total, received);
            return;
        }
        if (framing.isStreamed(type) && total > kept.readableBytes()) {
            streamedType = type;
            streamedRemaining = total - kept.readableBytes();
            deliver(kept, type, false);
            return;
        }
        int length = Math.min(total - kept.readableBytes(), in.readableBytes());
        grow(kept, length, total);
        kept.writeBytes(in, length);
        if (kept.readableBytes() == total) {
            deliver(kept, type, true);
        }
    }

    private void deliver(ByteBuf kept, byte type, boolean whole) {
        partial = null;
        try {
            if (whole) {
                sink.frame(type, kept, 0, kept.readableBytes());
            } else {
                sink.part(type, kept, 0, kept.readableBytes(), true, false);
            }
            if (!stopped) {
                sink.bufferEnd(kept);
            }
        } finally {
            kept.release();
        }
    }

    /** Doubles as bytes arrive: a length field alone, however large, reserves nothing. */
    private static void grow(ByteBuf kept, int more, int total) {
        int needed = kept.writerIndex() + more;
        if (needed > kept.capacity()) {
            kept.capacity((int) Math.min(total, Math.max(needed, 2L * kept.capacity())));
        }
    }

    /** The whole frame's length, type byte included; -1 after a violation was reported. */
    private int frameBytes(ByteBuf buffer, int start, byte type) {
        try {
            int length = buffer.getInt(framing.startup() ? start : start + 1);
            return headerBytes() + framing.bodyBytes(type, length);
        } catch (PgException fault) {
            stopped = true;
            sink.violation(fault);
            return -1;
        }
    }

    private boolean isTooLong(byte type, int total) {
        return total - headerBytes() > framing.heldBodyBytes() && !framing.isStreamed(type);
    }

    /** Reports a frame that is not held for its length, and passes over what follows of it. */
    private void passOver(byte type, int total, int received) {
        skippedRemaining = total - received;
        sink.tooLong(
                type,
                ProtocolErrors.messageTooLarge(framing.name(type), total - headerBytes(), framing.heldBodyBytes()));
    }
}
