package dev.trunkline.protocol.frontend;

import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.FrameWriter;

/**
 * A further message of a SASL mechanism: {@code 'p' | int32 length | byte*}.
 *
 * @param data of the mechanism
 */
public record SASLResponse(ByteSlice data) implements FrontendMessage {

    /** The message with the given body. */
    public static SASLResponse decode(byte[] buffer, int offset, int length) {
        return new SASLResponse(new ByteSlice(buffer, offset, length));
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(FrontendType.PASSWORD);
        out.bytes(data);
        out.end();
    }

    /** Without the data, of which a log has no need. */
    @Override
    public String toString() {
        return "SASLResponse[]";
    }
}
