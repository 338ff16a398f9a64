package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.FrameWriter;

/**
 * The server waits for COPY data: {@code 'G' | int32 length | byte format | int16 count | int16 columnFormat*}.
 *
 * @param shape of the stream
 */
public record CopyInResponse(CopyShape shape) implements BackendMessage {

    /** The message with the given body. */
    public static CopyInResponse decode(byte[] buffer, int offset, int length) {
        return new CopyInResponse(CopyShape.decode("CopyInResponse", buffer, offset, length));
    }

    @Override
    public void encode(FrameWriter out) {
        shape.encode(out, BackendType.COPY_IN_RESPONSE);
    }
}
