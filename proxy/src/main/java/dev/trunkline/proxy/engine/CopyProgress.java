package dev.trunkline.proxy.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** How far one COPY FROM STDIN over several shards is; written and read on the loop of its session. */
final class CopyProgress {

    private final int client;
    private final String user;
    private final String table;
    private final String format;
    private final Supplier<String> state;
    private final boolean countsRows;
    private final int[] shards;
    private final long[] rows;
    private final long[] bytes;
    private final long begunNanos = System.nanoTime();

    /**
     * Of a COPY that begins.
     *
     * @param shards their numbers, in the order of the places
     */
    CopyProgress(
            Session session, String table, String format, Supplier<String> state, boolean countsRows, int[] shards) {
        this.client = session.processId();
        this.user = session.place().user();
        this.table = table;
        this.format = format;
        this.state = state;
        this.countsRows = countsRows;
        this.shards = shards;
        this.rows = new long[shards.length];
        this.bytes = new long[shards.length];
    }

    void sent(int place, long more) {
        bytes[place] += more;
    }

    void rows(int place, long count) {
        rows[place] = count;
    }

    CopyView view() {
        List<CopyView.Share> shares = new ArrayList<>();
        for (int place = 0; place < shards.length; place++) {
            shares.add(new CopyView.Share(shards[place], countsRows ? rows[place] : -1, bytes[place]));
        }
        return new CopyView(client, user, table, format, state.get(), System.nanoTime() - begunNanos, shares);
    }
}
