package dev.trunkline.protocol.frontend;

import dev.trunkline.protocol.FrameWriter;

/** Whole frames to servers that never differ, ready to be sent; the arrays are shared and must not be changed. */
public final class FixedRequests {

    public static final byte[] SYNC = frame(new Sync());

    /** Describe of the unnamed portal. */
    public static final byte[] DESCRIBE_UNNAMED = frame(new Describe(ObjectKind.PORTAL, ""));

    /** Execute of the unnamed portal, for all rows. */
    public static final byte[] EXECUTE_UNNAMED = frame(new Execute("", 0));

    private FixedRequests() {}

    private static byte[] frame(FrontendMessage message) {
        FrameWriter out = new FrameWriter();
        message.encode(out);
        return out.toByteArray();
    }
}
