package dev.trunkline.lookup.source;

import dev.trunkline.lookup.map.LookupMap;
import dev.trunkline.lookup.map.LookupMapBuilder;
import dev.trunkline.lookup.map.MapFault;
import dev.trunkline.routing.key.ShardingKey;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Row;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Builds a map from rows as they arrive. The event loop only gathers them in chunks; a worker thread turns chunks into
 * entries. If the worker falls behind, the event loop lends a hand, which holds up the server by way of TCP.
 *
 * <p>Called by one event loop; the builder is locked, because two threads may be at it.
 */
final class MapAssembly {

    private static final int CHUNK_ROWS = 4096;

    /** At 200 bytes per row, ten megabytes wait at most. */
    private static final int MAX_PENDING_CHUNKS = 12;

    private final Vertx vertx;
    private final Context context;
    private final RowReader reader;
    private final LookupMapBuilder builder;
    private final Consumer<MapFault> whenFaulty;
    private final AtomicInteger pending = new AtomicInteger();
    /** Succeeds when every chunk has become entries. */
    private Future<Void> chunks = Future.succeededFuture();

    private @Nullable String[] chunk = new @Nullable String[2 * CHUNK_ROWS];
    private int filled;
    private volatile @Nullable MapFault fault;

    /**
     * An assembly without rows.
     *
     * @param whenFaulty told soon, on this event loop, when the rows cannot become a map
     */
    MapAssembly(Vertx vertx, LookupQuery query, Consumer<MapFault> whenFaulty) {
        this.vertx = vertx;
        context = vertx.getOrCreateContext();
        this.whenFaulty = whenFaulty;
        reader = new RowReader(query);
        builder = LookupMapBuilder.of(query.type(), query.maxBytes());
    }

    /** Takes a row of two text columns. */
    void add(Row row) {
        if (fault != null) {
            return;
        }
        chunk[filled++] = row.getString(0);
        chunk[filled++] = row.getString(1);
        if (filled == chunk.length) {
            handOver();
        }
    }

    /** The map of all rows; fails with a MapFault. */
    Future<LookupMap> finish() {
        if (chunks.succeeded() && pending.get() == 0) {
            enter(chunk, filled);
            return build(builder.size() <= CHUNK_ROWS);
        }
        handOver();
        return chunks.compose(done -> build(false));
    }

    private Future<LookupMap> build(boolean atOnce) {
        MapFault found = fault;
        if (found != null) {
            return Future.failedFuture(found);
        }
        return atOnce ? Future.succeededFuture(builder.build()) : vertx.executeBlocking(this::buildLocked);
    }

    private synchronized LookupMap buildLocked() {
        return builder.build();
    }

    private void handOver() {
        @Nullable String[] full = chunk;
        int length = filled;
        chunk = new @Nullable String[2 * CHUNK_ROWS];
        filled = 0;
        if (pending.get() >= MAX_PENDING_CHUNKS) {
            enter(full, length);
            return;
        }
        pending.incrementAndGet();
        Future<Void> before = chunks;
        Future<Void> entered = vertx.executeBlocking(() -> {
            enter(full, length);
            pending.decrementAndGet();
            return null;
        });
        chunks = entered.compose(done -> before);
    }

    private synchronized void enter(@Nullable String[] rows, int length) {
        if (fault != null) {
            return;
        }
        try {
            for (int i = 0; i < length; i += 2) {
                ShardingKey key = reader.key(rows[i]);
                if (key != null) {
                    builder.put(key, reader.value(key, rows[i + 1]));
                }
            }
        } catch (MapFault found) {
            fault = found;
            context.runOnContext(back -> whenFaulty.accept(found));
        }
    }
}
