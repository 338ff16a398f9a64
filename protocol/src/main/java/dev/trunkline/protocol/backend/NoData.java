package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.FrameWriter;

/** Answers Describe of what returns no rows: {@code 'n' | int32 4}. */
public record NoData() implements BackendMessage {

    /** The message with the given body. */
    public static NoData decode(byte[] buffer, int offset, int length) {
        new BodyReader("NoData", buffer, offset, length).end();
        return new NoData();
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(BackendType.NO_DATA);
        out.end();
    }
}
