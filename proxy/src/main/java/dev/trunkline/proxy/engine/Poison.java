package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.frontend.Execute;

/** A message that must fail: makes a server give up the transaction that it is in. */
final class Poison {

    /** Execute of a portal that cannot exist. */
    static final byte[] EXECUTE = frame();

    private Poison() {}

    private static byte[] frame() {
        FrameWriter out = new FrameWriter();
        new Execute("trunkline: no such portal", 0).encode(out);
        return out.toByteArray();
    }
}
