package dev.trunkline.proxy.frontend;

/** Whether clients are let in; one per process, safe for any thread. */
public final class Admission {

    /** Connections beyond the limit that are heard: a client must be able to cancel when no other gets in. */
    public static final int RESERVE = 100;

    private final int limit;
    private volatile boolean stopping;

    /**
     * @param limit clients that may be connected at one time
     */
    public Admission(int limit) {
        this.limit = limit;
    }

    /** Clients that may be connected at one time. */
    public int limit() {
        return limit;
    }

    /** Nobody is let in any more. */
    public void stop() {
        stopping = true;
    }

    /** True when the process ends: who comes now is sent away. */
    public boolean isStopping() {
        return stopping;
    }
}
