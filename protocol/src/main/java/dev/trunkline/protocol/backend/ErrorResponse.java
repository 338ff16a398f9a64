package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.error.PgException;

/**
 * An error: {@code 'E' | int32 length | (byte letter | string value)* | byte 0}.
 *
 * @param fields what it says
 */
public record ErrorResponse(ResponseFields fields) implements BackendMessage {

    /** The response that tells of the exception. */
    public static ErrorResponse of(PgException e) {
        return new ErrorResponse(ResponseFields.of(e));
    }

    /** The message with the given body. */
    public static ErrorResponse decode(byte[] buffer, int offset, int length) {
        return new ErrorResponse(ResponseFields.decode("ErrorResponse", buffer, offset, length));
    }

    @Override
    public void encode(FrameWriter out) {
        fields.encode(out, BackendType.ERROR_RESPONSE);
    }
}
