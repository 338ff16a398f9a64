package dev.trunkline.lookup;

import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The marked commits of one map that were sent and whose outcome is not yet known on every shard. Safe for any thread.
 *
 * <p>"No row for this value" may be said only by a read that was sent after all commits had settled that were in flight
 * when the miss was registered: until then a client may have seen the row on a shard that committed early.
 */
final class CommitTickets {

    /** Greater than every ticket: nothing is in flight. */
    static final long NONE_OPEN = Long.MAX_VALUE;

    private final AtomicLong last = new AtomicLong();
    private final ConcurrentSkipListSet<Long> open = new ConcurrentSkipListSet<>();

    /** A ticket for a commit that is about to be sent. */
    long take() {
        long ticket = last.incrementAndGet();
        open.add(ticket);
        return ticket;
    }

    /** The commit has settled. */
    void giveBack(long ticket) {
        open.remove(ticket);
    }

    /** The newest ticket in flight; 0 if there is none. */
    long newest() {
        Long newest = open.floor(Long.MAX_VALUE);
        return newest == null ? 0 : newest;
    }

    /** The oldest ticket in flight; {@link #NONE_OPEN} if there is none. */
    long oldest() {
        Long oldest = open.ceiling(0L);
        return oldest == null ? NONE_OPEN : oldest;
    }
}
