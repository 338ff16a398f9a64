package dev.trunkline.harness.fuzz;

import dev.trunkline.harness.wire.Frame;
import java.io.ByteArrayOutputStream;
import java.util.List;

/**
 * What a sound client sends.
 *
 * @param name for people
 * @param opensConnection true if it starts with the first packet of a connection, false if it follows a login
 * @param frames in their order
 */
public record Exchange(String name, boolean opensConnection, List<Frame> frames) {

    /** Keeps a copy of the list. */
    public Exchange {
        frames = List.copyOf(frames);
    }

    /** All frames as they lie on the wire. */
    public byte[] bytes() {
        return bytes(frames);
    }

    boolean hasBody() {
        return frames.stream().anyMatch(frame -> frame.body().length > 0);
    }

    static byte[] bytes(List<Frame> frames) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        frames.forEach(frame -> all.writeBytes(frame.bytes()));
        return all.toByteArray();
    }

    @Override
    public String toString() {
        return name;
    }
}
