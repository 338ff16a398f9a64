package dev.trunkline.harness.check;

import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Collects what Netty's leak detectors find. */
final class NettyLeaks {

    private static final Queue<String> FOUND = new ConcurrentLinkedQueue<>();
    private static final long LONGEST_COLLECTION_MILLIS = 2000;

    private static volatile boolean used;

    private NettyLeaks() {}

    /** Must run before Netty makes its first detector, which it keeps for good. */
    static void install() {
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new Factory());
    }

    /** What has been lost and not been reported before. */
    static List<String> drain() {
        if (!used) {
            return List.of();
        }
        collectGarbage();
        // A detector reports when it tracks the next buffer.
        boolean released = ByteBufAllocator.DEFAULT.buffer(16).release()
                && ByteBufAllocator.DEFAULT.compositeBuffer().release();
        List<String> leaks = new ArrayList<>();
        for (String leak = FOUND.poll(); leak != null && released; leak = FOUND.poll()) {
            leaks.add(leak);
        }
        return leaks;
    }

    /** Returns when a weak reference made just now has been cleared, and with it those of all lost buffers. */
    private static void collectGarbage() {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        WeakReference<Object> canary = new WeakReference<>(new Object(), queue);
        System.gc();
        try {
            if (queue.remove(LONGEST_COLLECTION_MILLIS) != canary) {
                throw new AssertionError("no garbage collection within " + LONGEST_COLLECTION_MILLIS + " ms");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class Factory extends ResourceLeakDetectorFactory {

        @Override
        @SuppressWarnings("deprecation")
        public <T> ResourceLeakDetector<T> newResourceLeakDetector(
                Class<T> resource, int samplingInterval, long maxActive) {
            used = true;
            return new Detector<>(resource, samplingInterval);
        }
    }

    private static final class Detector<T> extends ResourceLeakDetector<T> {

        Detector(Class<?> resource, int samplingInterval) {
            super(resource, samplingInterval);
        }

        @Override
        protected boolean needReport() {
            return true;
        }

        @Override
        protected void reportTracedLeak(String resourceType, String records) {
            FOUND.add(resourceType + " was not released" + records);
        }

        @Override
        protected void reportUntracedLeak(String resourceType) {
            FOUND.add(resourceType + " was not released");
        }

        @Override
        protected @Nullable Object getInitialHint(String resourceType) {
            return null;
        }
    }
}
