package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.FrameWriter;

/**
 * What a client needs to cancel: {@code 'K' | int32 length | int32 processId | secret key to the end}.
 *
 * @param processId identifies the session
 * @param secretKey 4 bytes in protocol 3.0, 4 to 256 from 3.2 on
 */
public record BackendKeyData(int processId, ByteSlice secretKey) implements BackendMessage {

    private static final int MIN_KEY_BYTES = 4;
    private static final int MAX_KEY_BYTES = 256;

    /** The message with the given body. */
    public static BackendKeyData decode(byte[] buffer, int offset, int length) {
        BodyReader body = new BodyReader("BackendKeyData", buffer, offset, length);
        int processId = body.int32();
        ByteSlice key = body.rest();
        if (key.length() < MIN_KEY_BYTES || key.length() > MAX_KEY_BYTES) {
            throw body.malformed("its secret key has " + key.length() + " bytes");
        }
        return new BackendKeyData(processId, key);
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(BackendType.BACKEND_KEY_DATA);
        out.int32(processId);
        out.bytes(secretKey);
        out.end();
    }

    /** Without the key: whoever reads it in a log could cancel. */
    @Override
    public String toString() {
        return "BackendKeyData[processId=" + processId + "]";
    }
}
