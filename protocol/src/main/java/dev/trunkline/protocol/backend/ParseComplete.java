package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.FrameWriter;

/** Answers Parse: {@code '1' | int32 4}. */
public record ParseComplete() implements BackendMessage {

    /** The message with the given body. */
    public static ParseComplete decode(byte[] buffer, int offset, int length) {
        new BodyReader("ParseComplete", buffer, offset, length).end();
        return new ParseComplete();
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(BackendType.PARSE_COMPLETE);
        out.end();
    }
}
