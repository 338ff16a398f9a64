package dev.trunkline.proxy.backend;

import dev.trunkline.protocol.Frame;
import dev.trunkline.protocol.TransactionStatus;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.frontend.FixedRequests;
import dev.trunkline.proxy.measure.Counters;
import dev.trunkline.proxy.measure.Measure;
import dev.trunkline.proxy.measure.Timings;
import dev.trunkline.proxy.net.FrameSink;
import dev.trunkline.proxy.net.WireChannel;
import dev.trunkline.proxy.settings.Settings;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A logged-in connection to a server: sends messages, keeps the queue of expected replies, and relays the frames that
 * come by it to its {@link ReplyHandler} in runs as long as possible.
 *
 * <p>Used on one loop at a time: the one its channel is at home on.
 */
public final class ServerConnection implements FrameSink {

    private static final Logger LOG = LoggerFactory.getLogger(ServerConnection.class);

    private static final byte[] FLUSH = {'H', 0, 0, 0, 4};
    /** Execute of a portal that cannot exist. */
    private static final byte[] EXECUTE_NOTHING = executeNothing();

    private final ServerAddress address;
    private final WireChannel wire;
    private final int processId;
    private final byte[] secretKey;
    private final TreeMap<String, String> parameters;
    private final ArrayDeque<Reply> replies = new ArrayDeque<>();
    private final PreparedStatements prepared = new PreparedStatements();
    private final long openedNanos = System.nanoTime();
    private final ServerMeter meter;

    private ReplyHandler handler;
    private TransactionStatus status = TransactionStatus.IDLE;
    private Settings settings = Settings.NONE;
    private long parametersSum;
    private boolean resetNeeded;
    private boolean skipping;
    private boolean copyingIn;
    private boolean syncSwallowed;
    private boolean sendingPart;
    private boolean relayingPart;
    private boolean fatal;
    private boolean lost;
    private int unsynced;
    private int readiesAsked;
    private int readiesCome;
    private int lastIdle;
    private int unnamedPortalsEnded;
    private int cancelsUnderWay;
    private boolean retired;
    private long checkedNanos = openedNanos;
    private long idleSinceNanos;
    // What a simple Query has brought: no rows without their description, no ReadyForQuery without an end.
    private boolean described;
    private boolean concluded;
    private boolean closing;

    // The run of frames to relay, not yet handed over.
    private @Nullable ByteBuf runBuffer;
    private int runStart;
    private int runEnd;

    ServerConnection(
            ServerAddress address,
            WireChannel wire,
            int processId,
            byte[] secretKey,
            Map<String, String> parameters,
            ReplyHandler handler) {
        this.address = address;
        this.wire = wire;
        this.processId = processId;
        this.secretKey = secretKey;
        this.parameters = new TreeMap<>(parameters);
        this.handler = handler;
        this.meter = new ServerMeter(wire);
        parameters.forEach((name, value) -> parametersSum += sumOf(name, value));
    }

    /** Changes who hears of this connection. */
    public void handler(ReplyHandler newHandler) {
        handler = newHandler;
    }

    /** Changes for which pool the connection counts what it does; both are written on the home loop. */
    public void countFor(Counters counters, Timings timings) {
        meter.countFor(counters, timings);
    }

    /** Counts something that happened to this connection. */
    public void count(Measure measure) {
        meter.count(measure);
    }

    /** What this connection has done; live. */
    public Counters counters() {
        return meter.own();
    }

    /** How long the server took for the last request, in nanoseconds. */
    public long lastBusyNanos() {
        return meter.lastBusy();
    }

    /** How long the last transaction took, in nanoseconds. */
    public long lastTransactionNanos() {
        return meter.lastTransaction();
    }

    /** When the server was ready last, by {@link System#nanoTime()}. */
    public long lastReadyNanos() {
        return meter.lastReady();
    }

    /** When the server was sent its last request, by {@link System#nanoTime()}. */
    public long lastRequestNanos() {
        return meter.busySince();
    }

    public ServerAddress address() {
        return address;
    }

    /** The socket, for back-pressure and for lending to another loop. */
    public WireChannel wire() {
        return wire;
    }

    /** The server process, as BackendKeyData named it; 0 when it did not. */
    public int processId() {
        return processId;
    }

    /** The key that a CancelRequest must show; empty when the server gave none. */
    public byte[] secretKey() {
        return secretKey;
    }

    /** The run-time parameters that the server reports, by name as it spells it; live. */
    public Map<String, String> parameters() {
        return parameters;
    }

    /** A number that is the same for the same {@link #parameters()}: tells whether there is anything to compare. */
    public long parametersSum() {
        return parametersSum;
    }

    /** What one parameter adds to {@link #parametersSum()}; 0 for no value. */
    public static long sumOf(String name, @Nullable String value) {
        return value == null ? 0 : (31L * name.hashCode() + value.hashCode()) * 0x9e37_79b9_7f4a_7c15L;
    }

    /** The transaction status of the last ReadyForQuery. */
    public TransactionStatus status() {
        return status;
    }

    /** The statements prepared on this connection. */
    public PreparedStatements prepared() {
        return prepared;
    }

    /** What has been set on this connection beyond the server's defaults. */
    public Settings settings() {
        return settings;
    }

    /** Notes what is now set on this connection. */
    public void settings(Settings newSettings) {
        settings = newSettings;
    }

    /** Notes that something may live on this connection that only DISCARD ALL clears. */
    public void needsReset() {
        resetNeeded = true;
    }

    /** True when DISCARD ALL must run before another session may use the connection. */
    public boolean isResetNeeded() {
        return resetNeeded;
    }

    /** Notes that DISCARD ALL has run. */
    public void wasReset() {
        resetNeeded = false;
        settings = Settings.NONE;
        prepared.clear();
    }

    /** Nanoseconds since the connection was opened. */
    public long ageNanos() {
        return System.nanoTime() - openedNanos;
    }

    /** Notes when a session has left it. */
    public void idleSince(long nowNanos) {
        idleSinceNanos = nowNanos;
    }

    /** Nanoseconds since a session has left it. */
    public long idleNanos(long nowNanos) {
        return nowNanos - idleSinceNanos;
    }

    /** Notes that the server has shown to be alive while nobody used the connection. */
    public void checked() {
        checkedNanos = System.nanoTime();
    }

    /** Nanoseconds since {@link #checked()}, or since the connection was opened. */
    public long sinceCheckNanos(long nowNanos) {
        return nowNanos - checkedNanos;
    }

    /** True when nothing is owed, nothing is unfinished and no transaction is open. */
    public boolean isIdle() {
        return isSettled() && status == TransactionStatus.IDLE && !sendingPart && !lost && !fatal;
    }

    /** True when the server owes nothing and every message sent was followed by a Sync. */
    public boolean isSettled() {
        return replies.isEmpty() && unsynced == 0;
    }

    /** True when a reply to something that was sent is not complete yet. */
    public boolean isAnswerOwed() {
        return !replies.isEmpty();
    }

    /** True when a part of a CopyData has been sent and the rest of it has not: nothing else may be sent before. */
    public boolean isSendingPart() {
        return sendingPart;
    }

    /** True when a part of a frame has been relayed and the rest of it has not: nothing else may be said before. */
    public boolean isRelayingPart() {
        return relayingPart;
    }

    /** Answers that end with a ReadyForQuery for the client and have not come yet. */
    public int answersOwed() {
        int owed = 0;
        for (Reply reply : replies) {
            if (reply.endsWithReady() && reply.use() == Reply.Use.FORWARD) {
                owed++;
            }
        }
        return owed;
    }

    /** Extended-protocol messages sent since the last Sync. */
    public int unsynced() {
        return unsynced;
    }

    /** True when the connection can no longer be used. */
    public boolean isLost() {
        return lost || fatal || closing || wire.isClosed();
    }

    /** True when the connection has ended, and its server process with it as far as one can tell. */
    public boolean isGone() {
        return lost;
    }

    /** True while the server waits for CopyData. */
    public boolean isCopyingIn() {
        return copyingIn;
    }

    /** True when an earlier message of the batch failed: the server skips everything up to the Sync. */
    public boolean isSkipping() {
        return skipping;
    }

    /** Counts the CancelRequests that are on their way to this server process. */
    public void cancelStarted() {
        cancelsUnderWay++;
    }

    /** One CancelRequest has been delivered. */
    public void cancelEnded() {
        cancelsUnderWay--;
    }

    /** No other session may use the connection: a cancel may arrive at any time. */
    public void retire() {
        retired = true;
    }

    /** True when the connection must not be given to another session. */
    public boolean isRetired() {
        return retired;
    }

    /** True while a cancel may still hit whatever runs here. */
    public boolean isCancelUnderWay() {
        return cancelsUnderWay > 0;
    }

    /**
     * Sends one message and expects its reply. The buffer's reference is taken over.
     *
     * @param message one whole frame
     */
    public void send(ByteBuf message, Reply reply) {
        wire.write(message);
        expect(reply);
    }

    /** Sends one message that lies in a buffer, of which the caller keeps its reference, and expects its reply. */
    public void send(ByteBuf buffer, int start, int end, Reply reply) {
        wire.write(buffer, start, end);
        expect(reply);
    }

    /** Sends one message of our own. */
    public void send(byte[] message, Reply reply) {
        wire.write(message);
        expect(reply);
    }

    /** Sends bytes that have no reply of their own: CopyData, CopyDone, CopyFail, Flush. */
    public void sendPlain(ByteBuf bytes) {
        wire.write(bytes);
    }

    /** Sends bytes of a buffer that have no reply of their own; the caller keeps its reference. */
    public void sendPlain(ByteBuf buffer, int start, int end) {
        wire.write(buffer, start, end);
    }

    /** Asks for the replies that the server may hold back until the Sync. */
    public void flush() {
        wire.write(FLUSH);
    }

    /** Sends a part of a CopyData, the first one with its header. */
    public void sendPart(ByteBuf bytes, boolean last) {
        wire.write(bytes);
        sendingPart = !last;
    }

    /** Sends a simple Query of our own, which as any Query ends the unnamed statement. */
    public void query(String sql, Reply reply) {
        prepared.unnamed(null);
        byte[] text = sql.getBytes(StandardCharsets.UTF_8);
        ByteBuf message = wire.buffer(text.length + 6);
        message.writeByte('Q').writeInt(text.length + 5).writeBytes(text).writeByte(0);
        send(message, reply);
    }

    // ---- portals

    /** The present moment, for {@link #hasEndedTransactionSince}. */
    public int moment() {
        return readiesAsked;
    }

    /** True when the server has said that a transaction has ended, and with it its portals, for what was sent since. */
    public boolean hasEndedTransactionSince(int moment) {
        return lastIdle - moment > 0;
    }

    /** How often something else has taken the unnamed portal's place, or a Query has ended it. */
    public int unnamedPortalsEnded() {
        return unnamedPortalsEnded;
    }

    /** Notes that a Bind of our own takes the unnamed portal's place. */
    public void endUnnamedPortal() {
        unnamedPortalsEnded++;
    }

    /**
     * Makes the server give up what was sent since the last Sync: a Sync alone would commit it when no block is open.
     *
     * @param use of the error that comes back
     */
    public void spoilBatch(Reply.Use use) {
        send(EXECUTE_NOTHING, Reply.of(Reply.Step.EXECUTE, use));
    }

    private static byte[] executeNothing() {
        byte[] name = "trunkline: no such portal".getBytes(StandardCharsets.US_ASCII);
        byte[] frame = new byte[Frame.HEADER_BYTES + name.length + 1 + Integer.BYTES];
        frame[0] = 'E';
        Frame.putInt32(frame, 1, frame.length - 1);
        System.arraycopy(name, 0, frame, Frame.HEADER_BYTES, name.length);
        return frame;
    }

    /** Puts frames of our own between the server's, at the place where the queue now ends. */
    public void local(byte[] frames) {
        local(Reply.local(frames));
    }

    /** Puts a local reply between the server's; it is skipped like a message when the batch has failed. */
    public void local(Reply reply) {
        if (replies.isEmpty() && !skipping) {
            handler.forward(this, reply.localFrames());
            reply.listener().done();
        } else {
            expect(reply);
        }
    }

    private void expect(Reply reply) {
        if (reply.step() == Reply.Step.SYNC) {
            unsynced = 0;
            skipping = false;
        } else if (skipping) {
            reply.listener().skipped();
            return;
        } else if (reply.step() != Reply.Step.QUERY) {
            if (reply.step() != Reply.Step.LOCAL) {
                unsynced++;
            }
        }
        if (reply.endsWithReady()) {
            readiesAsked++;
            unnamedPortalsEnded += reply.step() == Reply.Step.QUERY ? 1 : 0;
        }
        if (replies.isEmpty()) {
            meter.begins();
        }
        meter.sent(reply);
        replies.add(reply);
    }

    /** The client ended the COPY: CopyDone or CopyFail was sent. */
    public void copyInEnded() {
        copyingIn = false;
        repeatSync();
    }

    private void repeatSync() {
        if (syncSwallowed) {
            syncSwallowed = false;
            wire.write(FixedRequests.SYNC);
        }
    }

    /** Asks the server to end the connection; it is gone when the handler hears that it is lost. */
    public void close() {
        if (!wire.isClosed() && !closing) {
            closing = true;
            wire.write(new byte[] {'X', 0, 0, 0, 4});
            wire.closeByPeer();
        }
    }

    // ---- frames from the server

    /** What is malformed in it, or brings out a bug of ours, costs this connection: what follows cannot be trusted. */
    @Override
    public void frame(byte type, ByteBuf buffer, int start, int end) {
        try {
            take(type, buffer, start, end);
        } catch (PgException malformed) {
            violation(malformed);
        } catch (RuntimeException bug) {
            LOG.error("internal error at a frame of type {} from {}", (char) type, address, bug);
            protocolFault();
        }
    }

    private void take(byte type, ByteBuf buffer, int start, int end) {
        switch (type) {
            case 'D', 'd', 'c', 'T', 't', '1', '2', '3', 'n', 's', 'I', 'C', 'G', 'H', 'V' ->
                result(type, buffer, start, end);
            case 'Z' -> ready(buffer, start, end);
            case 'E' -> error(buffer, start, end);
            case 'N', 'A' -> {
                handOverRun();
                handler.asynchronous(this, type, buffer, start, end);
            }
            case 'S' -> parameterStatus(buffer, start, end);
            default -> protocolFault();
        }
    }

    @Override
    public void part(byte type, ByteBuf buffer, int start, int end, boolean first, boolean last) {
        Reply reply = replies.peek();
        if (reply == null || (first && !Answers.fits(reply.step(), type))) {
            protocolFault();
        } else if (reply.use() == Reply.Use.HANDLE) {
            handOverRun();
            handler.part(this, reply, buffer, start, end, last);
        } else {
            relay(reply, type, buffer, start, end);
            relayingPart = !last && reply.use() != Reply.Use.SWALLOW;
        }
    }

    private void result(byte type, ByteBuf buffer, int start, int end) {
        Reply reply = replies.peek();
        if (reply == null || !Answers.fits(reply.step(), type)) {
            protocolFault();
            return;
        }
        byte[] instead = type == 'C' ? reply.commandCompleteInstead() : null;
        if (instead == null) {
            relay(reply, type, buffer, start, end);
        } else {
            handOverRun();
            handler.forward(this, instead);
        }
        if (type == 'C' && reply.use() != Reply.Use.SWALLOW) {
            meter.completed(buffer, start, end, copyingIn);
        }
        if (type == 'G') {
            beginCopyIn(reply);
        } else if (reply.step() == Reply.Step.QUERY) {
            resultOfQuery(reply, type, buffer, start, end);
        } else if (ends(reply.step(), type)) {
            copyingIn = false;
            switch (type) {
                case 'C' -> reply.commandCompleted(buffer, start, end);
                case 'T', 'n' -> reply.listener().described(type, buffer, start, end);
                default -> {}
            }
            complete(reply);
        }
    }

    private void resultOfQuery(Reply reply, byte type, ByteBuf buffer, int start, int end) {
        switch (type) {
            case 'D' -> {
                if (!described) {
                    protocolFault();
                }
            }
            case 'T' -> described = true;
            case 'C' -> {
                described = false;
                concluded = true;
                copyingIn = false;
                reply.commandCompleted(buffer, start, end);
            }
            case 'I', 'V' -> concluded = true;
            default -> {}
        }
    }

    /**
     * While it waits for CopyData the server ignores a Sync, such as the one sent along with the Execute: it is sent
     * again when the COPY has ended. Anything else that had been sent along would be taken for a breach of protocol.
     */
    private void beginCopyIn(Reply reply) {
        copyingIn = true;
        if (replies.size() > 1) {
            Iterator<Reply> behind = replies.iterator();
            behind.next();
            syncSwallowed = behind.next().step() == Reply.Step.SYNC;
            if (!syncSwallowed || behind.hasNext()) {
                protocolFault();
                return;
            }
        }
        handOverRun();
        handler.copyIn(this, reply);
    }

    private static boolean ends(Reply.Step step, byte type) {
        return switch (step) {
            case PARSE -> type == '1';
            case BIND -> type == '2';
            case DESCRIBE_STATEMENT, DESCRIBE_PORTAL -> type == 'T' || type == 'n';
            case EXECUTE -> type == 'C' || type == 'I' || type == 's';
            case CLOSE -> type == '3';
            case SYNC, QUERY, LOCAL -> false;
        };
    }

    private void complete(Reply reply) {
        replies.poll();
        reply.listener().done();
        emitLocal();
    }

    private void emitLocal() {
        Reply next = replies.peek();
        while (next != null && next.step() == Reply.Step.LOCAL) {
            handOverRun();
            replies.poll();
            handler.forward(this, next.localFrames());
            next.listener().done();
            next = replies.peek();
        }
    }

    private void relay(Reply reply, byte type, ByteBuf buffer, int start, int end) {
        switch (reply.use()) {
            case FORWARD, FORWARD_RESULT -> extendRun(buffer, start, end);
            case HANDLE -> {
                handOverRun();
                handler.frame(this, reply, type, buffer, start, end);
            }
            case SWALLOW -> {}
        }
    }

    private void extendRun(ByteBuf buffer, int start, int end) {
        if (runBuffer == buffer && runEnd == start) {
            runEnd = end;
        } else {
            handOverRun();
            runBuffer = buffer;
            runStart = start;
            runEnd = end;
        }
    }

    private void handOverRun() {
        ByteBuf buffer = runBuffer;
        if (buffer != null) {
            runBuffer = null;
            handler.forward(this, buffer, runStart, runEnd);
        }
    }

    private void ready(ByteBuf buffer, int start, int end) {
        Reply reply = replies.peek();
        if (reply == null || !reply.endsWithReady() || end - start != 6 || isUnfinished(reply)) {
            protocolFault();
            return;
        }
        described = false;
        concluded = false;
        TransactionStatus said = TransactionStatus.of(buffer.getByte(start + 5));
        replies.poll();
        copyingIn = false;
        if (replies.isEmpty() && reply.step() == Reply.Step.QUERY) {
            unsynced = 0; // a simple Query ends the batch before it as a Sync does
        }
        TransactionStatus before = status;
        status = said;
        readiesCome++;
        if (said == TransactionStatus.IDLE) {
            lastIdle = readiesCome;
        }
        meter.ready(reply, before, status, replies.isEmpty());
        if (reply.use() == Reply.Use.FORWARD) {
            extendRun(buffer, start, end);
        }
        handOverRun();
        reply.listener().done();
        handler.ready(this, reply, status);
        emitLocal();
    }

    /** Who took this for the end of the Query would take the rest of its answer for that to the next. */
    private boolean isUnfinished(Reply reply) {
        return reply.step() == Reply.Step.QUERY && !concluded;
    }

    private void error(ByteBuf buffer, int start, int end) {
        handOverRun();
        if (!ErrorFields.isWhole(buffer, start, end)) {
            protocolFault();
            return;
        }
        concluded = true;
        described = false;
        fatal = ErrorFields.isFatal(buffer, start, end);
        boolean stalePlan = ErrorFields.isStalePlan(buffer, start, end);
        if (stalePlan && leaveBatch()) {
            return;
        }
        // The next session, or the same one with its next lease, prepares its statements anew.
        resetNeeded |= stalePlan;
        copyingIn = false;
        repeatSync();
        meter.count(Measure.ERRORS);
        Reply reply = replies.peek();
        if (reply == null) {
            handler.error(this, Reply.of(Reply.Step.QUERY, Reply.Use.SWALLOW), buffer, start, end, fatal);
            return;
        }
        if (reply.use() == Reply.Use.HANDLE) {
            handler.frame(this, reply, (byte) 'E', buffer, start, end);
        } else {
            handler.error(this, reply, buffer, start, end, fatal);
        }
        reply.listener().failed();
        if (!reply.endsWithReady()) {
            skipToSync();
        }
    }

    /** True when the handler repairs the batch whose Bind the server has refused: it is ended without a word. */
    private boolean leaveBatch() {
        Reply refused = replies.peek();
        if (refused == null || refused.step() != Reply.Step.BIND || refused.use() != Reply.Use.FORWARD) {
            return false;
        }
        boolean synced = replies.peekLast().step() == Reply.Step.SYNC;
        if (!handler.repairs(this, refused, synced)) {
            return false;
        }
        refused.listener().failed();
        skipToSync();
        replies.poll();
        if (!synced) {
            wire.write(FixedRequests.SYNC);
        }
        expect(Reply.of(Reply.Step.SYNC, Reply.Use.SWALLOW, new Reply.Listener() {
            @Override
            public void done() {
                handler.repair(ServerConnection.this);
            }
        }));
        return true;
    }

    /** After an error the server skips the rest of the batch: what it owed for it will not come. */
    private void skipToSync() {
        replies.poll();
        Reply next = replies.peek();
        while (next != null && next.step() != Reply.Step.SYNC) {
            // A simple Query too: the server reads on for nothing but a Sync.
            replies.poll();
            next.listener().skipped();
            next = replies.peek();
        }
        skipping = next == null;
    }

    private void parameterStatus(ByteBuf buffer, int start, int end) {
        handOverRun();
        int nameStart = start + 5;
        int nameEnd = buffer.indexOf(nameStart, end, (byte) 0);
        int valueEnd = nameEnd < 0 ? -1 : buffer.indexOf(nameEnd + 1, end, (byte) 0);
        if (valueEnd != end - 1) {
            protocolFault();
            return;
        }
        String name = buffer.toString(nameStart, nameEnd - nameStart, StandardCharsets.UTF_8);
        String value = buffer.toString(nameEnd + 1, valueEnd - nameEnd - 1, StandardCharsets.UTF_8);
        parametersSum += sumOf(name, value) - sumOf(name, parameters.put(name, value));
        handler.parameterStatus(this, name, value);
    }

    @Override
    public void bufferEnd(ByteBuf buffer) {
        handOverRun();
    }

    private void protocolFault() {
        meter.count(Measure.OUT_OF_SYNC);
        violation(BackendErrors.unexpectedMessage(address));
    }

    @Override
    public void writabilityChanged(boolean writable) {
        handler.writabilityChanged(this, writable);
    }

    @Override
    public void violation(PgException fault) {
        wire.abort();
        closed(fault);
    }

    @Override
    public void closed(@Nullable Throwable cause) {
        if (!lost) {
            lost = true;
            runBuffer = null;
            handler.lost(this, cause);
            for (Reply reply = replies.poll(); reply != null; reply = replies.poll()) {
                reply.listener().lost();
            }
        }
    }

    @Override
    public String toString() {
        return address + " pid " + processId + " " + status + " owed " + replies;
    }
}
