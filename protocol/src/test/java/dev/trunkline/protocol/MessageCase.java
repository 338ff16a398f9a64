package dev.trunkline.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.Severity;
import dev.trunkline.protocol.error.SqlState;
import java.util.Arrays;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * A message, its frame byte by byte, and what its decoder has to do with it.
 *
 * @param headerBytes 5, or 4 for the packets that open a connection
 * @param shortestBody the bytes to which the body may be cut and still be valid: its whole length, unless it ends in
 *     bytes that run to the end of the frame
 */
public record MessageCase(
        Object message,
        Consumer<FrameWriter> encoder,
        byte[] frame,
        int headerBytes,
        Decoder decoder,
        int shortestBody) {

    /** A static {@code decode} method. */
    @FunctionalInterface
    public interface Decoder {
        Object decode(byte[] buffer, int offset, int length);
    }

    /** Asserts that the message becomes the frame. */
    public void encodesExactly() {
        FrameWriter out = new FrameWriter(1);
        encoder.accept(out);
        assertThat(out.toByteArray()).containsExactly(frame);
    }

    /** Asserts that the body, in the midst of a larger buffer, becomes the message. */
    public void decodesExactly() {
        byte[] buffer = surrounded(frame);
        assertThat(decoder.decode(buffer, 3 + headerBytes, bodyLength())).isEqualTo(message);
    }

    /** Asserts that a body cut anywhere is refused, or accepted where its last field runs to the end. */
    public void refusesEveryTruncation() {
        byte[] buffer = surrounded(frame);
        for (int length = 0; length < bodyLength(); length++) {
            int cut = length;
            if (length >= shortestBody) {
                assertThat(decoder.decode(buffer, 3 + headerBytes, length)).isNotEqualTo(message);
            } else {
                assertMalformed(() -> decoder.decode(buffer, 3 + headerBytes, cut));
            }
        }
    }

    /** Asserts that a body with a byte too many is refused, unless its last field runs to the end. */
    public void refusesTrailingBytes() {
        if (shortestBody < bodyLength()) {
            return;
        }
        byte[] longer = Arrays.copyOf(frame, frame.length + 1);
        assertMalformed(() -> decoder.decode(longer, headerBytes, bodyLength() + 1));
    }

    /** Asserts that the call ends in 08P01 FATAL. */
    public static void assertMalformed(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(PgException.class, e -> {
            assertThat(e.state()).isEqualTo(SqlState.PROTOCOL_VIOLATION);
            assertThat(e.severity()).isEqualTo(Severity.FATAL);
        });
    }

    /** The length of the body. */
    public int bodyLength() {
        return frame.length - headerBytes;
    }

    @Override
    public String toString() {
        return message.toString();
    }

    private static byte[] surrounded(byte[] frame) {
        byte[] buffer = new byte[frame.length + 6];
        Arrays.fill(buffer, (byte) 0x5a);
        System.arraycopy(frame, 0, buffer, 3, frame.length);
        return buffer;
    }
}
