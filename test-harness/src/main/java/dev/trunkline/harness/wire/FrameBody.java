package dev.trunkline.harness.wire;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads a body field by field; running over its end is an {@link java.nio.BufferUnderflowException}. */
public final class FrameBody {

    private final ByteBuffer bytes;

    FrameBody(byte[] body) {
        this.bytes = ByteBuffer.wrap(body);
    }

    public int int8() {
        return bytes.get() & 0xff;
    }

    public int int16() {
        return bytes.getShort();
    }

    public int int32() {
        return bytes.getInt();
    }

    /** A zero-terminated string. */
    public String string() {
        int start = bytes.position();
        while (bytes.get() != 0) {
            continue;
        }
        return new String(bytes.array(), start, bytes.position() - start - 1, StandardCharsets.UTF_8);
    }

    /** A value with its length before it; null for length -1. */
    public byte @Nullable [] value() {
        int length = int32();
        return length < 0 ? null : bytes(length);
    }

    /** The next bytes, copied. */
    public byte[] bytes(int length) {
        if (length > bytes.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] copy = new byte[length];
        bytes.get(copy);
        return copy;
    }

    public void skip(int length) {
        bytes.position(bytes.position() + length);
    }

    /** All that is left. */
    public byte[] rest() {
        return bytes(bytes.remaining());
    }

    public boolean hasMore() {
        return bytes.hasRemaining();
    }
}
