package dev.trunkline.protocol.frontend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.FrameWriter;

/** Asks the server to send what it holds back: {@code 'H' | int32 4}. */
public record Flush() implements FrontendMessage {

    /** The message with the given body. */
    public static Flush decode(byte[] buffer, int offset, int length) {
        new BodyReader("Flush", buffer, offset, length).end();
        return new Flush();
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(FrontendType.FLUSH);
        out.end();
    }
}
