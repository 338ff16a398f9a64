package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.FrameWriter;

/**
 * COPY data follow: {@code 'H' | int32 length | byte format | int16 count | int16 columnFormat*}.
 *
 * @param shape of the stream
 */
public record CopyOutResponse(CopyShape shape) implements BackendMessage {

    /** The message with the given body. */
    public static CopyOutResponse decode(byte[] buffer, int offset, int length) {
        return new CopyOutResponse(CopyShape.decode("CopyOutResponse", buffer, offset, length));
    }

    @Override
    public void encode(FrameWriter out) {
        shape.encode(out, BackendType.COPY_OUT_RESPONSE);
    }
}
