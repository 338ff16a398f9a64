package dev.trunkline.proxy.admin;

import dev.trunkline.protocol.Frame;
import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.TransactionStatus;
import dev.trunkline.protocol.backend.ErrorResponse;
import dev.trunkline.protocol.backend.FixedFrames;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.ProtocolErrors;
import dev.trunkline.protocol.error.Severity;
import dev.trunkline.proxy.net.FrameSink;
import dev.trunkline.proxy.net.Loop;
import dev.trunkline.proxy.net.WireChannel;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client of the admin database: takes its messages one after the other, each when the one before it has been carried
 * out. Lives on one event loop.
 */
final class AdminSession implements FrameSink {

    /** What drivers take for the version of the server; they cut it off at the first blank. */
    static final String SERVER_VERSION = "15.0 (Trunkline)";

    private static final Logger LOG = LoggerFactory.getLogger(AdminSession.class);

    /** Messages that may wait before the client's socket is no longer read. */
    private static final int QUEUE_BOUND = 64;

    private record Message(byte type, byte[] frame) {}

    private final Loop loop;
    private final WireChannel client;
    private final Commands commands;
    private final AdminExtended extended;
    private final ArrayDeque<Message> queue = new ArrayDeque<>();
    private boolean busy;
    private boolean skipping;
    private TransactionStatus status = TransactionStatus.IDLE;

    AdminSession(Loop loop, WireChannel client, Commands commands) {
        this.loop = loop;
        this.client = client;
        this.commands = commands;
        this.extended = new AdminExtended(commands, this::write, this::onLoop);
    }

    // ---- messages

    @Override
    public void frame(byte type, ByteBuf buffer, int start, int end) {
        queue.add(new Message(type, ByteBufUtil.getBytes(buffer, start, end - start)));
        work();
    }

    private void work() {
        while (!busy && !client.isClosed()) {
            Message next = queue.poll();
            if (next == null) {
                break;
            }
            carryOut(next);
        }
        client.reading(queue.size() < QUEUE_BOUND);
    }

    private void carryOut(Message message) {
        if (skipping && message.type != 'S' && message.type != 'X') {
            return;
        }
        busy = true;
        Future<Void> done;
        try {
            done = handle(message);
        } catch (RuntimeException fault) {
            done = Future.failedFuture(fault);
        }
        if (done.isComplete()) {
            ended(message, done.cause());
        } else {
            Future<Void> waited = done;
            var unused = waited.onComplete(result -> loop.run(() -> {
                ended(message, result.cause());
                work();
            }));
        }
    }

    private Future<Void> handle(Message message) {
        byte[] frame = message.frame;
        int body = Frame.HEADER_BYTES;
        int length = frame.length - body;
        switch (message.type) {
            case 'Q' -> {
                return query(AdminExtended.text(frame, body, length));
            }
            case 'P' -> extended.parse(frame, body, length);
            case 'B' -> extended.bind(frame, body, length);
            case 'D' -> extended.describe(frame, body, length);
            case 'E' -> {
                return extended.execute(frame, body, length)
                        .onSuccess(this::track)
                        .mapEmpty();
            }
            case 'C' -> extended.close(frame, body, length);
            case 'H', 'd', 'c', 'f' -> {}
            case 'S' -> {
                skipping = false;
                ready();
            }
            case 'X' -> client.close();
            default -> throw ProtocolErrors.unexpectedMessage(message.type);
        }
        return Future.succeededFuture();
    }

    private void ended(Message message, @Nullable Throwable fault) {
        busy = false;
        if (fault == null) {
            return;
        }
        PgException error = fault instanceof PgException known ? known : internal(fault);
        FrameWriter out = new FrameWriter();
        ErrorResponse.of(error).encode(out);
        write(out.toByteArray());
        if (error.severity() == Severity.FATAL) {
            client.close();
        } else if (message.type == 'Q') {
            ready();
        } else {
            skipping = message.type != 'S';
        }
    }

    private static PgException internal(Throwable bug) {
        String id = Long.toHexString(System.nanoTime());
        LOG.error("internal error {} in a session of the admin database", id, bug);
        return ProtocolErrors.internal(id).withSeverity(Severity.ERROR);
    }

    // ---- the simple protocol

    private Future<Void> query(String text) {
        List<Command> read = commands.read(text);
        if (read.isEmpty()) {
            write(FixedFrames.EMPTY_QUERY_RESPONSE);
            ready();
            return Future.succeededFuture();
        }
        return run(read, 0);
    }

    private Future<Void> run(List<Command> list, int index) {
        if (index == list.size()) {
            ready();
            return Future.succeededFuture();
        }
        Command command = list.get(index);
        return onLoop(command).compose(result -> {
            write(AdminExtended.rows(command.columns(), result));
            track(result);
            return run(list, index + 1);
        });
    }

    /** Carries a command out; completes on the session's loop. */
    private Future<Command.Result> onLoop(Command command) {
        Promise<Command.Result> done = Promise.promise();
        var unused = command.run().onComplete(result -> loop.run(() -> done.handle(result)));
        return done.future();
    }

    /** Follows the client's own transactions, in which nothing happens. */
    private void track(Command.Result result) {
        switch (result.tag()) {
            case "BEGIN", "START TRANSACTION" -> status = TransactionStatus.IN_TRANSACTION;
            case "COMMIT", "ROLLBACK", "DISCARD ALL" -> status = TransactionStatus.IDLE;
            default -> {}
        }
    }

    private void ready() {
        write(FixedFrames.readyForQuery(status));
    }

    private void write(byte[] frames) {
        client.write(frames);
    }

    // ---- the rest of the channel

    @Override
    public void part(byte type, ByteBuf buffer, int start, int end, boolean first, boolean last) {}

    @Override
    public void bufferEnd(ByteBuf buffer) {}

    @Override
    public void writabilityChanged(boolean writable) {}

    @Override
    public void violation(PgException fault) {
        FrameWriter out = new FrameWriter();
        ErrorResponse.of(fault.withSeverity(Severity.FATAL)).encode(out);
        write(out.toByteArray());
        client.close();
    }

    @Override
    public void closed(@Nullable Throwable cause) {
        queue.clear();
    }
}
