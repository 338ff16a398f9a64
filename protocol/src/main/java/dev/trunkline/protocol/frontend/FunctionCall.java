package dev.trunkline.protocol.frontend;

import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.FrameWriter;

/**
 * A call of a function by OID (obsolete), passed on undecoded: {@code 'F' | int32 length | byte*}.
 *
 * @param call a range of the decoded buffer
 */
public record FunctionCall(ByteSlice call) implements FrontendMessage {

    /** The message with the given body. */
    public static FunctionCall decode(byte[] buffer, int offset, int length) {
        return new FunctionCall(new ByteSlice(buffer, offset, length));
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(FrontendType.FUNCTION_CALL);
        out.bytes(call);
        out.end();
    }
}
