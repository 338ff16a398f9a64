package dev.trunkline.proxy.engine;

import dev.trunkline.proxy.net.Loop;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Ends what takes too long in the sessions of one loop. One timer looks at all of them from time to time: a statement
 * starts no timer and reads no clock, and without a timeout there is nothing at all.
 */
public final class TimeoutWatch {

    private final Collection<Session> sessions;
    private final Timeouts timeouts;

    private TimeoutWatch(Collection<Session> sessions, Timeouts timeouts) {
        this.sessions = sessions;
        this.timeouts = timeouts;
    }

    /**
     * Watches for as long as the loop lives; called on it.
     *
     * @param sessions those of the loop, live
     */
    public static void begin(Loop loop, Collection<Session> sessions, Timeouts timeouts) {
        if (!timeouts.isNone()) {
            loop.every(timeouts.periodMillis(), new TimeoutWatch(sessions, timeouts)::look);
        }
    }

    private void look() {
        long now = System.nanoTime();
        List<Session> overdue = new ArrayList<>(0);
        for (Session session : sessions) {
            if (session.isOverdue(now, timeouts)) {
                overdue.add(session);
            }
        }
        // Afterwards: a session that ends is no longer among those of the loop.
        overdue.forEach(session -> session.guarded(session::endOverdue));
    }
}
