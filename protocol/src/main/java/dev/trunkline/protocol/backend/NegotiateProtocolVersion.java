package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.FrameWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers a startup packet that asks for more than the server has.
 *
 * <pre>
 * 'v' | int32 length | int32 newest | int32 count | string option*
 * </pre>
 *
 * @param version the newest version the server speaks, as in StartupMessage: major in the upper, minor in the lower
 *     16 bits
 * @param unknownOptions the protocol options it does not know
 */
public record NegotiateProtocolVersion(int version, List<String> unknownOptions) implements BackendMessage {

    /** Keeps a copy of the list. */
    public NegotiateProtocolVersion {
        unknownOptions = List.copyOf(unknownOptions);
    }

    /** The message with the given body. */
    public static NegotiateProtocolVersion decode(byte[] buffer, int offset, int length) {
        BodyReader body = new BodyReader("NegotiateProtocolVersion", buffer, offset, length);
        int version = body.int32();
        int count = body.int32();
        if (count < 0 || count > body.remaining()) {
            throw body.malformed("it announces " + count + " options in " + body.remaining() + " bytes");
        }
        List<String> options = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            options.add(body.text());
        }
        body.end();
        return new NegotiateProtocolVersion(version, options);
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(BackendType.NEGOTIATE_PROTOCOL_VERSION);
        out.int32(version);
        out.int32(unknownOptions.size());
        unknownOptions.forEach(out::cstring);
        out.end();
    }
}
