package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.error.ProtocolErrors;

/** A step of the authentication, or its good end: {@code 'R' | int32 length | int32 code | …}. */
public sealed interface Authentication extends BackendMessage
        permits AuthenticationOk,
                AuthenticationCleartextPassword,
                AuthenticationMD5Password,
                AuthenticationSASL,
                AuthenticationSASLContinue,
                AuthenticationSASLFinal {

    /**
     * The message with the given body.
     *
     * @throws dev.trunkline.protocol.error.PgException 0A000 for a method that the proxy does not have, 08P01 FATAL if
     *     the body is malformed
     */
    static Authentication decode(byte[] buffer, int offset, int length) {
        BodyReader body = new BodyReader("Authentication", buffer, offset, length);
        int code = body.int32();
        Authentication message = switch (code) {
            case AuthenticationOk.CODE -> new AuthenticationOk();
            case AuthenticationCleartextPassword.CODE -> new AuthenticationCleartextPassword();
            case AuthenticationMD5Password.CODE ->
                new AuthenticationMD5Password(body.slice(AuthenticationMD5Password.SALT_BYTES));
            case AuthenticationSASL.CODE -> AuthenticationSASL.read(body);
            case AuthenticationSASLContinue.CODE -> new AuthenticationSASLContinue(body.rest());
            case AuthenticationSASLFinal.CODE -> new AuthenticationSASLFinal(body.rest());
            default -> throw ProtocolErrors.unsupportedAuthentication(code);
        };
        body.end();
        return message;
    }

    /** Appends the frame of a message that has nothing but its code and the given bytes. */
    static void encode(FrameWriter out, int code, ByteSlice content) {
        out.begin(BackendType.AUTHENTICATION);
        out.int32(code);
        out.bytes(content);
        out.end();
    }
}
