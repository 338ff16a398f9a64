package dev.trunkline.proxy;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The event loops that do not take clients yet. A loop with enough to do handles many messages per turn of the kernel's
 * poll, and rarely goes to sleep; the same clients on two loops cost up to twice the processor time. So a loop is put to
 * use only when those in use have their number of clients. Safe for any thread.
 */
final class ReserveLoops {

    private final int clientsPerLoop;
    private final ConcurrentLinkedQueue<Runnable> reserve = new ConcurrentLinkedQueue<>();
    private final AtomicInteger inUse = new AtomicInteger(1);

    ReserveLoops(int clientsPerLoop) {
        this.clientsPerLoop = clientsPerLoop;
    }

    /** A loop that takes clients once {@code activation} has run. */
    void add(Runnable activation) {
        reserve.add(activation);
    }

    /** A client has come: one more loop is put to use when there are enough. */
    void clientArrived(int clients) {
        int loops = inUse.get();
        if ((long) clients >= (long) clientsPerLoop * loops && inUse.compareAndSet(loops, loops + 1)) {
            Runnable activation = reserve.poll();
            if (activation != null) {
                activation.run();
            }
        }
    }
}
