package dev.trunkline.protocol.frontend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.FrameWriter;

/**
 * The answer to a demand for a password: {@code 'p' | int32 length | string password}.
 *
 * @param password in clear, or its MD5 form
 */
public record PasswordMessage(String password) implements FrontendMessage {

    /** The message with the given body. */
    public static PasswordMessage decode(byte[] buffer, int offset, int length) {
        BodyReader body = new BodyReader("PasswordMessage", buffer, offset, length);
        String password = body.text();
        body.end();
        return new PasswordMessage(password);
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(FrontendType.PASSWORD);
        out.cstring(password);
        out.end();
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "PasswordMessage[]";
    }
}
