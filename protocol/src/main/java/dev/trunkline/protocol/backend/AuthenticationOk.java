package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.FrameWriter;

/** The client is who it says: {@code 'R' | int32 8 | int32 0}. */
public record AuthenticationOk() implements Authentication {

    static final int CODE = 0;

    @Override
    public void encode(FrameWriter out) {
        Authentication.encode(out, CODE, ByteSlice.EMPTY);
    }
}
