package dev.trunkline.proxy.engine;

import dev.trunkline.lookup.LookupWrite;
import dev.trunkline.protocol.Frame;
import dev.trunkline.protocol.backend.CommandComplete;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.proxy.backend.BackendErrors;
import dev.trunkline.proxy.backend.Reply;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.routing.Statement;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ends a session's transaction over the shards that it has enlisted, and holds what must happen before the client may
 * know: the barrier of the lookup maps, and a new look at the catalog after definitions were changed.
 *
 * <p>COMMIT goes to the shards one after the other, shard 0 last: the lookup reads its truth there, so a mapping becomes
 * visible only when every other shard has it. The first shard that fails ends it; the rest is rolled back.
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
    private boolean definitionsChanged;
    private boolean committingSeveral;

    TransactionEnd(Session session) {
        this.session = session;
    }

    /** True when the transaction has written a relation behind a lookup. */
    boolean isMarked() {
        return write != null;
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
        List<Integer> shards = commitOrder();
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
        committingSeveral = shards.size() > 1;
        new Commit(shards, outcome).next(0);
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
        rollBackOn(commitOrder(), () -> finish(false, outcome, "ROLLBACK", news == null ? null : Fault.of(news)));
    }

    /** The shards that have begun: ascending, but shard 0 last. */
    private List<Integer> commitOrder() {
        List<Integer> order = new ArrayList<>();
        for (int shard : session.leases().shards()) {
            if (shard != 0 && session.leases().hasBegun(shard)) {
                order.add(shard);
            }
        }
        if (session.leases().hasBegun(0)) {
            order.add(0);
        }
        return order;
    }

    /** Rolls the transaction back on every shard. */
    void rollback(Outcome outcome) {
        rollBackOn(commitOrder(), () -> finish(false, outcome, "ROLLBACK", null));
    }

    /** Rolls back on these shards at once; a connection that is lost has rolled back by itself. */
    private void rollBackOn(List<Integer> shards, Runnable then) {
        if (shards.isEmpty()) {
            then.run();
            return;
        }
        int[] left = {shards.size()};
        for (int shard : shards) {
            new Rollback(session.leases().get(shard), () -> {
                        if (--left[0] == 0) {
                            then.run();
                        }
                    })
                    .send();
        }
    }

    /** ROLLBACK on one shard. */
    private final class Rollback implements Reply.Listener {
        private final ServerConnection server;
        private final Runnable then;
        private boolean again;
        private boolean failed;

        Rollback(ServerConnection server, Runnable then) {
            this.server = server;
            this.then = then;
        }

        void send() {
            failed = false;
            server.query("ROLLBACK", Reply.of(Reply.Step.QUERY, Reply.Use.SWALLOW, this));
        }

        /** Only a cancel that was meant for the statement before makes ROLLBACK fail. */
        @Override
        public void failed() {
            var unused = session.relay().takeSwallowed();
            failed = true;
        }

        @Override
        public void done() {
            if (!failed) {
                then.run();
            } else if (again) {
                server.wire().abort();
                then.run();
            } else {
                again = true;
                send();
            }
        }

        @Override
        public void lost() {
            then.run();
        }
    }

    /** COMMIT on one shard after the other. */
    private final class Commit {
        private final List<Integer> shards;
        private final Outcome outcome;

        Commit(List<Integer> shards, Outcome outcome) {
            this.shards = shards;
            this.outcome = outcome;
        }

        void next(int index) {
            if (index == shards.size()) {
                finish(true, outcome, "COMMIT", null);
                return;
            }
            int shard = shards.get(index);
            ServerConnection server = session.leases().get(shard);
            server.query("COMMIT", Reply.of(Reply.Step.QUERY, Reply.Use.SWALLOW, new Reply.Listener() {
                private @Nullable Fault fault;
                private boolean rolledBack;

                @Override
                public void commandComplete(int nth, ByteBuf buffer, int start, int end) {
                    byte[] frame = ByteBufUtil.getBytes(buffer, start, end - start);
                    rolledBack = CommandComplete.hasVerb(
                            frame, Frame.HEADER_BYTES, frame.length - Frame.HEADER_BYTES, "ROLLBACK");
                }

                @Override
                public void failed() {
                    fault = session.relay().takeSwallowed();
                }

                @Override
                public void done() {
                    if (fault != null || rolledBack) {
                        refused(index, fault);
                    } else {
                        next(index + 1);
                    }
                }

                @Override
                public void lost() {
                    connectionLost(index, server);
                }
            }));
        }

        /** This shard has rolled back instead, for certain. */
        private void refused(int index, @Nullable Fault fault) {
            List<Integer> rest = shards.subList(index + 1, shards.size());
            rollBackOn(stillHeld(rest), () -> {
                if (index > 0) {
                    String reason = fault == null
                            ? "shard " + shards.get(index) + " rolled back"
                            : fault.response().fields().message();
                    partial(index, reason);
                } else if (fault != null) {
                    finish(false, outcome, "", fault);
                } else {
                    finish(false, outcome, "ROLLBACK", null);
                }
            });
        }

        /** Whether this shard has committed is not known, and will not be by waiting for its answer. */
        private void connectionLost(int index, ServerConnection server) {
            List<Integer> rest = shards.subList(index + 1, shards.size());
            LookupWrite marked = write;
            if (marked != null) {
                write = null;
                marked.unknown(settled(server));
            }
            rollBackOn(stillHeld(rest), () -> {
                if (shards.size() > 1) {
                    partial(index, "connection to shard " + shards.get(index) + " was lost while it committed");
                } else {
                    finish(false, outcome, "", Fault.of(BackendErrors.connectionLost(server.address())));
                }
            });
        }

        private void partial(int index, String reason) {
            finish(
                    true,
                    outcome,
                    "",
                    Fault.of(EngineErrors.partiallyCommitted(
                            List.copyOf(shards.subList(0, index)),
                            List.copyOf(shards.subList(index, shards.size())),
                            reason)));
        }

        private List<Integer> stillHeld(List<Integer> these) {
            return these.stream().filter(session.leases()::holds).toList();
        }
    }

    private Future<Void> settled(ServerConnection server) {
        return Settlement.of(session.loop(), session.place().wire(), server);
    }

    /**
     * The outcome is known on every shard: first the maps, then the session's own state, then (with a new catalog when
     * definitions changed) the client.
     */
    private void finish(boolean committed, Outcome outcome, String tag, @Nullable Fault fault) {
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

    /** The session ends within a transaction, of which nothing has been committed: it is rolled back. */
    void abandon() {
        LookupWrite marked = write;
        write = null;
        if (marked != null) {
            marked.rolledBack();
        }
    }
}
