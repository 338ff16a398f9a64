package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.FrameWriter;

/**
 * The value of a run-time parameter: {@code 'S' | int32 length | string name | string value}.
 *
 * @param name of the parameter, spelled as the server does
 * @param value of the parameter
 */
public record ParameterStatus(String name, String value) implements BackendMessage {

    /** The message with the given body. */
    public static ParameterStatus decode(byte[] buffer, int offset, int length) {
        BodyReader body = new BodyReader("ParameterStatus", buffer, offset, length);
        String name = body.text();
        String value = body.text();
        body.end();
        return new ParameterStatus(name, value);
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(BackendType.PARAMETER_STATUS);
        out.cstring(name);
        out.cstring(value);
        out.end();
    }
}
