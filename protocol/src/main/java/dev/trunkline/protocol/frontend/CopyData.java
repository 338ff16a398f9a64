package dev.trunkline.protocol.frontend;

import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.FrameWriter;

/**
 * A part of a COPY stream, cut anywhere: {@code 'd' | int32 length | byte*}.
 *
 * @param data a range of the decoded buffer
 */
public record CopyData(ByteSlice data) implements FrontendMessage {

    /** The message with the given body. */
    public static CopyData decode(byte[] buffer, int offset, int length) {
        return new CopyData(new ByteSlice(buffer, offset, length));
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(FrontendType.COPY_DATA);
        out.bytes(data);
        out.end();
    }
}
