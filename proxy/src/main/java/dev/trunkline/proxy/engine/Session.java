package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.TransactionStatus;
import dev.trunkline.protocol.backend.FixedFrames;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.ProtocolErrors;
import dev.trunkline.protocol.error.Severity;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.proxy.measure.Counters;
import dev.trunkline.proxy.measure.Measure;
import dev.trunkline.proxy.net.FrameSink;
import dev.trunkline.proxy.net.Loop;
import dev.trunkline.proxy.net.WireChannel;
import dev.trunkline.proxy.settings.Settings;
import dev.trunkline.routing.Pin;
import dev.trunkline.routing.Statement;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client that is logged in. Takes its messages in order, keeps its state, answers it. Lives on one event loop.
 *
 * <p>On a database of one shard messages are passed on as they come ({@link #isPassThrough()}): the server keeps the
 * order. On several shards a request begins when the one before it has been answered, because where it runs may depend
 * on the outcome; what the client sends meanwhile waits in a bounded queue, and its socket is not read.
 */
public final class Session implements FrameSink {

    private static final Logger LOG = LoggerFactory.getLogger(Session.class);

    /** Messages that may wait before the client's socket is no longer read. */
    private static final int QUEUE_BOUND = 64;

    /**
     * What waits.
     *
     * @param frame the whole frame or a part of one
     * @param refusal why there is no frame: it is too long
     */
    private record Message(
            byte type,
            ByteBuf frame,
            boolean first,
            boolean last,
            @Nullable PgException refusal) {}

    private SessionPlace place;
    private final WireChannel client;
    private final ReportedParameters reported;
    private final SessionSettings settings;
    private final Transaction transaction = new Transaction();
    private final Relay relay;
    private final Leases leases;
    private final SimpleProtocol simple;
    private final ClientStatements statements = new ClientStatements(this);
    private final ExtendedProtocol extended;
    private final StatementRouting routing;
    private final TransactionEnd transactions;
    private final StatementRunner runner;
    private final ArrayDeque<Message> queue = new ArrayDeque<>(0);

    private boolean suspended;
    private int answersAwaited;
    private boolean handling;
    private boolean clientGone;
    private boolean draining;
    private @Nullable Move move;
    private boolean ended;
    private boolean failedSinceReady;
    private boolean serverBlocked;
    private boolean clientBlocked;
    private final EnumSet<Pin> pins = EnumSet.noneOf(Pin.class);
    private final CopyIn copy = new CopyIn();
    private final Listening listening = new Listening(this);
    private @Nullable Runnable cancelHook;
    private int exchanges;
    private boolean cancelling;
    private @Nullable Patience patience;

    private final int processId;
    private final SessionMeter meter;

    /** A session for a client that has just been told ReadyForQuery. */
    public Session(SessionPlace place, WireChannel client, SessionStart start) {
        this.place = place;
        this.client = client;
        this.reported = new ReportedParameters(client, transaction, start.reported());
        this.settings = new SessionSettings(start.settings());
        this.processId = start.processId();
        this.relay = new Relay(this);
        this.leases = new Leases(this, place.pools());
        this.meter = new SessionMeter(place, processId, leases);
        this.transactions = new TransactionEnd(this);
        this.routing = new StatementRouting(this);
        this.runner = new StatementRunner(this);
        this.simple = new SimpleProtocol(this);
        this.extended = new ExtendedProtocol(this);
    }

    // ---- what the parts share

    /** Where it lives; changes when its database comes to be served in another way. On the session's loop. */
    public SessionPlace place() {
        return place;
    }

    Loop loop() {
        return place.loop();
    }

    DatabaseState database() {
        return place.database();
    }

    SessionSettings settings() {
        return settings;
    }

    ReportedParameters reported() {
        return reported;
    }

    Transaction transaction() {
        return transaction;
    }

    Leases leases() {
        return leases;
    }

    Relay relay() {
        return relay;
    }

    StatementRouting routing() {
        return routing;
    }

    TransactionEnd transactions() {
        return transactions;
    }

    StatementRunner runner() {
        return runner;
    }

    ClientStatements statements() {
        return statements;
    }

    ExtendedProtocol extended() {
        return extended;
    }

    Listening listening() {
        return listening;
    }

    WireChannel client() {
        return client;
    }

    /** True when everything goes to the one shard as it comes. */
    boolean isPassThrough() {
        return place.database().shardCount() == 1 && !transaction.isOpen();
    }

    /** The transaction status as the client is to see it. */
    TransactionStatus status() {
        if (place.database().shardCount() > 1 || transaction.isOpen()) {
            return transaction.status();
        }
        return leases.holds(0) ? leases.get(0).status() : TransactionStatus.IDLE;
    }

    // ---- what is counted

    SessionMeter meter() {
        return meter;
    }

    /** The client as it is now; called on the session's loop. */
    public ClientView view() {
        long now = System.nanoTime();
        Counters shown = meter.counters().copy();
        shown.add(Measure.RECEIVED, client.receivedBytes());
        shown.add(Measure.SENT, client.sentBytes());
        InetSocketAddress address = client.remoteSocketAddress();
        return new ClientView(
                processId,
                place.user(),
                place.database().name(),
                address == null ? null : address.getAddress().getHostAddress(),
                address == null ? 0 : address.getPort(),
                state(),
                meter.sinceStart(now),
                meter.sinceAnswer(now),
                shown,
                isKept() && leases.count() > 0,
                statements.count(),
                reported.value("application_name"));
    }

    private ClientView.State state() {
        if (leases.isWaiting()) {
            return ClientView.State.WAITING;
        }
        return switch (activity()) {
            case IDLE -> ClientView.State.IDLE;
            case IDLE_IN_TRANSACTION -> ClientView.State.IDLE_IN_TRANSACTION;
            case RUNNING, DELIVERING, OVER -> ClientView.State.ACTIVE;
        };
    }

    // ---- to the client

    void output(ByteBuf bytes) {
        client.write(bytes);
        watchClient();
    }

    /** Bytes of a buffer of which the caller keeps its reference. */
    void output(ByteBuf buffer, int start, int end) {
        client.write(buffer, start, end);
        watchClient();
    }

    private void watchClient() {
        if (!clientBlocked && !client.isWritable()) {
            clientBlocked = true;
            readServers(false);
        }
    }

    void output(byte[] frames) {
        client.write(frames);
    }

    /** Frames of our own that belong behind everything the session's server still owes. */
    void outputInOrder(byte[] frames) {
        int shard = leases.anyShard();
        if (shard >= 0) {
            leases.get(shard).local(frames);
        } else {
            output(frames);
        }
    }

    private void readServers(boolean enabled) {
        for (int shard : leases.shards()) {
            leases.get(shard).wire().reading(enabled);
        }
    }

    /** Sends an error; the transaction has failed. What follows (skip to Sync, ReadyForQuery) is the caller's. */
    void serverFailed(Fault fault) {
        failedSinceReady = true;
        meter.count(Measure.ERRORS);
        failTransaction();
        output((patience == null ? fault : patience.explained(fault)).frame());
    }

    /** As on a server, what was set since the last savepoint is taken back at once. */
    private void failTransaction() {
        transaction.fail();
        reported.undoTo(transaction.mark());
    }

    /** True when the client has been sent an error that no ReadyForQuery has followed yet. */
    boolean hasFailed() {
        return failedSinceReady;
    }

    /** Ends a request of the simple protocol: with what the client sees as its status. */
    void outputReady() {
        failedSinceReady = false;
        exchanges++;
        TransactionStatus now = status();
        meter.answered(now == TransactionStatus.IDLE);
        output(FixedFrames.readyForQuery(now));
    }

    /** Tells the client that its session ends, and ends it. */
    void terminate(PgException fault) {
        terminate(Fault.of(fault));
    }

    private void terminate(Fault fault) {
        if (!isWithinFrame()) {
            meter.count(Measure.ERRORS);
            output(fault.frame());
        }
        end();
    }

    /** True when the client has got a part of a frame: what is not the rest of it would be read as such. */
    private boolean isWithinFrame() {
        for (int shard : leases.shards()) {
            if (leases.get(shard).isRelayingPart()) {
                return true;
            }
        }
        return false;
    }

    void notice(ServerConnection server, byte type, ByteBuf buffer, int start, int end) {
        output(buffer, start, end);
    }

    // ---- from the servers

    /** A request was answered with ReadyForQuery by the server itself. */
    void answered(ServerConnection server, TransactionStatus status) {
        boolean oneShard = place.database().shardCount() == 1;
        meter.answeredBy(server, status == TransactionStatus.IDLE);
        if (status == TransactionStatus.IDLE && oneShard) {
            if (failedSinceReady) {
                settings.rolledBack();
                server.settings(settings.current());
            } else {
                if (settings.dateStyle(reported.value("DateStyle"))) {
                    server.settings(server.settings()
                            .with(Settings.DATE_STYLE, settings.current().get(Settings.DATE_STYLE)));
                }
                settings.committed();
            }
        }
        failedSinceReady = false;
        exchanges++;
        releaseIdle();
        if (!oneShard || answersAwaited > 0 && --answersAwaited == 0) {
            resume();
        } else {
            leaveWhenDrained();
        }
    }

    /** True when {@link #suspendUntilAnswered} still holds. */
    boolean isAwaitingAnswers() {
        return answersAwaited > 0;
    }

    /** A message is carried out, before all that follows it, when the server has answered all that it owes. */
    void postpone(ServerConnection server, byte type, ByteBuf buffer, int start, int end) {
        queue.addFirst(new Message(type, buffer.retainedSlice(start, end - start), true, true, null));
        suspendUntilAnswered(server);
    }

    /** A message for which something had to be waited for is carried out now; the frame's reference is taken over. */
    void again(byte type, ByteBuf frame) {
        if (clientGone) {
            frame.release();
        } else {
            queue.addFirst(new Message(type, frame, true, true, null));
        }
        resume();
    }

    /** A message of the client that is carried out before all that waits; the frame's reference is taken over. */
    void first(byte type, ByteBuf frame) {
        queue.addFirst(new Message(type, frame, true, true, null));
    }

    /** The next message waits until the server has answered all that it owes: what it means depends on that. */
    void suspendUntilAnswered(ServerConnection server) {
        suspended = true;
        answersAwaited = server.answersOwed();
    }

    /** Gives the connections back when nothing keeps them: no transaction, no unfinished batch, no pin. */
    void releaseIdle() {
        if (leases.count() == 0 || isKept() || transaction.isOpen()) {
            return;
        }
        if (!leases.areIdle()) {
            return;
        }
        extended.transactionEnded();
        leases.releaseAll();
    }

    /** True when the session stays on its server connections: they hold state that cannot be carried to others. */
    private boolean isKept() {
        return place.isSessionMode() || !pins.isEmpty();
    }

    /** The session keeps its server connections from now on if the statement leaves something there. */
    void pinFor(Statement statement) {
        Pin pin = statement.pin();
        if (pin != Pin.NONE && !(pin == Pin.LISTEN && listening.isByProxy())) {
            pin(pin);
        } else if (statement.unknownSetConfig()) {
            pin(Pin.UNKNOWN_SETTING);
        }
    }

    /** The session keeps its server connections from now on. */
    void pin(Pin reason) {
        pins.add(reason);
        for (int shard : leases.shards()) {
            leases.get(shard).needsReset();
        }
    }

    /** DISCARD ALL: nothing is left that a pin was for, save libraries. */
    void unpin() {
        pins.removeIf(reason -> reason != Pin.LIBRARY);
    }

    /** What this pin was for is gone. */
    void unpin(Pin reason) {
        pins.remove(reason);
    }

    /** A server waits for CopyData: what the client has sent of it meanwhile goes there now. */
    void copyIn(ServerConnection server) {
        if (clientGone) {
            failCopies();
            return;
        }
        copy.begin(server);
        pump();
    }

    /** Several servers wait for CopyData. */
    void copyIn(SplitCopy split) {
        copy.begin(split);
        if (clientGone) {
            failCopies();
            return;
        }
        pump();
    }

    /** A COPY over several servers has ended, in whatever way. */
    void copyInOver() {
        copy.over();
    }

    /** What a COPY over several servers waited for is there. */
    void copyGoesOn() {
        pump();
    }

    void serverWritable(boolean writable) {
        serverBlocked = !writable;
        applyReading();
        if (writable && copy.unblocked()) {
            pump();
        }
    }

    /** A connection has been taken: no rows are read from it while the client takes none. */
    void leaseTaken(ServerConnection server) {
        if (clientBlocked) {
            server.wire().reading(false);
        }
    }

    /** A connection is not the session's any more: what waits for it to take bytes must not hold the client back. */
    void leaseEnded() {
        if (serverBlocked) {
            serverBlocked = false;
            applyReading();
        }
    }

    /**
     * A server connection is gone.
     *
     * @param owed requests that it was to answer to the client itself
     */
    void serverLost(ServerConnection server, int owed, PgException loss) {
        Fault fault = Fault.of(loss);
        boolean atRest = server.isSettled();
        boolean repairing = extended.isRepairing(false);
        boolean unfinished = server.unsynced() > 0 || repairing;
        int unanswered = owed + (extended.isRepairing(true) ? 1 : 0);
        boolean inBlock = server.status() != TransactionStatus.IDLE;
        boolean withinFrame = server.isRelayingPart();
        leases.lost(server);
        extended.serverLost();
        if (isKept() || withinFrame) {
            // What the client relied on is gone with the connection, or it has got half a row: it must not go on.
            if (!withinFrame && !failedSinceReady) {
                output(fault.fatal().frame());
            }
            end();
            finish();
            return;
        }
        if (place.database().shardCount() == 1) {
            if (inBlock && !transaction.isOpen()) {
                // The client believes itself in a block: it stays in one, failed, until it ends it.
                transaction.begin("", false);
            } else if (!inBlock) {
                settings.rolledBack();
            }
        }
        if (inBlock) {
            transaction.doom(atRest && !failedSinceReady ? loss : null);
        }
        failTransaction();
        answersAwaited = 0;
        for (int i = 0; i < unanswered; i++) {
            if (!failedSinceReady) {
                output(fault.frame());
            }
            outputReady();
        }
        if (unfinished) {
            extended.failBatch(fault);
        }
        if (unanswered > 0 || repairing) {
            resume();
        }
    }

    // ---- from the client

    @Override
    public void frame(byte type, ByteBuf buffer, int start, int end) {
        if (mustWait()) {
            enqueue(new Message(type, buffer.retainedSlice(start, end - start), true, true, null));
        } else {
            handle(type, buffer, start, end);
        }
    }

    @Override
    public void part(byte type, ByteBuf buffer, int start, int end, boolean first, boolean last) {
        if (mustWait()) {
            enqueue(new Message(type, buffer.retainedSlice(start, end - start), first, last, null));
        } else {
            copyPart(buffer, start, end, first, last);
        }
    }

    @Override
    public void tooLong(byte type, PgException fault) {
        if (mustWait()) {
            enqueue(new Message(type, Unpooled.EMPTY_BUFFER, true, true, fault));
        } else {
            refuse(type, fault);
        }
    }

    /** True when an earlier message has to be carried out first; CopyData belongs to the statement under way. */
    private boolean mustWait() {
        return !queue.isEmpty() || suspended && !copy.isRunning();
    }

    private void enqueue(Message message) {
        if (clientGone) {
            message.frame.release();
        } else {
            queue.add(message);
            applyReading();
        }
    }

    private void copyPart(ByteBuf buffer, int start, int end, boolean first, boolean last) {
        if (copy.part(buffer.retainedSlice(start, end - start), first, last)) {
            // The COPY had failed by the time its last bytes came: only now can the connection serve others.
            releaseIdle();
        }
    }

    private void handle(byte type, ByteBuf buffer, int start, int end) {
        handling = true;
        try {
            if (clientGone) {
                return;
            } else if (copy.isRunning()) {
                duringCopy(type, buffer, start, end);
            } else {
                dispatch(type, buffer, start, end);
            }
        } catch (PgException fault) {
            // What a message's decoder or the router refuses without having begun anything.
            refuse(type, fault);
        } catch (Throwable bug) {
            crash(bug);
        } finally {
            handling = false;
        }
    }

    private void dispatch(byte type, ByteBuf buffer, int start, int end) {
        switch (type) {
            case 'Q', 'F' -> {
                if (extended.isSkipping()) {
                    return; // as a server, which reads on for nothing but a Sync
                }
                meter.count(Measure.QUERY_COUNT);
                if (type == 'Q') {
                    extended.endPortals();
                    simple.query(buffer, start, end);
                } else {
                    simple.functionCall(buffer, start, end);
                }
            }
            case 'P', 'B', 'D', 'C', 'H', 'S' -> extended.message(type, buffer, start, end);
            case 'E' -> {
                meter.count(Measure.QUERY_COUNT);
                extended.message(type, buffer, start, end);
            }
            case 'd', 'c', 'f' -> {} // its COPY has failed, or never was: ignored, as a server does
            case 'X' -> end();
            default -> terminate(ProtocolErrors.unexpectedMessage(type));
        }
    }

    /** While a server waits for CopyData it ignores Flush and Sync; what else comes is out of step. */
    private void duringCopy(byte type, ByteBuf buffer, int start, int end) {
        switch (type) {
            case 'd' -> copy.data(buffer.retainedSlice(start, end - start));
            case 'c', 'f' -> {
                copy.end(buffer.retainedSlice(start, end - start));
                extended.copyInEnded();
            }
            case 'H', 'S' -> {}
            case 'X' -> end();
            default -> terminate(ProtocolErrors.unexpectedMessage(type));
        }
    }

    /** A message cannot be carried out: tells the client, in the way of its protocol. */
    void refuse(byte type, PgException fault) {
        if (fault.severity() == Severity.FATAL || copy.isRunning()) {
            terminate(fault.withSeverity(Severity.FATAL));
        } else if (extended.isSkipping()) {
            return;
        } else if (type == 'Q' || type == 'F') {
            simple.fail(Fault.of(fault));
        } else {
            extended.failBatch(Fault.of(fault));
        }
    }

    /** A bug of ours, or a statement too deep for our stack: this session ends at once, no other. */
    private void crash(Throwable bug) {
        terminate(internal(bug));
        finish();
    }

    /** Logs a bug of ours under an id that the client is told as well. */
    PgException internal(Throwable bug) {
        String id = Long.toHexString(System.nanoTime() ^ (long) System.identityHashCode(this) << 32);
        LOG.error("internal error {} in the session of {}", id, client.remoteAddress(), bug);
        return ProtocolErrors.internal(id).withSeverity(Severity.FATAL);
    }

    /** The next message waits until {@link #resume()}. */
    void suspend() {
        suspended = true;
    }

    /** The request under way is over: the next may begin. */
    void resume() {
        suspended = false;
        if (clientGone) {
            finish();
        } else if (!handling) {
            pump();
            leaveWhenDrained();
        }
    }

    /** Runs a step that was waited for; a bug in it ends this session and no other. */
    void guarded(Runnable step) {
        try {
            step.run();
        } catch (Throwable bug) {
            crash(bug);
        }
    }

    private void pump() {
        while ((!suspended || copy.isRunning()) && !clientGone) {
            Message next = queue.poll();
            if (next == null) {
                break;
            }
            try {
                carryOut(next);
            } finally {
                next.frame.release();
            }
        }
        copy.flush();
        applyReading();
    }

    private void carryOut(Message message) {
        if (message.refusal != null) {
            refuse(message.type, message.refusal);
        } else if (message.first && message.last) {
            handle(message.type, message.frame, 0, message.frame.readableBytes());
        } else {
            copyPart(message.frame, 0, message.frame.readableBytes(), message.first, message.last);
        }
    }

    private void applyReading() {
        client.reading(!serverBlocked && !cancelling && queue.size() < QUEUE_BOUND);
    }

    @Override
    public void bufferEnd(ByteBuf buffer) {
        if ((!suspended || copy.isRunning()) && !queue.isEmpty()) {
            pump();
        }
        copy.flush();
        if (listening.isUsed()) {
            hearNotifications();
        }
    }

    @Override
    public void writabilityChanged(boolean writable) {
        if (writable && listening.isUsed()) {
            hearNotifications();
        }
        if (writable && clientBlocked) {
            clientBlocked = false;
            readServers(true);
        }
    }

    @Override
    public void violation(PgException fault) {
        terminate(fault);
    }

    @Override
    public void closed(@Nullable Throwable cause) {
        end();
    }

    // ---- cancel and end

    /** What ends the wait that is under way, should the client cancel; null = nothing to wait for. */
    void onCancel(@Nullable Runnable hook) {
        cancelHook = hook;
    }

    /**
     * A CancelRequest with this session's key arrived; called on the session's loop. While a transaction is being
     * committed on several shards it comes too late, as it does on one server once the commit is written.
     *
     * @param taken called when it cannot hit what the client sends from then on
     */
    public void cancel(Runnable taken) {
        List<ServerConnection> busy = new ArrayList<>();
        if (!transactions.isCommittingSeveral() && !cancelWait(Fault.of(ProtocolErrors.canceled()))) {
            for (int shard : leases.shards()) {
                if (!leases.get(shard).isSettled()) {
                    busy.add(leases.get(shard));
                }
            }
        }
        if (busy.isEmpty()) {
            taken.run();
            return;
        }
        int[] left = {busy.size()};
        busy.forEach(server -> place.cancels().send(server, () -> {
            if (--left[0] == 0) {
                taken.run();
            }
        }));
    }

    /** Ends what the session waits for outside of a server; false if it does not. */
    private boolean cancelWait(Fault fault) {
        Runnable hook = cancelHook;
        if (hook == null) {
            return leases.cancelWait(fault);
        }
        cancelHook = null;
        hook.run();
        return true;
    }

    /**
     * The client has gone, or is sent away. What has been sent to servers runs to its end first, as it would on a
     * direct connection: a commit over several shards must not stop half-way. Within bounds: then it is cancelled, then
     * its connections are closed.
     */
    void end() {
        if (clientGone) {
            return;
        }
        clientGone = true;
        client.close();
        for (Message message = queue.poll(); message != null; message = queue.poll()) {
            message.frame.release();
        }
        readServers(true);
        if (!suspended || handling) {
            finish();
            return;
        }
        if (!cancelWait(Fault.of(ProtocolErrors.canceled()))) {
            failCopies();
            loop().later(place.patienceMillis(), this::cancelRest);
        }
    }

    private void failCopies() {
        for (int shard : leases.shards()) {
            Cleanup.failCopy(leases.get(shard));
        }
    }

    private void cancelRest() {
        if (!ended) {
            cancel(() -> {});
            loop().later(place.patienceMillis(), this::abortRest);
        }
    }

    private void abortRest() {
        if (!ended) {
            for (int shard : leases.shards()) {
                leases.get(shard).wire().abort();
            }
            loop().later(place.patienceMillis(), this::finish);
        }
    }

    /** Nothing of the session stays behind. */
    private void finish() {
        if (ended) {
            return;
        }
        ended = true;
        suspended = true;
        onCancel(null);
        leases.abandonWait();
        routing.sessionEnded();
        transactions.abandon();
        copy.abandon();
        extended.release();
        listening.close();
        boolean reset = isKept();
        leases.handOver((pool, server) -> new Cleanup(place, pool, server, reset).start());
        place.ended();
        Move planned = move;
        if (planned != null) {
            move = null;
            planned.done.run();
        }
    }

    // ---- what takes too long

    /** How many exchanges have come to their ReadyForQuery; wraps around. */
    int exchanges() {
        return exchanges;
    }

    /** What the session is doing at present. */
    Activity activity() {
        if (clientGone) {
            return Activity.OVER;
        } else if (suspended || !queue.isEmpty() || leases.isAnswerOwed()) {
            return Activity.RUNNING;
        } else if (!client.isWritable()) {
            return Activity.DELIVERING;
        }
        boolean open = status() != TransactionStatus.IDLE || extended.isUnderWay() || !leases.areIdle();
        return open ? Activity.IDLE_IN_TRANSACTION : Activity.IDLE;
    }

    /** Looks at the time; true when it is time for {@link #endOverdue}. */
    boolean isOverdue(long nowNanos, Timeouts timeouts) {
        if (patience == null) {
            patience = new Patience(this);
        }
        return patience.isOver(nowNanos, timeouts);
    }

    /** Ends what has taken too long. */
    void endOverdue() {
        if (patience != null) {
            patience.end();
        }
    }

    /** Cancels what runs. What the client sends meanwhile is not read: the cancel must not hit it. */
    void cancelRunning(Fault fault) {
        if (transactions.isCommittingSeveral() || cancelling || cancelWait(fault)) {
            return;
        }
        cancelling = true;
        applyReading();
        for (int shard : leases.shards()) {
            endInput(leases.get(shard));
        }
        cancel(() -> {
            cancelling = false;
            applyReading();
        });
    }

    /** A server that waits for the client runs nothing that could be cancelled. */
    private void endInput(ServerConnection server) {
        if (server.isSendingPart()) {
            return; // it is in the middle of a CopyData, and will not come to rest
        }
        if (server.isCopyingIn()) {
            Cleanup.failCopy(server);
            extended.copyInEnded();
        } else if (server.unsynced() > 0) {
            server.flush();
        }
    }

    /** Closes the connections on which something runs that no cancel has ended. */
    void abortRunning() {
        if (!transactions.isCommittingSeveral()) {
            for (int shard : leases.shards()) {
                leases.get(shard).wire().abort();
            }
        }
    }

    /**
     * The proxy stops, and its patience is over: what runs is cancelled, then the client is sent away.
     *
     * @param done called on the loop when the servers know
     */
    public void cutOff(Runnable done) {
        cancel(() -> loop().run(() -> {
            if (!clientGone) {
                terminate(ProtocolErrors.shuttingDown());
            }
            done.run();
        }));
    }

    /** The process ID that the client was told. */
    public int processId() {
        return processId;
    }

    /** An administrator sends the client away, whatever it is doing. */
    public void kill() {
        terminate(ProtocolErrors.shuttingDown());
    }

    /** The proxy stops: the client is sent away now when it is at rest, else as soon as it is. */
    public void drain() {
        draining = true;
        leaveWhenDrained();
    }

    /**
     * The database is served in another way from now on. Between two transactions the session goes there, or ends if it
     * cannot: what it has on its server connections would be lost.
     *
     * @param successor null = it ends
     * @param done called on the loop when the session has nothing to do with what it leaves
     */
    public void moveTo(@Nullable SessionPlace successor, Runnable done) {
        if (ended) {
            done.run();
            return;
        }
        Move earlier = move;
        move = new Move(successor, earlier == null ? done : earlier.with(done));
        leaveWhenDrained();
    }

    /** True when the session is served by this, or is about to be. */
    public boolean isOn(DatabaseState database) {
        Move planned = move;
        return place.database() == database
                || planned != null && planned.successor != null && planned.successor.database() == database;
    }

    private record Move(@Nullable SessionPlace successor, Runnable done) {
        Runnable with(Runnable next) {
            return () -> {
                done.run();
                next.run();
            };
        }
    }

    private void goOn(Move planned) {
        SessionPlace successor = planned.successor;
        if (successor == null || isKept() || listening.isUsed()) {
            terminate(ProtocolErrors.shuttingDown());
            return;
        }
        move = null;
        place = successor;
        leases.moveTo(successor.pools());
        meter.moveTo(successor);
        routing.moved();
        planned.done.run();
    }

    private void leaveWhenDrained() {
        Move planned = move;
        if (planned != null && !clientGone && isAtRest()) {
            goOn(planned);
        }
        if (draining && !clientGone && isAtRest()) {
            terminate(ProtocolErrors.shuttingDown());
        } else if (listening.isUsed()) {
            hearNotifications();
        }
    }

    /** Between transactions, with nothing under way. */
    private boolean isAtRest() {
        return !suspended && queue.isEmpty() && !transaction.isOpen() && !extended.isUnderWay() && leases.areIdle();
    }

    /** The client gets the notifications that wait for it, if it is at rest; else when it is. */
    void hearNotifications() {
        if (!clientGone && isAtRest()) {
            listening.atRest();
        }
    }
}
