package dev.trunkline.protocol.frontend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.FrameWriter;

/** Asks for TLS; the answer is one byte, {@code S} or {@code N}: {@code int32 8 | int32 80877103} ({@code SSLRequest} in the manual). */
public record SslRequest() implements InitialMessage {

    /** 1234 in the upper, 5679 in the lower 16 bits: no version of the protocol. */
    public static final int CODE = 80877103;

    /** The request with the given body. */
    public static SslRequest decode(byte[] buffer, int offset, int length) {
        BodyReader body = new BodyReader("SSLRequest", buffer, offset, length);
        if (body.int32() != CODE) {
            throw body.malformed("it has another request code");
        }
        body.end();
        return new SslRequest();
    }

    @Override
    public void encode(FrameWriter out) {
        out.beginStartup();
        out.int32(CODE);
        out.end();
    }
}
