package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.FrameWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * The parameters of a prepared statement: {@code 't' | int32 length | int16 count | int32 typeOid*}.
 *
 * @param typeOids in the order of the parameters
 */
public record ParameterDescription(List<Integer> typeOids) implements BackendMessage {

    /** Keeps a copy of the list. */
    public ParameterDescription {
        typeOids = List.copyOf(typeOids);
    }

    /** The message with the given body. */
    public static ParameterDescription decode(byte[] buffer, int offset, int length) {
        BodyReader body = new BodyReader("ParameterDescription", buffer, offset, length);
        int count = body.count(Integer.BYTES);
        List<Integer> oids = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            oids.add(body.int32());
        }
        body.end();
        return new ParameterDescription(oids);
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(BackendType.PARAMETER_DESCRIPTION);
        out.int16(typeOids.size());
        typeOids.forEach(out::int32);
        out.end();
    }
}
