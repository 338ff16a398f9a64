package dev.trunkline.protocol.frontend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.FrameWriter;

/** Ends a COPY stream with success: {@code 'c' | int32 4}. */
public record CopyDone() implements FrontendMessage {

    /** The message with the given body. */
    public static CopyDone decode(byte[] buffer, int offset, int length) {
        new BodyReader("CopyDone", buffer, offset, length).end();
        return new CopyDone();
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(FrontendType.COPY_DONE);
        out.end();
    }
}
