package dev.trunkline.harness.wire;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;

/** What went over a connection in both directions, for the message of a failed test; keeps the last messages. */
final class Transcript {

    private static final int KEPT_MESSAGES = 200;
    private static final int DUMPED_BYTES = 256;

    private final Deque<String> lines = new ArrayDeque<>();

    synchronized void sent(byte[] bytes) {
        keep("  -> " + bytes.length + " bytes\n" + HexDump.of(bytes, DUMPED_BYTES));
    }

    synchronized void received(Frame frame) {
        keep("  <- " + abbreviated(frame.toString()) + "\n" + HexDump.of(frame.bytes(), DUMPED_BYTES));
    }

    synchronized void event(String what) {
        keep("  -- " + what + "\n");
    }

    synchronized void receivedRaw(byte[] bytes) {
        keep("  <- \\x" + HexFormat.of().formatHex(bytes) + "\n");
    }

    /** The failure with the whole exchange behind it. */
    synchronized AssertionError failure(String message) {
        return new AssertionError(message + "\nexchange:\n" + String.join("", lines));
    }

    private void keep(String line) {
        lines.addLast(line);
        if (lines.size() > KEPT_MESSAGES) {
            lines.removeFirst();
        }
    }

    private static String abbreviated(String text) {
        return text.length() <= 200 ? text : text.substring(0, 200) + "…";
    }
}
