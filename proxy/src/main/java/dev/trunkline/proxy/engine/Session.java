package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.TransactionStatus;
import dev.trunkline.protocol.backend.FixedFrames;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.ProtocolErrors;
import dev.trunkline.protocol.error.Severity;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.proxy.net.FrameSink;
import dev.trunkline.proxy.net.Loop;
import dev.trunkline.proxy.net.WireChannel;
import dev.trunkline.routing.Pin;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
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

    private record Message(byte type, ByteBuf frame) {}

    private final SessionPlace place;
    private final WireChannel client;
    private final ReportedParameters reported;
    private final SessionSettings settings;
    private final Transaction transaction = new Transaction();
    private final Relay relay;
    private final Leases leases;
    private final SimpleProtocol simple;
    private final ExtendedProtocol extended;
    private final StatementRouting routing;
    private final TransactionEnd transactions;
    private final StatementRunner runner;
    private final ArrayDeque<Message> queue = new ArrayDeque<>(0);

    private boolean suspended;
    private boolean handling;
    private boolean clientGone;
    private boolean draining;
    private boolean ended;
    private boolean failedSinceReady;
    private boolean serverBlocked;
    private boolean clientBlocked;
    private @Nullable Pin pin;
    private @Nullable ServerConnection copyTarget;
    private @Nullable Runnable cancelHook;

    /** A session for a client that has just been told ReadyForQuery. */
    public Session(SessionPlace place, WireChannel client, SessionStart start) {
        this.place = place;
        this.client = client;
        this.reported = new ReportedParameters(client, start.reported());
        this.settings = new SessionSettings(start.settings());
        this.relay = new Relay(this);
        this.leases = new Leases(this, place.pools());
        this.transactions = new TransactionEnd(this);
        this.routing = new StatementRouting(this);
        this.runner = new StatementRunner(this);
        this.simple = new SimpleProtocol(this);
        this.extended = new ExtendedProtocol(this);
    }

    // ---- what the parts share

    SessionPlace place() {
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

    ExtendedProtocol extended() {
        return extended;
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

    // ---- to the client

    void output(ByteBuf bytes) {
        client.write(bytes);
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
        transaction.fail();
        output(fault.frame());
    }

    /** True when the client has been sent an error that no ReadyForQuery has followed yet. */
    boolean hasFailed() {
        return failedSinceReady;
    }

    /** Ends a request of the simple protocol: with what the client sees as its status. */
    void outputReady() {
        failedSinceReady = false;
        output(FixedFrames.readyForQuery(status()));
    }

    /** Tells the client that its session ends, and ends it. */
    void terminate(PgException fault) {
        output(Fault.of(fault).frame());
        end();
    }

    void notice(ServerConnection server, byte type, ByteBuf buffer, int start, int end) {
        output(buffer.retainedSlice(start, end - start));
    }

    // ---- from the servers

    /** A request was answered with ReadyForQuery by the server itself. */
    void answered(ServerConnection server, TransactionStatus status) {
        if (status == TransactionStatus.IDLE && place.database().shardCount() == 1) {
            if (failedSinceReady) {
                settings.rolledBack();
            } else {
                settings.committed();
            }
            server.settings(settings.current());
        }
        failedSinceReady = false;
        releaseIdle();
        resume();
    }

    /** Gives the connections back when nothing keeps them: no transaction, no unfinished batch, no pin. */
    void releaseIdle() {
        if (leases.count() == 0 || pin != null || place.isSessionMode() || transaction.isOpen()) {
            return;
        }
        if (!leases.areIdle()) {
            return;
        }
        extended.transactionEnded();
        leases.releaseAll();
    }

    /** The session keeps its server connections from now on. */
    void pin(Pin reason) {
        pin = reason;
        for (int shard : leases.shards()) {
            leases.get(shard).needsReset();
        }
    }

    /** Nothing is left that a pin was for (DISCARD ALL). */
    void unpin() {
        pin = null;
    }

    /** What this pin was for is gone. */
    void unpin(Pin reason) {
        if (pin == reason) {
            pin = null;
        }
    }

    void copyIn(ServerConnection server) {
        copyTarget = server;
    }

    void serverWritable(boolean writable) {
        serverBlocked = !writable;
        applyReading();
    }

    /**
     * A server connection is gone.
     *
     * @param owed requests that it was to answer to the client itself
     */
    void serverLost(ServerConnection server, int owed, Fault fault) {
        boolean unfinished = server.unsynced() > 0;
        boolean inBlock = server.status() != TransactionStatus.IDLE;
        if (copyTarget == server) {
            copyTarget = null;
        }
        leases.lost(server);
        extended.serverLost();
        if (place.database().shardCount() == 1) {
            if (inBlock && !transaction.isOpen()) {
                // The client believes itself in a block: it stays in one, failed, until it ends it.
                transaction.begin("", false);
            } else if (!inBlock) {
                settings.rolledBack();
            }
        }
        transaction.fail();
        for (int i = 0; i < owed; i++) {
            output(fault.frame());
            outputReady();
        }
        if (owed == 0 && unfinished) {
            extended.failBatch(fault);
        }
        if (owed > 0) {
            resume();
        }
    }

    // ---- from the client

    @Override
    public void frame(byte type, ByteBuf buffer, int start, int end) {
        if (isCopyMessage(type)) {
            copy(type, buffer, start, end);
        } else if (clientGone) {
            return;
        } else if (suspended || !queue.isEmpty()) {
            queue.add(new Message(type, buffer.retainedSlice(start, end - start)));
            applyReading();
        } else {
            handle(type, buffer, start, end);
        }
    }

    @Override
    public void part(byte type, ByteBuf buffer, int start, int end, boolean first, boolean last) {
        copy(type, buffer, start, end);
    }

    private static boolean isCopyMessage(byte type) {
        return type == 'd' || type == 'c' || type == 'f';
    }

    /** CopyData goes where a server waits for it; otherwise it is stray (its COPY has failed) and dropped. */
    private void copy(byte type, ByteBuf buffer, int start, int end) {
        ServerConnection target = copyTarget;
        if (target == null || !target.isCopyingIn()) {
            copyTarget = null;
            return;
        }
        target.sendPlain(buffer.retainedSlice(start, end - start));
        if (type != 'd') {
            target.copyInEnded();
            copyTarget = null;
        }
    }

    private void handle(byte type, ByteBuf buffer, int start, int end) {
        handling = true;
        try {
            switch (type) {
                case 'Q' -> simple.query(buffer, start, end);
                case 'P', 'B', 'D', 'E', 'C', 'H', 'S' -> extended.message(type, buffer, start, end);
                case 'F' -> simple.functionCall(buffer, start, end);
                case 'X' -> end();
                default -> terminate(ProtocolErrors.unexpectedMessage(type));
            }
        } catch (PgException fault) {
            // What a message's decoder or the router refuses without having begun anything.
            refuse(type, fault);
        } catch (Throwable bug) {
            terminate(internal(bug));
        } finally {
            handling = false;
        }
    }

    private void refuse(byte type, PgException fault) {
        if (fault.severity() == Severity.FATAL) {
            terminate(fault);
        } else if (type == 'Q' || type == 'F') {
            simple.fail(Fault.of(fault));
        } else {
            extended.failBatch(Fault.of(fault));
        }
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
            terminate(internal(bug));
        }
    }

    private void pump() {
        while (!suspended && !clientGone) {
            Message next = queue.poll();
            if (next == null) {
                break;
            }
            try {
                handle(next.type, next.frame, 0, next.frame.readableBytes());
            } finally {
                next.frame.release();
            }
        }
        applyReading();
    }

    private void applyReading() {
        client.reading(!serverBlocked && queue.size() < QUEUE_BOUND);
    }

    @Override
    public void bufferEnd(ByteBuf buffer) {
        if (!suspended && !queue.isEmpty()) {
            pump();
        }
    }

    @Override
    public void writabilityChanged(boolean writable) {
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

    /** A CancelRequest with this session's key arrived; called on the session's loop. */
    public void cancel() {
        Runnable hook = cancelHook;
        if (hook != null) {
            cancelHook = null;
            hook.run();
        } else if (!leases.cancelWait(Fault.of(ProtocolErrors.canceled()))) {
            for (int shard : leases.shards()) {
                ServerConnection server = leases.get(shard);
                if (!server.isIdle()) {
                    place.cancels().send(server);
                }
            }
        }
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
        copyTarget = null;
        readServers(true);
        if (!suspended || handling) {
            finish();
            return;
        }
        Fault gone = Fault.of(ProtocolErrors.canceled());
        Runnable hook = cancelHook;
        if (hook != null) {
            cancelHook = null;
            hook.run();
        } else if (!leases.cancelWait(gone)) {
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
            cancel();
            loop().later(place.patienceMillis(), this::abortRest);
        }
    }

    private void abortRest() {
        if (!ended) {
            for (int shard : leases.shards()) {
                leases.get(shard).wire().abort();
            }
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
        extended.release();
        boolean reset = pin != null || place.isSessionMode();
        leases.handOver((pool, server) -> new Cleanup(place, pool, server, reset).start());
        place.ended();
    }

    /** The proxy stops: the client is sent away now when it is at rest, else as soon as it is. */
    public void drain() {
        draining = true;
        leaveWhenDrained();
    }

    private void leaveWhenDrained() {
        boolean atRest =
                !suspended && queue.isEmpty() && !transaction.isOpen() && !extended.isUnderWay() && leases.areIdle();
        if (draining && atRest && !clientGone) {
            terminate(ProtocolErrors.shuttingDown());
        }
    }
}
