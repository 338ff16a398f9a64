package dev.trunkline.lookup;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * One transaction that may write relations behind lookup queries: the write barrier.
 *
 * <p>The order of calls:
 *
 * <pre>
 *   OPEN ── commitSent ──> COMMITTING ──┐
 *     └──── committed | rolledBack | unknown ──> ENDED
 * </pre>
 *
 * <p>Every method has its effect on what other sessions read before it returns, so the bytes that tell the client may
 * be written right after the call. Only on the session's event loop.
 */
public final class LookupWrite {

    /** While an outcome is unknown, a map loaded meanwhile lives no longer than this. */
    private static final long UNKNOWN_INVALIDATION_MILLIS = 1000;

    private enum State {
        OPEN,
        COMMITTING,
        ENDED
    }

    private final List<SharedLookup> lookups;
    private final boolean keepOnInsert;
    private final Timers timers;
    private final Consumer<SharedLookup> whenSettled;
    private final List<Mark> marks = new ArrayList<>(1);
    private State state = State.OPEN;

    /** What the transaction did to one lookup. */
    private static final class Mark {
        final SharedLookup lookup;
        boolean changing;
        long ticket;

        Mark(SharedLookup lookup) {
            this.lookup = lookup;
        }
    }

    LookupWrite(List<SharedLookup> lookups, boolean keepOnInsert, Timers timers, Consumer<SharedLookup> whenSettled) {
        this.lookups = lookups;
        this.keepOnInsert = keepOnInsert;
        this.timers = timers;
        this.whenSettled = whenSettled;
    }

    /** The lookups that the transaction may have written: bit i = the lookup with index i. */
    public long lookups() {
        long mask = 0;
        for (Mark mark : marks) {
            mask |= 1L << mark.lookup.definition().index();
        }
        return mask;
    }

    /**
     * Adds what another statement of the transaction may write; call it before the statement is sent.
     *
     * @param lookupMask bit i = the lookup with index i
     * @param insertOnly the statement is known to do nothing but add rows with new keys, see
     *     {@link Lookups#beginWrite}
     * @throws dev.trunkline.protocol.error.PgException 55P03 if writes of one of the lookups are paused and the
     *     transaction has not written it before; the transaction's earlier marks stay
     */
    public void widen(long lookupMask, boolean insertOnly) {
        require(state == State.OPEN);
        enter(lookupMask);
        for (Mark mark : marks) {
            if (isIn(mark, lookupMask)) {
                mark.changing |= !insertOnly;
            }
        }
    }

    /** Registers with every gate of the mask, or with none and throws. */
    private void enter(long lookupMask) {
        int before = marks.size();
        for (SharedLookup lookup : lookups) {
            boolean wanted = (lookupMask & 1L << lookup.definition().index()) != 0;
            if (!wanted || isMarked(lookup)) {
                continue;
            }
            if (!lookup.gate().enter()) {
                List<Mark> added = marks.subList(before, marks.size());
                added.forEach(mark -> mark.lookup.gate().leave());
                added.clear();
                throw LookupErrors.writesPaused(lookup.definition());
            }
            marks.add(new Mark(lookup));
        }
    }

    /**
     * The first COMMIT of the transaction is about to be sent to a shard, or the statement that commits by itself is.
     * From here on no "no row" is said to anybody before the end, and maps that may change are closed: what is in the
     * shards now is a mixture.
     */
    public void commitSent() {
        require(state == State.OPEN);
        state = State.COMMITTING;
        for (Mark mark : marks) {
            mark.ticket = mark.lookup.commits().take();
            if (mark.changing) {
                mark.lookup.map().close();
            }
        }
    }

    /** The transaction has committed on every shard. */
    public void committed() {
        boolean closed = end();
        marks.forEach(mark -> forget(mark, closed));
        marks.forEach(this::settle);
    }

    /** The transaction has for certain changed nothing on any shard. */
    public void rolledBack() {
        boolean closed = end();
        if (closed) {
            marks.stream()
                    .filter(mark -> mark.changing)
                    .forEach(mark -> mark.lookup.map().open());
        }
        marks.forEach(this::settle);
    }

    /**
     * Nobody knows whether the transaction has committed or will: a connection was lost after something that commits
     * had been sent. The maps are forgotten now, every second, and once more when the outcome is known.
     *
     * @param settled completes when no shard can commit the transaction any more; if it fails, the outcome stays
     *     unknown for ever
     */
    public void unknown(Future<Void> settled) {
        boolean closed = end();
        if (!closed) {
            marks.forEach(mark -> mark.ticket = mark.lookup.commits().take());
        }
        marks.forEach(mark -> forget(mark, closed));
        if (!settled.succeeded()) {
            forgetAgainUntil(settled);
        }
        settled.onSuccess(done -> {
            marks.forEach(mark -> forget(mark, false));
            marks.forEach(this::settle);
        });
    }

    private void forgetAgainUntil(Future<Void> settled) {
        Timers.Timer unused = timers.schedule(UNKNOWN_INVALIDATION_MILLIS, () -> {
            if (!settled.succeeded()) {
                marks.forEach(mark -> forget(mark, false));
                forgetAgainUntil(settled);
            }
        });
    }

    private boolean end() {
        require(state != State.ENDED);
        boolean closed = state == State.COMMITTING;
        state = State.ENDED;
        return closed;
    }

    private void forget(Mark mark, boolean closed) {
        if (mark.changing && closed) {
            mark.lookup.map().openAfterChange();
        } else if (mark.changing || !keepOnInsert) {
            mark.lookup.map().invalidate();
        } else {
            return;
        }
        mark.lookup.counters().invalidations.increment();
    }

    private void settle(Mark mark) {
        if (mark.ticket != 0) {
            mark.lookup.commits().giveBack(mark.ticket);
        }
        mark.lookup.gate().leave();
        whenSettled.accept(mark.lookup);
    }

    private boolean isMarked(SharedLookup lookup) {
        return marks.stream().anyMatch(mark -> mark.lookup == lookup);
    }

    private static boolean isIn(Mark mark, long lookupMask) {
        return (lookupMask & 1L << mark.lookup.definition().index()) != 0;
    }

    private static void require(boolean allowed) {
        if (!allowed) {
            throw new IllegalStateException("the transaction's commit has been sent or its outcome is known");
        }
    }
}
