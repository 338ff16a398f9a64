package dev.trunkline.proxy.engine;

import dev.trunkline.copy.format.CopyOptions;
import dev.trunkline.protocol.Frame;
import dev.trunkline.protocol.backend.CommandComplete;
import dev.trunkline.proxy.backend.BackendErrors;
import dev.trunkline.proxy.backend.Reply;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.proxy.backend.ServerStatement;
import dev.trunkline.proxy.engine.StatementRunner.Completion;
import dev.trunkline.proxy.engine.StatementRunner.Execution;
import dev.trunkline.proxy.engine.StatementRunner.Placement;
import dev.trunkline.routing.Route;
import dev.trunkline.routing.Route.Merge;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.sql.Command;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One statement on its shards, one answer: rows are passed on as they come, RowDescription once, errors once (the first;
 * the other shards are cancelled and drained), counts merged into one CommandComplete, which goes to the caller.
 *
 * <p>A statement that every shard does alike (an omnisharded write, DDL) runs on the lowest shard first and alone: it
 * takes the locks there, so that two clients cannot block each other across shards where no server sees the cycle.
 *
 * <p>An INSERT that was split sends each shard a statement of its own. Its rows come in the order of the VALUES list, as
 * from one server: clients tell by it which is which. Errors are placed in the client's text.
 */
final class MultiShardStatement implements Relay.FrameTaker {

    private static final Logger LOG = LoggerFactory.getLogger(MultiShardStatement.class);

    /** How long to wait before it is looked again whether a server has taken a cancel: they take some milliseconds. */
    private static final long CANCEL_POLL_MILLIS = 1;

    private final class Participant implements Reply.Listener {
        private final int place;
        private final ServerConnection server;
        private final Route.@Nullable Part part;
        private boolean running;
        private byte[] complete = {};
        private boolean withinCopyData;

        Participant(int place, ServerConnection server, Route.@Nullable Part part) {
            this.place = place;
            this.server = server;
            this.part = part;
        }

        void send() {
            running = true;
            execution.send(server, part, this);
        }

        @Override
        public void done() {
            ended();
        }

        @Override
        public void lost() {
            fault(Fault.of(BackendErrors.connectionLost(server.address())));
            ended();
        }

        private void ended() {
            running = false;
            rows.ended(place);
            participantEnded();
        }
    }

    private final Session session;
    private final Execution execution;
    private final List<Integer> shards;
    private final boolean alike;
    private final Completion completion;
    private final List<Participant> participants = new ArrayList<>();
    private final MergedRows rows;
    private final @Nullable SplitCopy copyIn;
    private final @Nullable CopyOut copyOut;

    private @Nullable ServerStatement described;
    private @Nullable Fault fault;
    private int passedRows;
    private int next;

    /** The statement on its connections, which are held; the map is what a COPY translates by that has written it. */
    MultiShardStatement(
            Session session,
            Execution execution,
            Placement placement,
            @Nullable KeyTranslation ownMap,
            Completion completion) {
        this.session = session;
        this.execution = execution;
        this.shards = placement.shards();
        this.alike = placement.merge() == Merge.SINGLE_COUNT;
        this.completion = completion;
        this.rows = new MergedRows(session, shards.size(), placement.rowOrder());
        for (int i = 0; i < shards.size(); i++) {
            participants.add(new Participant(i, session.leases().get(shards.get(i)), placement.part(i)));
        }
        this.copyIn = copyIn(placement, ownMap);
        this.copyOut = copyOut();
    }

    private @Nullable SplitCopy copyIn(Placement placement, @Nullable KeyTranslation ownMap) {
        Route.Copy copy = placement.copy();
        return copy == null
                ? null
                : new SplitCopy(
                        session,
                        copy,
                        ownMap,
                        participants.stream()
                                .map(participant -> participant.server)
                                .toList(),
                        this::fault);
    }

    private @Nullable CopyOut copyOut() {
        return participants.size() > 1 && execution.statement().command() instanceof Command.Copy copy && copyIn == null
                ? new CopyOut(CopyOptions.of(Objects.requireNonNull(copy.options())), participants.size())
                : null;
    }

    void start() {
        session.relay().taker(this);
        int first = alike && copyIn == null ? 1 : participants.size();
        sendTo(first);
    }

    private void sendTo(int end) {
        int from = next;
        next = end;
        for (int i = from; i < end; i++) {
            participants.get(i).send();
        }
    }

    // ---- frames

    @Override
    public void frame(ServerConnection server, byte type, ByteBuf buffer, int start, int end) {
        Participant participant = participantOf(server);
        switch (type) {
            case 'D' -> {
                if (isHeard(participant) && countRow()) {
                    pass(participant, buffer, start, end, true);
                }
            }
            case 'G' -> {
                if (copyIn != null) {
                    copyIn.response(participant.place, buffer, start, end);
                } else if (isHeard(participant)) {
                    pass(participant, buffer, start, end, true);
                }
            }
            case 'd', 'c', 'H', 't' -> {
                if (isHeard(participant)) {
                    copied(participant, type, buffer, start, end);
                }
            }
            case 'T', 'n' -> rowDescription(participant, ByteBufUtil.getBytes(buffer, start, end - start));
            case 'C', 'I', 's' -> participant.complete = ByteBufUtil.getBytes(buffer, start, end - start);
            case 'E' -> fault(asClientSees(Fault.ofServer(buffer, start, end, true), participant));
            default -> {}
        }
    }

    private void copied(Participant participant, byte type, ByteBuf buffer, int start, int end) {
        if (copyOut == null) {
            pass(participant, buffer, start, end, true);
            return;
        }
        ByteBuf passed = copyOut.frame(participant.place, type, buffer, start, end);
        if (passed != null) {
            rows.take(participant.place, passed, true);
        }
    }

    @Override
    public boolean copyIn(ServerConnection server) {
        if (copyIn == null) {
            return false;
        }
        if (fault == null) {
            copyIn.begun();
        } else {
            Cleanup.failCopy(server);
        }
        return true;
    }

    private void copiedPart(Participant participant, ByteBuf buffer, int start, int end, boolean last) {
        CopyOut merge = Objects.requireNonNull(copyOut);
        boolean first = !participant.withinCopyData;
        participant.withinCopyData = !last;
        if (fault != null && !rows.isWithinRowOf(participant.place)) {
            return;
        }
        ByteBuf passed = merge.part(participant.place, buffer, start, end, first, last);
        if (passed != null) {
            rows.take(participant.place, passed, last);
        }
    }

    @Override
    public void part(ServerConnection server, ByteBuf buffer, int start, int end, boolean last) {
        Participant participant = participantOf(server);
        if (copyOut != null) {
            copiedPart(participant, buffer, start, end, last);
            return;
        }
        boolean first = !rows.isIncomplete(participant.place);
        // A frame that the client has begun to read is brought to its end, whatever happens elsewhere.
        boolean begun = rows.isWithinRowOf(participant.place);
        if (begun || isHeard(participant) && (!first || countRow())) {
            pass(participant, buffer, start, end, last);
        }
    }

    /** False when the client takes no more rows. */
    private boolean countRow() {
        passedRows++;
        if (execution.maxRows() > 0 && passedRows > execution.maxRows()) {
            fault(Fault.of(EngineErrors.rowLimitOverShards()));
            return false;
        }
        return true;
    }

    private boolean isHeard(Participant participant) {
        return fault == null && (!alike || participant == participants.get(0));
    }

    private void pass(Participant participant, ByteBuf buffer, int start, int end, boolean last) {
        rows.take(participant.place, buffer.retainedSlice(start, end - start), last);
    }

    private Fault asClientSees(Fault server, Participant participant) {
        Fault placed = copyIn == null ? server : copyIn.asClientSees(server, participant.place);
        return placed.withPosition(position -> execution.sourcePosition(participant.part, position));
    }

    /** RowDescription or NoData: the same from all shards, and as the client expects it. */
    private void rowDescription(Participant participant, byte[] frame) {
        ServerStatement here = new ServerStatement();
        here.describe(frame);
        ServerStatement first = described;
        if (first != null) {
            if (!first.hasShapeOf(here)) {
                fault(Fault.of(EngineErrors.rowShapesDiffer(
                        participant.server.address().shard())));
            }
            return;
        }
        described = here;
        ServerStatement told = execution.told();
        if (!execution.isDescribed()) {
            if (told != null && told.isDescribed() && !told.hasColumnsOf(here)) {
                fault(Fault.staleRows());
            }
        } else if (fault == null) {
            execution.told(here);
            if (frame[0] == 'T' || execution.hearsNoData()) {
                session.output(frame);
            }
        }
    }

    private Participant participantOf(ServerConnection server) {
        for (Participant participant : participants) {
            if (participant.server == server) {
                return participant;
            }
        }
        throw new IllegalStateException("a frame from a connection that takes no part: " + server);
    }

    // ---- end

    /** The first failure counts; what still runs elsewhere is cancelled. */
    private void fault(Fault first) {
        if (fault != null) {
            return;
        }
        fault = first;
        rows.stop();
        if (copyIn != null) {
            copyIn.abandon();
        }
        for (Participant participant : participants) {
            if (participant.server.isCopyingIn()) {
                // It waits for the client, not for anything that a cancel would end.
                Cleanup.failCopy(participant.server);
            } else if (participant.running && participant.complete.length == 0 && participants.size() > 1) {
                session.place().cancels().send(participant.server);
            }
        }
    }

    private void participantEnded() {
        for (Participant participant : participants) {
            if (participant.running) {
                return;
            }
        }
        if (fault == null && next < participants.size()) {
            sendTo(participants.size());
            return;
        }
        end();
    }

    private void end() {
        if (participants.stream().anyMatch(participant -> participant.server.isCancelUnderWay())) {
            // One that comes late would hit what is sent next: the ROLLBACK, for one.
            session.loop().later(CANCEL_POLL_MILLIS, () -> session.guarded(this::end));
            return;
        }
        session.relay().taker(null);
        if (copyIn != null) {
            session.copyInOver();
        }
        if (rows.within() >= 0) {
            // A shard was lost in the middle of a row that the client has begun to read: nothing can follow it.
            rows.drop();
            session.terminate(BackendErrors.connectionLost(
                    participants.get(rows.within()).server.address()));
            return;
        }
        if (fault != null) {
            completion.failed(fault);
        } else {
            StateTracker.applySetConfigs(session, execution.statement(), shards);
            if (copyOut != null) {
                session.output(copyOut.end());
            }
            completion.done(merged());
        }
    }

    private byte[] merged() {
        byte[] first = participants.get(0).complete;
        if (participants.size() == 1 || first.length == 0 || first[0] != 'C') {
            return first;
        }
        long rows = rows(first);
        if (rows == CommandComplete.NO_ROWS) {
            return first;
        }
        if (alike) {
            compare(rows);
            return first;
        }
        long sum = 0;
        for (Participant participant : participants) {
            sum += rows(participant.complete);
        }
        return StatementRunner.commandComplete(withRows(first, sum));
    }

    /** A statement that every shard does alike touches as many rows on each, or the shards do not hold the same. */
    private void compare(long rows) {
        boolean differ = false;
        for (Participant participant : participants) {
            long count = rows(participant.complete);
            if (count != rows) {
                differ = true;
                LOG.warn(
                        "an omnisharded statement touched {} rows on shard {} and {} on shard {}: the shards differ",
                        rows,
                        participants.get(0).server.address().shard(),
                        count,
                        participant.server.address().shard());
            }
        }
        if (differ) {
            session.place().routes().divergent();
        }
    }

    private static long rows(byte[] frame) {
        return CommandComplete.rows(frame, Frame.HEADER_BYTES, frame.length - Frame.HEADER_BYTES);
    }

    private static String withRows(byte[] frame, long rows) {
        String tag = CommandComplete.decode(frame, Frame.HEADER_BYTES, frame.length - Frame.HEADER_BYTES)
                .tag();
        return tag.substring(0, tag.lastIndexOf(' ') + 1) + rows;
    }
}
