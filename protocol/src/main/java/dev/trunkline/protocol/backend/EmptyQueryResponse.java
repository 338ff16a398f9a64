package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.FrameWriter;

/** Takes the place of CommandComplete for an empty statement: {@code 'I' | int32 4}. */
public record EmptyQueryResponse() implements BackendMessage {

    /** The message with the given body. */
    public static EmptyQueryResponse decode(byte[] buffer, int offset, int length) {
        new BodyReader("EmptyQueryResponse", buffer, offset, length).end();
        return new EmptyQueryResponse();
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(BackendType.EMPTY_QUERY_RESPONSE);
        out.end();
    }
}
