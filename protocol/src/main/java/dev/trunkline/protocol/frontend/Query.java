package dev.trunkline.protocol.frontend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.FrameWriter;

/**
 * A simple query: {@code 'Q' | int32 length | string sql}.
 *
 * @param sql the text without its terminator, in the client's encoding; a range of the decoded buffer
 */
public record Query(ByteSlice sql) implements FrontendMessage {

    /** The query of the given text. */
    public static Query of(String sql) {
        return new Query(ByteSlice.of(sql));
    }

    /** The query with the given body. */
    public static Query decode(byte[] buffer, int offset, int length) {
        BodyReader body = new BodyReader("Query", buffer, offset, length);
        ByteSlice sql = body.cstring();
        body.end();
        return new Query(sql);
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(FrontendType.QUERY);
        out.cstring(sql);
        out.end();
    }
}
