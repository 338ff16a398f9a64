package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.FrameWriter;

/**
 * The last word of the SASL mechanism; AuthenticationOk follows: {@code 'R' | int32 length | int32 12 | byte*}.
 *
 * @param data of the mechanism, such as the proof that the server knows the password
 */
public record AuthenticationSASLFinal(ByteSlice data) implements Authentication {

    static final int CODE = 12;

    @Override
    public void encode(FrameWriter out) {
        Authentication.encode(out, CODE, data);
    }
}
