package dev.trunkline.proxy.engine;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows of several shards on their way to one client: whole, one after the other, as they come or in an order. Knows
 * the shards by their places in the statement. Only on the session's event loop.
 */
final class MergedRows {

    private static final int NOBODY = -1;

    /** Bytes of a row, in the end its last ones. */
    private record Piece(ByteBuf bytes, boolean endsRow) {}

    private final Session session;
    private final List<Integer> order;
    private final List<ArrayDeque<Piece>> waiting = new ArrayList<>();
    private final boolean[] incomplete;
    private final boolean[] ended;
    private int turn;
    private int within = NOBODY;
    private boolean stopped;

    /**
     * No rows yet.
     *
     * @param order whose row is the first, the second and so on; a shard that has ended without it is passed over.
     *     Empty: as they come
     */
    MergedRows(Session session, int shards, List<Integer> order) {
        this.session = session;
        this.order = order;
        this.incomplete = new boolean[shards];
        this.ended = new boolean[shards];
        for (int i = 0; i < shards; i++) {
            waiting.add(new ArrayDeque<>(0));
        }
    }

    /** Takes bytes of a row, which are released when they have been sent. */
    void take(int from, ByteBuf bytes, boolean endsRow) {
        incomplete[from] = !endsRow;
        waiting.get(from).add(new Piece(bytes, endsRow));
        send();
    }

    /** No more rows come from this shard. */
    void ended(int from) {
        ended[from] = true;
        send();
    }

    /** True when the last bytes from this shard did not end a row. */
    boolean isIncomplete(int from) {
        return incomplete[from];
    }

    /** True when the client has begun to read a row of this shard: it must get the rest of it. */
    boolean isWithinRowOf(int from) {
        return within == from;
    }

    /** The shard in whose row the client is; negative if it has got whole rows only. */
    int within() {
        return within;
    }

    /** The client gets no more rows, but the rest of the one that it has begun to read. */
    void stop() {
        stopped = true;
        if (within == NOBODY) {
            drop();
        }
    }

    /** Forgets what waits. */
    void drop() {
        for (ArrayDeque<Piece> pieces : waiting) {
            pieces.forEach(piece -> piece.bytes.release());
            pieces.clear();
        }
    }

    private void send() {
        for (int from = next(); from != NOBODY; from = next()) {
            Piece piece = waiting.get(from).remove();
            session.output(piece.bytes);
            within = piece.endsRow ? NOBODY : from;
            if (piece.endsRow) {
                turn++;
                if (stopped) {
                    drop();
                }
            }
        }
    }

    /** Whose bytes go out next; nobody's when those that must come first are not there yet. */
    private int next() {
        if (within != NOBODY) {
            return waiting.get(within).isEmpty() ? NOBODY : within;
        }
        while (turn < order.size()) {
            int first = order.get(turn);
            if (!waiting.get(first).isEmpty()) {
                return first;
            } else if (!ended[first]) {
                return NOBODY;
            }
            turn++;
        }
        for (int from = 0; from < waiting.size(); from++) {
            if (!waiting.get(from).isEmpty()) {
                return from;
            }
        }
        return NOBODY;
    }
}
