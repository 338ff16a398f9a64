package dev.trunkline.proxy.net;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.Severity;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Receives the frames of one channel, always on the loop that the channel is at home on.
 *
 * <p>A buffer belongs to the channel: it is valid until the call to {@link #bufferEnd} that follows its frames; who
 * wants bytes of it for longer takes a retained slice.
 */
public interface FrameSink {

    /**
     * A complete frame.
     *
     * @param type the type byte; 0 for a start-up packet, which has none
     * @param buffer holds the frame at {@code start} (the type byte, or the length of a start-up packet) to {@code end}
     */
    void frame(byte type, ByteBuf buffer, int start, int end);

    /**
     * A part of a frame of a streamable type (DataRow, CopyData) that was not received whole; the first part begins
     * with the frame's header.
     *
     * @param first the part begins the frame
     * @param last the part ends the frame
     */
    void part(byte type, ByteBuf buffer, int start, int end, boolean first, boolean last);

    /** No more frames come from this buffer: what was to be relayed from it is taken now. */
    void bufferEnd(ByteBuf buffer);

    /** The channel can be written to again, or no longer; see {@link WireChannel#isWritable()}. */
    void writabilityChanged(boolean writable);

    /**
     * A frame is longer than what is held of its type: its body is passed over, the next frame will be delivered. Where
     * no session is there to go on, that ends the channel.
     */
    default void tooLong(byte type, PgException fault) {
        violation(fault.withSeverity(Severity.FATAL));
    }

    /** The TLS handshake is over: what follows is encrypted. Before this, nothing of it is delivered. */
    default void secured() {}

    /** The peer broke the framing rules; the channel delivers nothing more. Close it after telling the peer. */
    void violation(PgException fault);

    /** The channel is closed, by either side; called once, nothing follows. */
    void closed(@Nullable Throwable cause);
}
