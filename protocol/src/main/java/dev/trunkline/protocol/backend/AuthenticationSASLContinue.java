package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.FrameWriter;

/**
 * A challenge of the SASL mechanism: {@code 'R' | int32 length | int32 11 | byte*}.
 *
 * @param data of the mechanism
 */
public record AuthenticationSASLContinue(ByteSlice data) implements Authentication {

    static final int CODE = 11;

    @Override
    public void encode(FrameWriter out) {
        Authentication.encode(out, CODE, data);
    }
}
