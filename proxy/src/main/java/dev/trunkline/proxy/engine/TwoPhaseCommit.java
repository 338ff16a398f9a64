package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.TransactionStatus;
import dev.trunkline.proxy.backend.BackendErrors;
import dev.trunkline.proxy.backend.Reply;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.proxy.measure.Measure;
import dev.trunkline.proxy.twophase.DecisionTable;
import dev.trunkline.proxy.twophase.GlobalTransaction;
import dev.trunkline.proxy.twophase.TwoPhase;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * COMMIT on several shards that were written, all or none:
 *
 * <ol>
 *   <li>COMMIT on the shards that were only read, which may refuse while all can still be rolled back;
 *   <li>PREPARE TRANSACTION on every written shard but the decider, the one with the highest number, at once;
 *   <li>on the decider the row of the decision and COMMIT: when this has committed, so has the transaction;
 *   <li>COMMIT PREPARED on the others, on shard 0 last, for the lookup reads its truth there.
 * </ol>
 *
 * <p>The client hears COMMIT when all of them have committed, an error when none has, and 40003 when that cannot be said
 * in time; what is then missing is done in the background.
 */
final class TwoPhaseCommit {

    private static final Logger LOG = LoggerFactory.getLogger(TwoPhaseCommit.class);

    /** So long the client waits for shards that were lost in the second phase. */
    private static final long PATIENCE_MILLIS = 5_000;

    private final Session session;
    private final TransactionEnd end;
    private final TransactionEnd.Outcome outcome;
    private final TwoPhase twoPhase;
    private final GlobalTransaction transaction;
    private final List<Integer> readers;
    /** The written shards but the decider, ascending. */
    private final List<Integer> others;

    private final List<Integer> prepared = new ArrayList<>();
    private boolean uncertain;
    private @Nullable Fault fault;
    private boolean refused;
    private int left;

    /** Written shards: at least two, ascending. */
    TwoPhaseCommit(
            Session session,
            TransactionEnd end,
            TransactionEnd.Outcome outcome,
            TwoPhase twoPhase,
            List<Integer> read,
            List<Integer> written) {
        this.session = session;
        this.end = end;
        this.outcome = outcome;
        this.twoPhase = twoPhase;
        this.readers = read;
        this.others = written.subList(0, written.size() - 1);
        this.transaction = twoPhase.begin(written.get(written.size() - 1));
    }

    private ServerConnection server(int shard) {
        return session.leases().get(shard);
    }

    // ---- before the decision

    void start() {
        inParallel(readers, shard -> "COMMIT", this::prepare);
    }

    private void prepare() {
        if (hasFailed()) {
            undo();
            return;
        }
        inParallel(others, shard -> "PREPARE TRANSACTION '" + transaction.gid(shard) + "'", () -> {
            if (hasFailed()) {
                undo();
            } else if (session.leases().holds(transaction.decider())) {
                decide();
            } else {
                // Lost while the others prepared, and rolled back with its connection: it was not told to commit.
                refused = true;
                fault = lost(transaction.decider());
                undo();
            }
        });
    }

    private Fault lost(int shard) {
        return Fault.of(EngineErrors.lostBeforeCommit(shard));
    }

    private boolean hasFailed() {
        return refused || fault != null;
    }

    private interface Text {
        String on(int shard);
    }

    /** One command on each shard at once; goes on when all have answered. */
    private void inParallel(List<Integer> shards, Text text, Runnable then) {
        if (shards.isEmpty()) {
            then.run();
            return;
        }
        left = shards.size();
        boolean preparing = shards == others;
        for (int shard : shards) {
            if (!session.leases().holds(shard)) {
                stop(lost(shard), then);
                continue;
            }
            ServerConnection server = server(shard);
            new ShardCommand(session) {
                @Override
                void succeeded() {
                    if (preparing) {
                        prepared.add(shard);
                    }
                    answered(then);
                }

                @Override
                void refused(@Nullable Fault reason) {
                    stop(reason, then);
                }

                @Override
                public void lost() {
                    // A PREPARE that was on its way may still take place.
                    uncertain |= preparing;
                    stop(Fault.of(BackendErrors.connectionLost(server.address())), then);
                }
            }.send(server, text.on(shard));
        }
    }

    private void stop(@Nullable Fault reason, Runnable then) {
        refused = true;
        if (fault == null) {
            fault = reason;
        }
        answered(then);
    }

    private void answered(Runnable then) {
        if (--left == 0) {
            then.run();
        }
    }

    /** Nothing is decided: what is prepared and what is not is rolled back. */
    private void undo() {
        end.rollBackOn(
                open(),
                () -> endPrepared(List.copyOf(prepared), false, () -> {
                    if (uncertain) {
                        var unused = twoPhase.resolve(transaction);
                    } else {
                        twoPhase.undone(transaction);
                    }
                    end.finish(false, outcome, fault == null ? "ROLLBACK" : "", fault);
                }));
    }

    /** The shards on which a transaction is still open. */
    private List<Integer> open() {
        return session.leases().shards().stream()
                .filter(shard -> server(shard).status() != TransactionStatus.IDLE)
                .toList();
    }

    // ---- the decision

    private void decide() {
        int decider = transaction.decider();
        ServerConnection server = server(decider);
        ShardCommand.Failure failure = new ShardCommand.Failure(session);
        server.query(DecisionTable.decide(transaction), Reply.of(Reply.Step.QUERY, Reply.Use.SWALLOW, failure));
        new ShardCommand(session) {
            @Override
            void succeeded() {
                carryOut();
            }

            @Override
            void refused(@Nullable Fault reason) {
                refused = true;
                fault = failure.fault() == null ? reason : failure.fault();
                undo();
            }

            @Override
            public void lost() {
                LOG.warn("shard {} was lost while it decided {}", decider, transaction.key());
                resolve(true, "connection to shard " + decider + " was lost while it decided");
            }
        }.send(server, "COMMIT");
    }

    // ---- after the decision

    private void carryOut() {
        List<Integer> first = others.stream().filter(shard -> shard != 0).toList();
        List<Integer> last = others.contains(0) ? List.of(0) : List.of();
        endPrepared(first, true, () -> endPrepared(last, true, this::carriedOut));
    }

    /** COMMIT PREPARED or ROLLBACK PREPARED on these shards at once; what is lost on the way is left to recovery. */
    private void endPrepared(List<Integer> shards, boolean commit, Runnable then) {
        if (shards.isEmpty()) {
            then.run();
            return;
        }
        left = shards.size();
        for (int shard : shards) {
            if (!session.leases().holds(shard)) {
                uncertain = true;
                answered(then);
                continue;
            }
            new ShardCommand(session) {
                @Override
                void succeeded() {
                    answered(then);
                }

                /** ROLLBACK PREPARED has the tag ROLLBACK, with no error: it was carried out. */
                @Override
                void refused(@Nullable Fault reason) {
                    if (commit) {
                        pending(shard, reason);
                    } else {
                        uncertain |= reason != null;
                    }
                    answered(then);
                }

                @Override
                public void lost() {
                    uncertain = true;
                    answered(then);
                }
            }.send(server(shard), (commit ? "COMMIT" : "ROLLBACK") + " PREPARED '" + transaction.gid(shard) + "'");
        }
    }

    private void pending(int shard, @Nullable Fault reason) {
        String said =
                reason == null ? "rolled back" : reason.response().fields().message();
        LOG.error("shard {} refuses to commit {}, which is decided: {}", shard, transaction.gid(shard), said);
        if (fault == null) {
            fault = Fault.of(EngineErrors.commitPending(shard, said));
        }
    }

    private void carriedOut() {
        if (fault != null) {
            end.settledBy(twoPhase.settled(transaction));
            var unused = twoPhase.resolve(transaction);
            end.finish(true, outcome, "", fault);
        } else if (uncertain) {
            resolve(false, "a shard was lost while it committed");
        } else {
            twoPhase.carriedOut(transaction);
            if (session.leases().holds(transaction.decider())) {
                server(transaction.decider()).count(Measure.XACT_2PC_COUNT);
            }
            committed();
        }
    }

    /** Finds out, or has carried out, what this session could not; within the client's patience. */
    private void resolve(boolean undecided, String reason) {
        Future<Boolean> resolved = twoPhase.resolve(transaction);
        boolean[] over = {false};
        session.loop().later(PATIENCE_MILLIS, () -> {
            if (!over[0]) {
                over[0] = true;
                end.settledBy(twoPhase.settled(transaction));
                session.guarded(
                        () -> end.finish(true, outcome, "", Fault.of(EngineErrors.commitUnknown(undecided, reason))));
            }
        });
        var unused = resolved.onComplete(result -> session.loop().run(() -> {
            if (!over[0]) {
                over[0] = true;
                session.guarded(() -> resolved(result.succeeded() ? result.result() : null, undecided, reason));
            }
        }));
    }

    private void resolved(@Nullable Boolean committed, boolean undecided, String reason) {
        if (committed == null) {
            end.settledBy(twoPhase.settled(transaction));
            end.finish(true, outcome, "", Fault.of(EngineErrors.commitUnknown(undecided, reason)));
        } else if (committed) {
            committed();
        } else {
            end.rollBackOn(open(), () -> end.finish(false, outcome, "", Fault.of(EngineErrors.rolledBack(reason))));
        }
    }

    private void committed() {
        session.meter().counters().count(Measure.XACT_2PC_COUNT);
        end.finish(true, outcome, "COMMIT", null);
    }
}
