package dev.trunkline.routing;

/** What was found out about statement shapes, shared by all event loops; bounded by bytes. Safe for any thread. */
public final class PlanCache {

    private final long maximumBytes;

    /** A cache of about this size. */
    public PlanCache(long maximumBytes) {
        this.maximumBytes = maximumBytes;
    }

    long maximumBytes() {
        return maximumBytes;
    }
}
