package dev.trunkline.protocol.frontend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.FrameWriter;

/**
 * Makes the end of a prepared statement or a portal; an unknown name is no error: {@code 'C' | int32 length | byte kind | string name}.
 *
 * @param kind what the name is of
 * @param name empty for the unnamed one
 */
public record Close(ObjectKind kind, String name) implements FrontendMessage {

    /** The message with the given body. */
    public static Close decode(byte[] buffer, int offset, int length) {
        BodyReader body = new BodyReader("Close", buffer, offset, length);
        ObjectKind kind = ObjectKind.read(body);
        String name = body.name();
        body.end();
        return new Close(kind, name);
    }

    /** Whether it concerns a prepared statement rather than a portal. */
    public boolean isStatement() {
        return kind == ObjectKind.STATEMENT;
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(FrontendType.CLOSE);
        out.int8(kind.code());
        out.cstring(name);
        out.end();
    }
}
