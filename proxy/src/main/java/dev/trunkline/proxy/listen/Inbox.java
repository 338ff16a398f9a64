package dev.trunkline.proxy.listen;

import dev.trunkline.proxy.net.Loop;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The notifications that wait for one session. Bounded: what comes while it is full is dropped and counted, so that a
 * client that does not read costs the others nothing.
 */
public final class Inbox {

    /** Some hundred notifications of the longest kind (8000 bytes), ten thousand short ones. */
    public static final int MAX_BYTES = 1 << 20;

    /** What an entry costs beside its frame, about. */
    private static final int ENTRY_BYTES = 64;

    /**
     * One of them.
     *
     * @param frame a NotificationResponse as the server sent it, shared: never written to
     */
    public record Notification(String channel, byte[] frame) {
        int cost() {
            return frame.length + ENTRY_BYTES;
        }
    }

    private final Channels channels;
    private final Loop loop;
    private final Runnable arrived;
    private final ConcurrentLinkedQueue<Notification> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger bytes = new AtomicInteger();
    private final AtomicBoolean announced = new AtomicBoolean();

    Inbox(Channels channels, Loop loop, Runnable arrived) {
        this.channels = channels;
        this.loop = loop;
        this.arrived = arrived;
    }

    /** The session's loop. */
    Loop loop() {
        return loop;
    }

    /** From any thread; false if too much waits already. */
    boolean offer(Notification notification) {
        if (bytes.addAndGet(notification.cost()) > MAX_BYTES) {
            int unused = bytes.addAndGet(-notification.cost());
            channels.countDropped();
            return false;
        }
        boolean always = waiting.add(notification);
        if (always && announced.compareAndSet(false, true)) {
            loop.execute(() -> {
                announced.set(false);
                arrived.run();
            });
        }
        return true;
    }

    /** The oldest that waits, which is the caller's now; null if there is none. Only on the session's loop. */
    public @Nullable Notification poll() {
        Notification oldest = waiting.poll();
        if (oldest != null) {
            int unused = bytes.addAndGet(-oldest.cost());
        }
        return oldest;
    }
}
