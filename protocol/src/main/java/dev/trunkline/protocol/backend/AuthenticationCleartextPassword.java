package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.FrameWriter;

/** Demands the password in clear: {@code 'R' | int32 8 | int32 3}. */
public record AuthenticationCleartextPassword() implements Authentication {

    static final int CODE = 3;

    @Override
    public void encode(FrameWriter out) {
        Authentication.encode(out, CODE, ByteSlice.EMPTY);
    }
}
