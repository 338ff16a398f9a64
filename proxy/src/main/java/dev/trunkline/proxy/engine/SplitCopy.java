package dev.trunkline.proxy.engine;

import dev.trunkline.copy.format.CopyFormat;
import dev.trunkline.copy.format.CopyOptions;
import dev.trunkline.copy.format.KeyEncoding;
import dev.trunkline.copy.format.RowScanner;
import dev.trunkline.copy.split.CopySplitter;
import dev.trunkline.protocol.Frame;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.routing.Route;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.ShardingKey;
import dev.trunkline.routing.shard.CopyTarget;
import dev.trunkline.routing.shard.Lookup;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The data of a COPY FROM STDIN on its way to several shards: each row to the shard of its key, or every row to all of
 * them. Rows of one shard leave in batches, a few milliseconds after they have come at the latest. The client is not read while a server takes no more, or while a key is being verified. States:
 *
 * <ul>
 *   <li>STARTING: until every server waits for data; then the client is told, and it is READING.
 *   <li>WAITING: a key is being verified; then READING again, or ENDING.
 *   <li>ENDING: the client has ended its data, and what they rest on is looked at once more.
 *   <li>OVER: the servers have been told the end, or it has failed.
 * </ul>
 */
final class SplitCopy {

    private enum State {
        STARTING("starting"),
        READING("copying"),
        WAITING("verifying"),
        ENDING("ending"),
        OVER("finishing");

        private final String label;

        State(String label) {
            this.label = label;
        }
    }

    /** Hears that the COPY cannot go on. */
    interface Failure {
        void failed(Fault fault);
    }

    /** How long rows may wait for others to go with them. */
    private static final int LONGEST_GATHERING_MILLIS = 5;

    /** The most that is looked at in one go. */
    private static final int PIECE_BYTES = 256 * 1024;

    /** From this version on a backslash and a point alone on a line are data of the CSV format. */
    private static final int CSV_WITHOUT_MARKER = 180_000;

    private static final byte[] COPY_DONE = {'c', 0, 0, 0, 4};
    private static final byte[] BINARY_END = {'d', 0, 0, 0, 6, (byte) 0xFF, (byte) 0xFF};

    private final Session session;
    private final CopyTarget target;
    private final CopyOptions options;
    private final List<ServerConnection> servers;
    private final Failure failure;
    private final @Nullable CopyKeys keys;
    private final @Nullable CopySplitter splitter;
    private final @Nullable CopyContext context;
    private final MovingWords words;
    private final ShardBatches batches;
    private final CopyProgress progress;

    private State state = State.STARTING;
    private boolean blocked;
    private boolean sendingSoon;
    private int waiting;
    private byte @Nullable [] response;
    private byte[] piece = {};
    /** Bytes of a message that has not been looked at to its end. */
    private @Nullable ByteBuf rest;

    /** A COPY that is about to be sent; the map is what its own transaction has read of the lookup, if it has written it. */
    SplitCopy(
            Session session,
            Route.Copy copy,
            @Nullable KeyTranslation ownMap,
            List<ServerConnection> servers,
            Failure failure) {
        this.session = session;
        this.target = copy.target();
        this.options = CopyOptions.of(copy.options());
        this.servers = servers;
        this.failure = failure;
        this.progress = new CopyProgress(
                session,
                target.label(),
                options.format().name().toLowerCase(Locale.ROOT),
                () -> state.label,
                !target.isOmnisharded(),
                servers.stream().mapToInt(server -> server.address().shard()).toArray());
        this.batches = new ShardBatches(servers, progress);
        boolean csvMarker = target.serverVersion() < CSV_WITHOUT_MARKER;
        this.words = new MovingWords(target, options, csvMarker);
        if (target.isOmnisharded()) {
            keys = null;
            splitter = null;
            context = null;
        } else {
            keys = new CopyKeys(target, options, session.database().lookups(), ownMap);
            KeyEncoding encoding = encoding(session, options);
            splitter = new CopySplitter(
                    RowScanner.of(options, target.columns(), target.keyField(), csvMarker, encoding),
                    target.columns(),
                    servers.size(),
                    target.settings().mostHeldBytes(),
                    keys,
                    batches);
            context = new CopyContext(target.table(), options.format() == CopyFormat.BINARY, encoding, splitter);
        }
    }

    /**
     * Looks at a COPY before anything of it is sent.
     *
     * @throws PgException if it is refused
     */
    static void check(Session session, Route.Copy copy) {
        CopyTarget target = copy.target();
        CopyOptions options = CopyOptions.of(copy.options());
        if (target.isOmnisharded()) {
            return;
        }
        if (options.limitsIgnored()) {
            throw CopyErrors.rejectLimit();
        }
        StreamEncoding encoding = encoding(session, options);
        if (!encoding.isUtf8() && !options.isAscii()) {
            throw CopyErrors.optionsNotAscii();
        }
        if (target.shardingRule().lookup() == null) {
            return;
        }
        if (options.format() == CopyFormat.BINARY && !target.settings().translatesBinary()) {
            throw CopyErrors.binaryIntoTranslated(target);
        }
    }

    /** The lookup that the COPY translates by, if its transaction has written it; else -1. */
    static int ownLookup(Session session, Route.@Nullable Copy copy) {
        if (copy == null || copy.target().isOmnisharded()) {
            return -1;
        }
        Lookup lookup = copy.target().shardingRule().lookup();
        if (lookup == null || (session.transactions().lookupsWritten() & lookup.bit()) == 0) {
            return -1;
        }
        return lookup.index();
    }

    private static StreamEncoding encoding(Session session, CopyOptions options) {
        String client = session.reported().value("client_encoding");
        String own = options.encoding();
        return StreamEncoding.of(own != null ? own : client == null ? "UTF8" : client);
    }

    // ---- the beginning

    /** A server's CopyInResponse. */
    void response(int index, ByteBuf buffer, int start, int end) {
        byte[] frame = ByteBufUtil.getBytes(buffer, start, end - start);
        int format = frame[Frame.HEADER_BYTES];
        int columns = (frame[Frame.HEADER_BYTES + 1] & 0xFF) << Byte.SIZE | frame[Frame.HEADER_BYTES + 2] & 0xFF;
        boolean binary = options.format() == CopyFormat.BINARY;
        if (format != (binary ? 1 : 0) || columns != target.columns().size()) {
            fail(Fault.of(
                    EngineErrors.rowShapesDiffer(servers.get(index).address().shard())));
        }
        response = frame;
    }

    /** A server waits for data. When all do, the client is told. */
    void begun() {
        waiting++;
        byte[] frame = response;
        if (waiting == servers.size() && state == State.STARTING && frame != null) {
            state = State.READING;
            session.place().routes().copies().begun(progress);
            session.output(frame);
            session.copyIn(this);
        }
    }

    // ---- the client's data

    /** True while the client's messages are for this COPY, and can be taken. */
    boolean isReading() {
        return state == State.READING && !blocked;
    }

    /** The data of a CopyData, or a part of them. The caller keeps its reference. */
    void data(ByteBuf buffer, int start, int end) {
        if (state != State.READING) {
            return;
        }
        if (splitter == null) {
            toEveryShard(buffer, start, end);
        } else {
            rest = buffer.retainedSlice(start, end - start);
            goOn();
        }
    }

    /** Divides what has been received and is not looked at yet; stops where a key must be verified. */
    private void goOn() {
        ByteBuf left = rest;
        try {
            while (left != null && left.isReadable() && state == State.READING) {
                int length = Math.min(PIECE_BYTES, left.readableBytes());
                if (piece.length < length) {
                    piece = new byte[Math.max(length, Math.min(PIECE_BYTES, 2 * piece.length))];
                }
                left.readBytes(piece, 0, length);
                if (!divider().take(piece, 0, length)) {
                    verify(false);
                    return;
                }
            }
        } catch (PgException fault) {
            fail(placed(fault));
        }
        dropRest();
    }

    private void dropRest() {
        ByteBuf left = rest;
        if (left != null) {
            rest = null;
            left.release();
        }
    }

    private void toEveryShard(ByteBuf buffer, int start, int end) {
        try {
            if (!words.hasNothingToFind()) {
                byte[] bytes = ByteBufUtil.getBytes(buffer, start, end - start);
                words.check(bytes, bytes.length);
            }
        } catch (PgException fault) {
            fail(Fault.of(fault));
            return;
        }
        batches.relay(buffer, start, end);
    }

    private void countRows() {
        CopySplitter counting = splitter;
        if (counting != null) {
            for (int index = 0; index < servers.size(); index++) {
                progress.rows(index, counting.rowsOf(index));
            }
        }
    }

    /** What was received together has been worked off: the batches leave, full or not, unless more comes soon. */
    void flush() {
        if (state != State.READING) {
            return;
        }
        countRows();
        blocked = batches.isBlocked();
        if (!sendingSoon && batches.isPending()) {
            sendingSoon = true;
            session.loop().later(LONGEST_GATHERING_MILLIS, () -> session.guarded(this::sendGathered));
        }
    }

    private void sendGathered() {
        sendingSoon = false;
        if (state != State.OVER) {
            batches.sendAll();
            blocked = batches.isBlocked();
        }
    }

    /** A server takes bytes again. True when the client's messages can be taken again. */
    boolean unblocked() {
        if (!blocked || state != State.READING) {
            return false;
        }
        blocked = batches.isBlocked();
        return !blocked;
    }

    // ---- keys to be verified

    private void verify(boolean finishing) {
        state = State.WAITING;
        CopyKeys unknown = keys();
        if (unknown.isOwn()) {
            fail(context().ofKey(Fault.of(unknown.notMapped()), unknown.column()));
            return;
        }
        ask(List.of(unknown.missing()), verified -> {
            if (state != State.WAITING) {
                return;
            }
            try {
                unknown.found(verified);
                state = State.READING;
                if (!divider().resume()) {
                    verify(finishing);
                    return;
                }
            } catch (PgException fault) {
                fail(placed(fault));
                return;
            }
            if (finishing) {
                divided();
            } else {
                goOn();
                session.copyGoesOn();
            }
        });
    }

    private void ask(List<ShardingKey> wanted, Consumer<KeyTranslation> then) {
        session.routing()
                .await(
                        session.database().lookups().verify(keys().lookup(), wanted),
                        then,
                        fault -> fail(context().ofKey(fault, keys().column())));
    }

    // ---- the end

    /** CopyDone. */
    void done() {
        if (splitter == null) {
            endOmnisharded();
            return;
        }
        try {
            if (divider().finish()) {
                divided();
            } else {
                verify(true);
            }
        } catch (PgException fault) {
            fail(placed(fault));
        }
    }

    private void endOmnisharded() {
        try {
            words.finish();
        } catch (PgException fault) {
            fail(Fault.of(fault));
            return;
        }
        state = State.OVER;
        for (ServerConnection server : servers) {
            end(server, COPY_DONE);
        }
    }

    /** Every row is on its way; none must stay where it went by a mapping that has changed. */
    private void divided() {
        state = State.ENDING;
        CopyKeys used = keys();
        if (used.isCurrent()) {
            complete();
        } else if (used.isOwn()) {
            fail(Fault.of(CopyErrors.mappingChanged(target)));
        } else {
            ask(used.used(), verified -> {
                if (state == State.ENDING && used.holdsIn(verified)) {
                    complete();
                } else if (state == State.ENDING) {
                    fail(Fault.of(CopyErrors.mappingChanged(target)));
                }
            });
        }
    }

    private void complete() {
        state = State.OVER;
        for (int index = 0; index < servers.size(); index++) {
            batches.send(index);
            if (options.format() == CopyFormat.BINARY) {
                servers.get(index).sendPlain(Unpooled.wrappedBuffer(BINARY_END));
            }
            end(servers.get(index), COPY_DONE);
        }
    }

    /** CopyFail: every server says so. */
    void clientFailed(ByteBuf buffer, int start, int end) {
        state = State.OVER;
        batches.drop();
        byte[] frame = ByteBufUtil.getBytes(buffer, start, end - start);
        servers.forEach(server -> end(server, frame));
    }

    private static void end(ServerConnection server, byte[] frame) {
        if (server.isCopyingIn()) {
            server.sendPlain(Unpooled.wrappedBuffer(frame));
            server.copyInEnded();
        }
    }

    private void fail(Fault fault) {
        abandon();
        failure.failed(fault);
    }

    /** Nothing more is sent. */
    void abandon() {
        state = State.OVER;
        countRows();
        session.place().routes().copies().ended(progress);
        batches.drop();
        dropRest();
    }

    /** A server's error, as the client is to see it. */
    Fault asClientSees(Fault fault, int index) {
        CopyContext lines = context;
        return lines == null
                ? fault
                : lines.ofShard(fault, index, servers.get(index).address().shard());
    }

    private Fault placed(PgException fault) {
        return switch (fault.state()) {
            case BAD_COPY_FILE_FORMAT, PROGRAM_LIMIT_EXCEEDED -> context().here(Fault.of(fault));
            default -> context().ofKey(Fault.of(fault), keys().column());
        };
    }

    private CopyKeys keys() {
        return Objects.requireNonNull(keys);
    }

    private CopySplitter divider() {
        return Objects.requireNonNull(splitter);
    }

    private CopyContext context() {
        return Objects.requireNonNull(context);
    }
}
