package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.Frame;
import dev.trunkline.proxy.backend.Reply;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the messages of a batch from its first Bind on, until the server has taken that Bind. A statement that others
 * have prepared may be stale there: a definition has changed, and PostgreSQL refuses a result of another shape
 * (RevalidateCachedQuery in its plancache.c). A client that has just parsed the statement would not hear of that on a
 * connection of its own, so it is prepared anew and the batch is sent once more. Nothing of it has run by then.
 *
 * <p>Only outside of a block, and only while nothing is sent behind the batch: elsewhere the error stands, as it would
 * for a client that has parsed before the change.
 */
final class BatchRepair implements Reply.Listener {

    /** More than this is not kept: the error stands then. */
    private static final int MAX_BYTES = 1 << 20;

    private static final int MAX_MESSAGES = 64;

    /**
     * A client's message: the range of a buffer in which it came.
     *
     * @param owner it holds the reference to the buffer, also for those behind it that came in the same one
     */
    record Kept(byte type, ByteBuf buffer, int start, int end, boolean owner) {
        boolean isDescribeOfPortal() {
            return type == 'D' && end - start > Frame.HEADER_BYTES && buffer.getByte(start + Frame.HEADER_BYTES) == 'P';
        }

        void release() {
            if (owner) {
                buffer.release();
            }
        }
    }

    private final List<Kept> kept = new ArrayList<>(0);
    private @Nullable ClientStatement statement;
    private int bytes;
    private boolean complete;
    private boolean underWay;

    /** Begins to keep messages; the Bind of this statement is the first of them. */
    void begin(ClientStatement bound) {
        statement = bound;
        complete = false;
        bytes = 0;
    }

    boolean isKeeping() {
        return statement != null;
    }

    /** Keeps one message; what comes behind the Sync must not be overtaken, so there is no repair any more. */
    void keep(byte type, ByteBuf buffer, int start, int end) {
        bytes += end - start;
        if (complete || bytes > MAX_BYTES || kept.size() == MAX_MESSAGES) {
            forget();
            return;
        }
        boolean owner = kept.isEmpty() || kept.get(kept.size() - 1).buffer != buffer;
        kept.add(new Kept(type, owner ? buffer.retain() : buffer, start, end, owner));
        complete = type == 'S';
    }

    /** The client learns what the rows of the statement look like now, or has never been told before. */
    boolean isSafe() {
        return statement().told() == null || kept.size() > 1 && kept.get(1).isDescribeOfPortal();
    }

    /** The batch's Sync is among what is kept. */
    boolean isComplete() {
        return complete;
    }

    /** The server is leaving the batch that will be sent once more. */
    boolean isUnderWay() {
        return underWay;
    }

    void start() {
        underWay = true;
    }

    /** The statement to prepare anew. */
    ClientStatement statement() {
        ClientStatement stale = statement;
        if (stale == null) {
            throw new IllegalStateException("no batch to repair");
        }
        return stale;
    }

    /** The messages to send once more, in their order; the caller releases them. */
    List<Kept> take() {
        List<Kept> again = new ArrayList<>(kept);
        kept.clear();
        forget();
        return again;
    }

    /** Keeps nothing any more. */
    void forget() {
        for (int i = 0; i < kept.size(); i++) {
            kept.get(i).release();
        }
        kept.clear();
        statement = null;
        underWay = false;
    }

    // ---- what became of the Bind

    @Override
    public void done() {
        forget();
    }

    @Override
    public void failed() {
        if (!underWay) {
            forget();
        }
    }

    @Override
    public void skipped() {
        forget();
    }
}
