package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.FrameWriter;

/** Answers Bind: {@code '2' | int32 4}. */
public record BindComplete() implements BackendMessage {

    /** The message with the given body. */
    public static BindComplete decode(byte[] buffer, int offset, int length) {
        new BodyReader("BindComplete", buffer, offset, length).end();
        return new BindComplete();
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(BackendType.BIND_COMPLETE);
        out.end();
    }
}
