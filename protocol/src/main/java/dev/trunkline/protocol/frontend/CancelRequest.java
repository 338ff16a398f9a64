package dev.trunkline.protocol.frontend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.FrameWriter;

/**
 * Asks for the cancellation of what another connection is doing: {@code int32 length | int32 80877102 | int32 processId
 * | secret key to the end}.
 *
 * @param processId of BackendKeyData
 * @param secretKey of BackendKeyData: 4 bytes in protocol 3.0, 4 to 256 from 3.2 on
 */
public record CancelRequest(int processId, ByteSlice secretKey) implements InitialMessage {

    /** 1234 in the upper, 5678 in the lower 16 bits: no version of the protocol. */
    public static final int CODE = 80_877_102;

    /** The bounds of a secret key in bytes. */
    public static final int MIN_KEY_BYTES = 4;

    /** The bounds of a secret key in bytes. */
    public static final int MAX_KEY_BYTES = 256;

    /** The request with the given body. */
    public static CancelRequest decode(byte[] buffer, int offset, int length) {
        BodyReader body = new BodyReader("CancelRequest", buffer, offset, length);
        if (body.int32() != CODE) {
            throw body.malformed("it has another request code");
        }
        int processId = body.int32();
        ByteSlice key = body.rest();
        if (key.length() < MIN_KEY_BYTES || key.length() > MAX_KEY_BYTES) {
            throw body.malformed("its secret key has " + key.length() + " bytes");
        }
        return new CancelRequest(processId, key);
    }

    @Override
    public void encode(FrameWriter out) {
        out.beginStartup();
        out.int32(CODE);
        out.int32(processId);
        out.bytes(secretKey);
        out.end();
    }

    /** Without the key: whoever reads it in a log could cancel. */
    @Override
    public String toString() {
        return "CancelRequest[processId=" + processId + "]";
    }
}
