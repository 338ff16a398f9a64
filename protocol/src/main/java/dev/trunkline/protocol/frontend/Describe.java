package dev.trunkline.protocol.frontend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.FrameWriter;

/**
 * Asks for the shape of a prepared statement or a portal: {@code 'D' | int32 length | byte kind | string name}.
 *
 * @param kind what the name is of
 * @param name empty for the unnamed one
 */
public record Describe(ObjectKind kind, String name) implements FrontendMessage {

    /** The message with the given body. */
    public static Describe decode(byte[] buffer, int offset, int length) {
        BodyReader body = new BodyReader("Describe", buffer, offset, length);
        ObjectKind kind = ObjectKind.read(body);
        String name = body.name();
        body.end();
        return new Describe(kind, name);
    }

    /** Whether it concerns a prepared statement rather than a portal. */
    public boolean isStatement() {
        return kind == ObjectKind.STATEMENT;
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(FrontendType.DESCRIBE);
        out.int8(kind.code());
        out.cstring(name);
        out.end();
    }
}
