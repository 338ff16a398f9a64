package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.FrameWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Offers SASL mechanisms: {@code 'R' | int32 length | int32 10 | string mechanism* | byte 0}.
 *
 * @param mechanisms in the server's order of preference
 */
public record AuthenticationSASL(List<String> mechanisms) implements Authentication {

    static final int CODE = 10;

    /** Keeps a copy of the list. */
    public AuthenticationSASL {
        mechanisms = List.copyOf(mechanisms);
    }

    static AuthenticationSASL read(BodyReader body) {
        List<String> mechanisms = new ArrayList<>();
        for (String name = body.name(); !name.isEmpty(); name = body.name()) {
            mechanisms.add(name);
        }
        return new AuthenticationSASL(mechanisms);
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(BackendType.AUTHENTICATION);
        out.int32(CODE);
        mechanisms.forEach(out::cstring);
        out.int8(0);
        out.end();
    }
}
