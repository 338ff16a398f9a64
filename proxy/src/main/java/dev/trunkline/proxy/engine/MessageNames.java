package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.Frame;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.ProtocolErrors;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** Reads the names in messages of the extended protocol where they lie. Throws 08P01 for one that is malformed. */
final class MessageNames {

    private static final int HEADER = Frame.HEADER_BYTES;

    private MessageNames() {}

    /** Of a Describe or Close: S for a statement, P for a portal. */
    static byte kind(ByteBuf buffer, int start, int end) {
        if (end <= start + HEADER) {
            throw malformed();
        }
        byte kind = buffer.getByte(start + HEADER);
        if (kind != 'S' && kind != 'P') {
            throw malformed();
        }
        return kind;
    }

    /** The index behind the zero byte of the name that begins at an index. */
    static int nameEnd(ByteBuf buffer, int from, int end) {
        int zero = from >= end ? -1 : buffer.indexOf(from, end, (byte) 0);
        if (zero < 0) {
            throw malformed();
        }
        return zero + 1;
    }

    static String name(ByteBuf buffer, int from, int end) {
        return text(buffer, from, nameEnd(buffer, from, end) - 1);
    }

    static String text(ByteBuf buffer, int from, int end) {
        return from == end ? "" : buffer.toString(from, end - from, StandardCharsets.UTF_8);
    }

    private static PgException malformed() {
        return ProtocolErrors.malformedMessage("message", "A name in it does not end.");
    }
}
