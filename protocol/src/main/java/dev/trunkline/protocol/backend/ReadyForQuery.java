package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.TransactionStatus;

/**
 * Ends a request: {@code 'Z' | int32 5 | byte status}.
 *
 * @param status of the session's transaction
 */
public record ReadyForQuery(TransactionStatus status) implements BackendMessage {

    /** The message with the given body. */
    public static ReadyForQuery decode(byte[] buffer, int offset, int length) {
        BodyReader body = new BodyReader("ReadyForQuery", buffer, offset, length);
        TransactionStatus status = TransactionStatus.of(body.int8());
        body.end();
        return new ReadyForQuery(status);
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(BackendType.READY_FOR_QUERY);
        out.int8(status.code());
        out.end();
    }
}
