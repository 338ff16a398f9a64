package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.FrameWriter;

/**
 * COPY data flow both ways (replication): {@code 'W' | int32 length | byte format | int16 count | int16 columnFormat*}.
 *
 * @param shape of the stream
 */
public record CopyBothResponse(CopyShape shape) implements BackendMessage {

    /** The message with the given body. */
    public static CopyBothResponse decode(byte[] buffer, int offset, int length) {
        return new CopyBothResponse(CopyShape.decode("CopyBothResponse", buffer, offset, length));
    }

    @Override
    public void encode(FrameWriter out) {
        shape.encode(out, BackendType.COPY_BOTH_RESPONSE);
    }
}
