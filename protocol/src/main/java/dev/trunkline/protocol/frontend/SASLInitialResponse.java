package dev.trunkline.protocol.frontend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.FrameWriter;
import org.jspecify.annotations.Nullable;

/**
 * Chooses a SASL mechanism: {@code 'p' | int32 length | string mechanism | int32 length | byte*}.
 *
 * @param mechanism one of those that AuthenticationSASL offered
 * @param data the first message of the mechanism; null if the client waits for the server to begin
 */
public record SASLInitialResponse(
        String mechanism, @Nullable ByteSlice data) implements FrontendMessage {

    private static final int NO_DATA = -1;

    /** The message with the given body. */
    public static SASLInitialResponse decode(byte[] buffer, int offset, int length) {
        BodyReader body = new BodyReader("SASLInitialResponse", buffer, offset, length);
        String mechanism = body.name();
        int dataLength = body.nullableLength();
        ByteSlice data = dataLength == NO_DATA ? null : body.slice(dataLength);
        body.end();
        return new SASLInitialResponse(mechanism, data);
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(FrontendType.PASSWORD);
        out.cstring(mechanism);
        if (data == null) {
            out.int32(NO_DATA);
        } else {
            out.int32(data.length());
            out.bytes(data);
        }
        out.end();
    }

    /** Without the data, of which a log has no need. */
    @Override
    public String toString() {
        return "SASLInitialResponse[mechanism=" + mechanism + "]";
    }
}
