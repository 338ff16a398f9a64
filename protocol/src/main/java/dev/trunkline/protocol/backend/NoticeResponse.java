package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.error.PgException;

/**
 * A notice, which may come at any time: {@code 'N' | int32 length | (byte letter | string value)* | byte 0}.
 *
 * @param fields what it says
 */
public record NoticeResponse(ResponseFields fields) implements BackendMessage {

    /** The response that tells of the exception. */
    public static NoticeResponse of(PgException e) {
        return new NoticeResponse(ResponseFields.of(e));
    }

    /** The message with the given body. */
    public static NoticeResponse decode(byte[] buffer, int offset, int length) {
        return new NoticeResponse(ResponseFields.decode("NoticeResponse", buffer, offset, length));
    }

    @Override
    public void encode(FrameWriter out) {
        fields.encode(out, BackendType.NOTICE_RESPONSE);
    }
}
