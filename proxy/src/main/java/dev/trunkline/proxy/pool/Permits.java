package dev.trunkline.proxy.pool;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * How many connections one configured pool may still open, over all loops: {@code pool_size} is a promise to the
 * server. Also where loops that wait for a connection are known to the others. Safe for any thread.
 */
final class Permits {

    private volatile int size;
    private final AtomicInteger taken = new AtomicInteger();
    private final AtomicInteger live = new AtomicInteger();
    private volatile boolean reachable = true;
    private final Queue<LoopPool> hungry = new ConcurrentLinkedQueue<>();

    Permits(int size) {
        this.size = size;
    }

    /** Changes how many there are; those who hold too many give them back as they can. */
    void resize(int newSize) {
        boolean grows = newSize > size;
        size = newSize;
        LoopPool waiting = hungry.peek();
        if (grows && waiting != null) {
            waiting.permitFreed();
        }
    }

    /** True when more are taken than there are now. */
    boolean isOverdrawn() {
        return taken.get() > size;
    }

    /** Takes a permit for one connection, if there is one. */
    boolean tryTake() {
        int now = taken.get();
        while (now < size) {
            if (taken.compareAndSet(now, now + 1)) {
                return true;
            }
            now = taken.get();
        }
        return false;
    }

    /**
     * Gives a permit back: its connection is closed. Every loop that waits may take it: the one that has waited longest
     * may be pausing after an attempt of its own.
     */
    void giveBack() {
        taken.decrementAndGet();
        hungry.forEach(LoopPool::permitFreed);
    }

    /** A permit has become a connection that lives. */
    void opened() {
        live.incrementAndGet();
        reachable = true;
    }

    /** A permit has not become a connection: the server could not be reached, or refused. */
    void notOpened() {
        reachable = false;
    }

    /** False from an attempt to connect that failed to one that did not. */
    boolean isReachable() {
        return reachable;
    }

    /** A connection that lived does no longer. */
    void closed() {
        live.decrementAndGet();
    }

    /** Connections that live, on all loops. */
    int live() {
        return live.get();
    }

    int taken() {
        return taken.get();
    }

    /** Registers a loop that has waiters and neither an idle connection nor a permit; once per loop. */
    void addHungry(LoopPool pool) {
        hungry.add(pool);
    }

    void removeHungry(LoopPool pool) {
        hungry.remove(pool);
    }

    /** The loop that has been hungry longest, or null. */
    @Nullable
    LoopPool hungriest() {
        return hungry.peek();
    }

    /** Takes the loop that has been hungry longest off the list, or null. */
    @Nullable
    LoopPool pollHungriest() {
        return hungry.poll();
    }
}
