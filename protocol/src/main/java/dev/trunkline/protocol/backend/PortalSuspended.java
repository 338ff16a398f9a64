package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.FrameWriter;

/** Ends an Execute that reached its row limit: {@code 's' | int32 4}. */
public record PortalSuspended() implements BackendMessage {

    /** The message with the given body. */
    public static PortalSuspended decode(byte[] buffer, int offset, int length) {
        new BodyReader("PortalSuspended", buffer, offset, length).end();
        return new PortalSuspended();
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(BackendType.PORTAL_SUSPENDED);
        out.end();
    }
}
