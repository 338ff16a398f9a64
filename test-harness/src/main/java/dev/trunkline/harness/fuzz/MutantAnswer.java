package dev.trunkline.harness.fuzz;

import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.FrameBody;
import dev.trunkline.harness.wire.Remainder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came back for a mutant, up to the end of the stream.
 *
 * @param mutant that was sent
 * @param frames that came back whole
 * @param isCut whether the stream ended within a frame although the connection was not reset
 */
public record MutantAnswer(Mutant mutant, List<Frame> frames, boolean isCut) {

    private static final String BACKEND_TYPES = "123ACDEGHIKNRSTVWZcdnstv";
    private static final int HEADER_BYTES = 5;

    /** Keeps a copy of the list. */
    public MutantAnswer {
        frames = List.copyOf(frames);
    }

    /**
     * Splits the bytes into frames.
     *
     * @throws AssertionError if they are no frames of a server
     */
    static MutantAnswer of(Mutant mutant, Remainder remainder) {
        byte[] bytes = remainder.bytes();
        List<Frame> frames = new ArrayList<>();
        int offset = mutant.opensConnection() ? refusals(bytes) : 0;
        while (bytes.length - offset >= HEADER_BYTES) {
            char type = (char) bytes[offset];
            int length = ByteBuffer.wrap(bytes).getInt(offset + 1);
            if (BACKEND_TYPES.indexOf(type) < 0 || length < 4) {
                throw new AssertionError(mutant + ": no frame of a server, type " + (int) type + ", length " + length
                        + " in " + Arrays.toString(bytes));
            }
            if (length > bytes.length - offset - 1) {
                break;
            }
            frames.add(new Frame(type, Arrays.copyOfRange(bytes, offset + HEADER_BYTES, offset + 1 + length)));
            offset += 1 + length;
        }
        return new MutantAnswer(mutant, frames, offset < bytes.length && !remainder.isReset());
    }

    /** The SQLSTATE of the error that ended the session; null if none did. */
    public @Nullable String fatalState() {
        return frames.stream()
                .filter(MutantAnswer::isFatal)
                .map(frame -> field(frame, 'C'))
                .findFirst()
                .orElse(null);
    }

    /**
     * Asserts what holds of every answer: whole frames up to the end, and nothing behind an error that ends the
     * session.
     */
    public void assertSound() {
        if (isCut) {
            throw new AssertionError(mutant + ": the answer ends within a frame, after " + frames);
        }
        for (Frame frame : frames.subList(0, Math.max(0, frames.size() - 1))) {
            if (isFatal(frame)) {
                throw new AssertionError(mutant + ": frames follow an error that ends the session: " + frames);
            }
        }
    }

    private static boolean isFatal(Frame frame) {
        return frame.type() == 'E' && List.of("FATAL", "PANIC").contains(field(frame, 'V'));
    }

    private static String field(Frame frame, char letter) {
        FrameBody body = frame.reader();
        for (int code = body.int8(); code != 0; code = body.int8()) {
            String value = body.string();
            if (code == letter) {
                return value;
            }
        }
        return "";
    }

    /** The single bytes by which TLS and GSSAPI are refused; a NoticeResponse has a zero behind the same letter. */
    private static int refusals(byte[] bytes) {
        int count = 0;
        while (count < bytes.length && bytes[count] == 'N' && (count + 1 == bytes.length || bytes[count + 1] != 0)) {
            count++;
        }
        return count;
    }
}
