package dev.trunkline.proxy.pool;

/** After a failed attempt to connect the next one waits, longer each time: a dead server is not hammered. */
final class ConnectPause {

    private static final long FIRST_MILLIS = 50;
    private static final long LONGEST_MILLIS = 250;

    private long nextMillis = FIRST_MILLIS;
    private boolean on;

    /** True while no attempt is made. */
    boolean isOn() {
        return on;
    }

    /** An attempt has failed: how many milliseconds none is made. */
    long begin() {
        long millis = nextMillis;
        nextMillis = Math.min(2 * nextMillis, LONGEST_MILLIS);
        on = true;
        return millis;
    }

    /** The time has passed. */
    void end() {
        on = false;
    }

    /** An attempt has succeeded. */
    void forget() {
        nextMillis = FIRST_MILLIS;
    }
}
