package dev.trunkline.protocol.frontend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.FrameWriter;

/**
 * Runs a portal: {@code 'E' | int32 length | string portal | int32 maxRows}.
 *
 * @param portal empty for the unnamed one
 * @param maxRows after which the portal is suspended; 0 = no limit (PostgreSQL takes negative numbers alike)
 */
public record Execute(String portal, int maxRows) implements FrontendMessage {

    /** The message with the given body. */
    public static Execute decode(byte[] buffer, int offset, int length) {
        BodyReader body = new BodyReader("Execute", buffer, offset, length);
        String portal = body.name();
        int maxRows = body.int32();
        body.end();
        return new Execute(portal, maxRows);
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(FrontendType.EXECUTE);
        out.cstring(portal);
        out.int32(maxRows);
        out.end();
    }
}
