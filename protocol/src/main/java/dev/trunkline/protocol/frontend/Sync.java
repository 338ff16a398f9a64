package dev.trunkline.protocol.frontend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.FrameWriter;

/** Ends a series of extended-query messages: ReadyForQuery answers it: {@code 'S' | int32 4}. */
public record Sync() implements FrontendMessage {

    /** The message with the given body. */
    public static Sync decode(byte[] buffer, int offset, int length) {
        new BodyReader("Sync", buffer, offset, length).end();
        return new Sync();
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(FrontendType.SYNC);
        out.end();
    }
}
