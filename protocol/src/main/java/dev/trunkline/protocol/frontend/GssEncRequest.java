package dev.trunkline.protocol.frontend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.FrameWriter;

/** Asks for GSSAPI encryption; the answer is one byte, {@code G} or {@code N}: {@code int32 8 | int32 80877104} ({@code GSSENCRequest} in the manual). */
public record GssEncRequest() implements InitialMessage {

    /** 1234 in the upper, 5680 in the lower 16 bits: no version of the protocol. */
    public static final int CODE = 80877104;

    /** The request with the given body. */
    public static GssEncRequest decode(byte[] buffer, int offset, int length) {
        BodyReader body = new BodyReader("GSSENCRequest", buffer, offset, length);
        if (body.int32() != CODE) {
            throw body.malformed("it has another request code");
        }
        body.end();
        return new GssEncRequest();
    }

    @Override
    public void encode(FrameWriter out) {
        out.beginStartup();
        out.int32(CODE);
        out.end();
    }
}
