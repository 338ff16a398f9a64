package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.FrameWriter;

/** Answers Close: {@code '3' | int32 4}. */
public record CloseComplete() implements BackendMessage {

    /** The message with the given body. */
    public static CloseComplete decode(byte[] buffer, int offset, int length) {
        new BodyReader("CloseComplete", buffer, offset, length).end();
        return new CloseComplete();
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(BackendType.CLOSE_COMPLETE);
        out.end();
    }
}
