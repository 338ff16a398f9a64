package dev.trunkline.protocol.frontend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.FrameWriter;

/**
 * Ends a COPY stream with failure: {@code 'f' | int32 length | string reason}.
 *
 * @param reason repeated in the server's error
 */
public record CopyFail(String reason) implements FrontendMessage {

    /** The message with the given body. */
    public static CopyFail decode(byte[] buffer, int offset, int length) {
        BodyReader body = new BodyReader("CopyFail", buffer, offset, length);
        String reason = body.text();
        body.end();
        return new CopyFail(reason);
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(FrontendType.COPY_FAIL);
        out.cstring(reason);
        out.end();
    }
}
