package dev.trunkline.proxy.engine;

import dev.trunkline.lookup.LookupWrite;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.proxy.twophase.TwoPhase;
import dev.trunkline.routing.Statement;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ends a session's transaction over the shards that it has enlisted, and holds what must happen before the client may
 * know: the barrier of the lookup maps, and a new look at the catalog after definitions were changed.
 */
final class TransactionEnd {

    /** How a transaction ended. */
    interface Outcome {
        /** It is over; the tag is COMMIT, or ROLLBACK when a failed block was committed. */
        void ended(String tag);

        /** It is over, and the client must hear this error. */
        void failed(Fault fault);
    }

    /** How long to wait before it is looked again whether a server has taken a cancel: they take some milliseconds. */
    private static final long CANCEL_POLL_MILLIS = 1;

    private final Session session;
    private @Nullable LookupWrite write;
    private int ownChanges;
    private boolean definitionsChanged;
    private boolean committing;
    private boolean committingSeveral;

    TransactionEnd(Session session) {
        this.session = session;
    }

    /** The lookups behind which the transaction may have written a relation: bit i = the lookup with index i. */
    long lookupsWritten() {
        LookupWrite marked = write;
        return marked == null ? 0 : marked.lookups();
    }

    /**
     * A number that changes whenever what this transaction itself reads of a lookup may have: by a write of its own, or by
     * taking one back.
     */
    int ownChanges() {
        return ownChanges;
    }

    /** A statement that was marked has been sent, or its effect was taken back. */
    void ownChange() {
        if (write != null) {
            ownChanges++;
        }
    }

    /** True when the transaction has changed definitions. */
    boolean hasChangedDefinitions() {
        return definitionsChanged;
    }

    /** Notes what a statement that is about to be sent may change. Throws PgException 55P03 when writes are paused. */
    void mark(Statement statement) {
        definitionsChanged |= statement.isDdl();
        long lookups = statement.lookupWrites();
        if (lookups == 0) {
            return;
        }
        if (write == null) {
            write = session.database().lookups().beginWrite(lookups, statement.lookupInsertOnly());
        } else {
            write.widen(lookups, statement.lookupInsertOnly());
        }
    }

    /** Commits the transaction, or rolls it back when it has failed. */
    void commit(Outcome outcome) {
        if (session.transaction().isFailed()) {
            rollbackInstead(outcome);
            return;
        }
        List<Integer> shards = begunShards();
        if (shards.isEmpty()) {
            finish(true, outcome, "COMMIT", null);
            return;
        }
        if (shards.size() > 1 && isCancelUnderWay(shards)) {
            // It was meant for a statement that has ended, and would tear the transaction apart.
            session.loop().later(CANCEL_POLL_MILLIS, () -> session.guarded(() -> commit(outcome)));
            return;
        }
        if (write != null) {
            write.commitSent();
        }
        committing = true;
        committingSeveral = shards.size() > 1;
        List<Integer> written =
                shards.stream().filter(session.leases()::wroteOn).toList();
        TwoPhase twoPhase = session.database().twoPhase();
        if (twoPhase != null
                && written.size() > 1
                && (twoPhase.isAutomatic() || !session.transaction().isSingleStatement())) {
            List<Integer> read = new ArrayList<>(shards);
            read.removeAll(written);
            new TwoPhaseCommit(session, this, outcome, twoPhase, read, written).start();
        } else {
            new CommitInTurn(session, this, outcome).start(shards);
        }
    }

    private boolean isCancelUnderWay(List<Integer> shards) {
        return shards.stream().anyMatch(shard -> session.leases().get(shard).isCancelUnderWay());
    }

    /** True while COMMIT goes to several shards, one after the other: a cancel could stop it half-way. */
    boolean isCommittingSeveral() {
        return committingSeveral;
    }

    /** As PostgreSQL answers COMMIT of a failed block; but with the reason when the client has not heard it. */
    private void rollbackInstead(Outcome outcome) {
        PgException news = session.transaction().takeNews();
        rollBackOn(begunShards(), () -> finish(false, outcome, "ROLLBACK", news == null ? null : Fault.of(news)));
    }

    private List<Integer> begunShards() {
        return session.leases().shards().stream()
                .filter(session.leases()::hasBegun)
                .toList();
    }

    /** Rolls the transaction back on every shard. */
    void rollback(Outcome outcome) {
        rollBackOn(begunShards(), () -> finish(false, outcome, "ROLLBACK", null));
    }

    /** Rolls back on those of these shards that are still held, at once. */
    void rollBackOn(List<Integer> shards, Runnable then) {
        Rollback.on(session, shards.stream().filter(session.leases()::holds).toList(), then);
    }

    /** Whether this server has committed is not known, and will not be by waiting for its answer. */
    void outcomeUnknown(ServerConnection server) {
        if (write != null) {
            settledBy(settled(server));
        }
    }

    /** What the shards say of the lookup tables changes until then, at a moment that nobody can name. */
    void settledBy(Future<Void> settled) {
        LookupWrite marked = write;
        if (marked != null) {
            write = null;
            Promise<Void> here = Promise.promise();
            var unused = settled.onComplete(done -> session.loop().run(here::complete));
            marked.unknown(here.future());
            session.database().outcomeUnknown(here.future());
        }
    }

    private Future<Void> settled(ServerConnection server) {
        return Settlement.of(session.loop(), session.place().wire(), server);
    }

    /**
     * The outcome is known on every shard: first the maps, then the session's own state, then (with a new catalog when
     * definitions changed) the client.
     */
    void finish(boolean committed, Outcome outcome, String tag, @Nullable Fault fault) {
        LookupWrite marked = write;
        write = null;
        if (marked != null) {
            if (committed) {
                marked.committed();
            } else {
                marked.rolledBack();
            }
        }
        if (committed) {
            session.settings().committed();
            session.reported().committed();
        } else {
            session.settings().rolledBack();
            session.reported().undoTo(0);
        }
        session.leases().ended(committed);
        committing = false;
        committingSeveral = false;
        boolean reread = definitionsChanged && committed;
        definitionsChanged = false;
        session.transaction().end();
        if (reread) {
            session.routing()
                    .await(
                            session.database().reloadCatalog(),
                            done -> tell(outcome, tag, fault),
                            failed -> tell(outcome, tag, fault));
        } else {
            tell(outcome, tag, fault);
        }
    }

    private static void tell(Outcome outcome, String tag, @Nullable Fault fault) {
        if (fault == null) {
            outcome.ended(tag);
        } else {
            outcome.failed(fault);
        }
    }

    /**
     * The session ends within a transaction. Nothing of it has been committed: it is rolled back. One that is being
     * committed says itself how that ends, also after its session.
     */
    void abandon() {
        if (committing) {
            return;
        }
        LookupWrite marked = write;
        write = null;
        if (marked != null) {
            marked.rolledBack();
        }
    }
}
