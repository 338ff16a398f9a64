package dev.trunkline.proxy.engine;

import dev.trunkline.proxy.net.Loop;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/**
 * Ends what takes too long in the sessions of one loop. One timer looks at all of them from time to time: a statement
 * starts no timer and reads no clock.
 */
public final class TimeoutWatch {

    private final Collection<Session> sessions;
    private final Loop loop;
    private final Supplier<Timeouts> timeouts;

    private TimeoutWatch(Loop loop, Collection<Session> sessions, Supplier<Timeouts> timeouts) {
        this.loop = loop;
        this.sessions = sessions;
        this.timeouts = timeouts;
    }

    /**
     * Watches for as long as the loop lives; called on it.
     *
     * @param sessions those of the loop, live
     * @param timeouts in force; asked for at each look, as a reload may change them
     */
    public static void begin(Loop loop, Collection<Session> sessions, Supplier<Timeouts> timeouts) {
        new TimeoutWatch(loop, sessions, timeouts).later();
    }

    private void later() {
        loop.later(timeouts.get().periodMillis(), this::look);
    }

    private void look() {
        Timeouts now = timeouts.get();
        if (!now.isNone()) {
            look(now);
        }
        later();
    }

    private void look(Timeouts timeouts) {
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
