package dev.trunkline.protocol.frontend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.FrameWriter;

/** Says good-bye: {@code 'X' | int32 4}. */
public record Terminate() implements FrontendMessage {

    /** The message with the given body. */
    public static Terminate decode(byte[] buffer, int offset, int length) {
        new BodyReader("Terminate", buffer, offset, length).end();
        return new Terminate();
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(FrontendType.TERMINATE);
        out.end();
    }
}
