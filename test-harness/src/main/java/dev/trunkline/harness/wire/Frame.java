package dev.trunkline.harness.wire;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One protocol message as it lies on the wire.
 *
 * @param type the message's type byte; {@link #UNTYPED} for the packets that open a connection
 * @param body what follows the length
 */
public record Frame(char type, byte[] body) {

    /** Startup packet, SSLRequest, CancelRequest: length and body alone. */
    public static final char UNTYPED = 0;

    /** The whole message: type if it has one, length, body. */
    public byte[] bytes() {
        int typeBytes = type == UNTYPED ? 0 : 1;
        ByteBuffer all = ByteBuffer.allocate(typeBytes + 4 + body.length);
        if (typeBytes == 1) {
            all.put((byte) type);
        }
        return all.putInt(4 + body.length).put(body).array();
    }

    /** A reader at the body's start. */
    public FrameBody reader() {
        return new FrameBody(body);
    }

    /** The message as a backend's, in the notation of {@link Notation}. */
    @Override
    public String toString() {
        return Notation.of(this);
    }

    /** Starts a message of the given type. */
    public static Builder of(char type) {
        return new Builder(type);
    }

    /** Writes a body field by field, in network byte order. */
    public static final class Builder {

        private final char type;
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();

        private Builder(char type) {
            this.type = type;
        }

        public Builder int8(int value) {
            body.write(value);
            return this;
        }

        public Builder int16(int value) {
            return int8(value >> 8).int8(value);
        }

        public Builder int32(int value) {
            return int16(value >> 16).int16(value);
        }

        /** A zero-terminated string. */
        public Builder string(String value) {
            return bytes(value.getBytes(StandardCharsets.UTF_8)).int8(0);
        }

        public Builder bytes(byte[] value) {
            body.writeBytes(value);
            return this;
        }

        /** A length and that many bytes, or length -1 for null, as values of Bind and DataRow are written. */
        public Builder value(byte @Nullable [] value) {
            return value == null ? int32(-1) : int32(value.length).bytes(value);
        }

        public Frame build() {
            return new Frame(type, body.toByteArray());
        }
    }
}
