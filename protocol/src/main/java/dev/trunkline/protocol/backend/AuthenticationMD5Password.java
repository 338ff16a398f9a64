package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.FrameWriter;

/**
 * Demands the password in MD5 form: {@code 'R' | int32 length | int32 5 | byte*}.
 *
 * @param salt four random bytes
 */
public record AuthenticationMD5Password(ByteSlice salt) implements Authentication {

    static final int CODE = 5;

    static final int SALT_BYTES = 4;

    @Override
    public void encode(FrameWriter out) {
        Authentication.encode(out, CODE, salt);
    }
}
