package dev.trunkline.harness.fault;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One direction of a relay: what may pass now, over all its connections. Thread-safe. */
final class Valve {

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private boolean frozen;
    private @Nullable String holdBefore;
    private boolean holds;
    private Duration delay = Duration.ZERO;
    private long passed;
    private long cutAt = Long.MAX_VALUE;
    private Cut cut = Cut.FIN;

    /**
     * What of a chunk may be forwarded.
     *
     * @param bytes from its start
     * @param cut how to end the connection after them; null = go on
     */
    record Passage(int bytes, @Nullable Cut cut) {}

    /** Waits until the chunk may pass, or its connection has ended, and counts it. */
    synchronized Passage admit(byte[] chunk, int length, BooleanSupplier ended) throws InterruptedException {
        hold(chunk, length);
        while (frozen && !ended.getAsBoolean()) {
            wait();
        }
        if (!delay.isZero()) {
            wait(delay.toMillis());
        }
        if (passed + length < cutAt) {
            passed += length;
            return new Passage(length, null);
        }
        int allowed = (int) Math.max(0, cutAt - passed);
        passed += allowed;
        cutAt = Long.MAX_VALUE;
        return new Passage(allowed, cut);
    }

    synchronized void freeze() {
        frozen = true;
    }

    synchronized void thaw() {
        frozen = false;
        holds = false;
        holdBefore = null;
        notifyAll();
    }

    synchronized void holdBefore(String text) {
        holdBefore = text;
    }

    /** Waits until a chunk with the text of {@link #holdBefore} has come; false if none does in ten seconds. */
    synchronized boolean awaitHold() throws InterruptedException {
        long deadline = System.nanoTime() + LONGEST_WAIT.toNanos();
        while (!holds && System.nanoTime() < deadline) {
            wait(100);
        }
        return holds;
    }

    synchronized void delay(Duration newDelay) {
        delay = newDelay;
    }

    synchronized void cutAfter(long bytes, Cut how) {
        cutAt = passed + bytes;
        cut = how;
    }

    synchronized long passed() {
        return passed;
    }

    /** Makes those who wait look again. */
    synchronized void wake() {
        notifyAll();
    }

    private void hold(byte[] chunk, int length) {
        String text = holdBefore;
        if (text != null && new String(chunk, 0, length, StandardCharsets.ISO_8859_1).contains(text)) {
            holdBefore = null;
            frozen = true;
            holds = true;
            notifyAll();
        }
    }
}
