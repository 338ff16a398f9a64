package dev.trunkline.proxy.engine;

import dev.trunkline.proxy.backend.BackendErrors;
import dev.trunkline.proxy.backend.ServerConnection;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * COMMIT on one shard after the other: first on those where nothing was written, which may refuse while all can still be
 * rolled back; then on those where something was, shard 0 last: the lookup reads its truth there, so a mapping becomes
 * visible only when every other shard has it. The first shard that fails ends it; the rest is rolled back, and if one has
 * kept its part by then, the client is told so.
 */
final class CommitInTurn {

    private final Session session;
    private final TransactionEnd end;
    private final TransactionEnd.Outcome outcome;
    private final List<Integer> order = new ArrayList<>();
    private int firstWriter;

    CommitInTurn(Session session, TransactionEnd end, TransactionEnd.Outcome outcome) {
        this.session = session;
        this.end = end;
        this.outcome = outcome;
    }

    /** Begins; the shards are those that have begun, ascending. */
    void start(List<Integer> shards) {
        Leases leases = session.leases();
        shards.stream().filter(shard -> !leases.wroteOn(shard)).forEach(order::add);
        firstWriter = order.size();
        shards.stream().filter(shard -> shard != 0 && leases.wroteOn(shard)).forEach(order::add);
        if (leases.wroteOn(0)) {
            order.add(0);
        }
        next(0);
    }

    private void next(int index) {
        if (index == order.size()) {
            end.finish(true, outcome, "COMMIT", null);
            return;
        }
        int shard = order.get(index);
        if (!session.leases().holds(shard)) {
            // Lost while another committed, and rolled back with its connection.
            refused(index, Fault.of(EngineErrors.lostBeforeCommit(shard)));
            return;
        }
        ServerConnection server = session.leases().get(shard);
        new ShardCommand(session) {
            @Override
            void succeeded() {
                next(index + 1);
            }

            @Override
            void refused(@Nullable Fault fault) {
                CommitInTurn.this.refused(index, fault);
            }

            @Override
            public void lost() {
                connectionLost(index, server);
            }
        }.send(server, "COMMIT");
    }

    /** This shard has rolled back instead, for certain. */
    private void refused(int index, @Nullable Fault fault) {
        end.rollBackOn(after(index), () -> {
            if (index > firstWriter) {
                String reason = fault == null
                        ? "shard " + order.get(index) + " rolled back"
                        : fault.response().fields().message();
                partial(index, reason);
            } else {
                end.finish(false, outcome, fault == null ? "ROLLBACK" : "", fault);
            }
        });
    }

    /** Whether this shard has committed is not known; where nothing was written it does not matter. */
    private void connectionLost(int index, ServerConnection server) {
        boolean wrote = index >= firstWriter;
        if (wrote) {
            end.outcomeUnknown(server);
        }
        end.rollBackOn(after(index), () -> {
            if (wrote && order.size() - firstWriter > 1) {
                partial(index, "connection to shard " + order.get(index) + " was lost while it committed");
            } else if (wrote) {
                end.finish(true, outcome, "", Fault.of(EngineErrors.commitOfOneUnknown(order.get(index))));
            } else {
                end.finish(false, outcome, "", Fault.of(BackendErrors.connectionLost(server.address())));
            }
        });
    }

    private List<Integer> after(int index) {
        return order.subList(index + 1, order.size());
    }

    private void partial(int index, String reason) {
        end.finish(
                true,
                outcome,
                "",
                Fault.of(EngineErrors.partiallyCommitted(
                        List.copyOf(order.subList(firstWriter, index)),
                        List.copyOf(order.subList(index, order.size())),
                        reason)));
    }
}
