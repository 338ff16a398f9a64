package dev.trunkline.lookup;

import dev.trunkline.lookup.map.LookupMap;
import dev.trunkline.lookup.map.LookupMapBuilder;
import dev.trunkline.lookup.source.LookupQuery;
import dev.trunkline.lookup.source.LookupSource;
import dev.trunkline.lookup.source.ProbeAnswer;
import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A server whose reads a test sends, lets take their snapshot and answers, step by step. */
final class FakeSource implements LookupSource {

    /** The rows of the lookup table that are committed on shard 0. */
    final Map<ShardingKey, ShardingKey> table = new HashMap<>();

    /** Reads that have not been answered. */
    final List<Read> reads = new ArrayList<>();

    int loadCount;
    int probeCount;

    @Override
    public Future<LookupMap> load(LookupQuery query, Runnable sending) {
        loadCount++;
        Promise<LookupMap> promise = Promise.promise();
        reads.add(new Read(null, sending) {
            @Override
            void complete(Map<ShardingKey, ShardingKey> rows) {
                LookupMapBuilder builder = LookupMapBuilder.of(KeyType.VARCHAR, Long.MAX_VALUE);
                rows.forEach(builder::put);
                promise.complete(builder.build());
            }

            @Override
            void completeExceptionally(Throwable cause) {
                promise.fail(cause);
            }
        });
        return promise.future();
    }

    @Override
    public Future<ProbeAnswer> probe(LookupQuery query, List<ShardingKey> keys, Runnable sending) {
        probeCount++;
        Promise<ProbeAnswer> promise = Promise.promise();
        reads.add(new Read(keys, sending) {
            @Override
            void complete(Map<ShardingKey, ShardingKey> rows) {
                rows.keySet().retainAll(keys);
                promise.complete(new ProbeAnswer(rows, Map.of()));
            }

            @Override
            void completeExceptionally(Throwable cause) {
                promise.fail(cause);
            }
        });
        return promise.future();
    }

    @Override
    public Future<Void> close() {
        return Future.succeededFuture();
    }

    Read theLoad() {
        return reads.stream().filter(read -> read.keys == null).findFirst().orElseThrow();
    }

    Read theProbe() {
        return reads.stream().filter(read -> read.keys != null).findFirst().orElseThrow();
    }

    /** A read under way. */
    abstract class Read {

        final List<ShardingKey> keys;
        private final Runnable sending;
        private boolean sent;
        private Map<ShardingKey, ShardingKey> snapshot;

        Read(List<ShardingKey> keys, Runnable sending) {
            this.keys = keys;
            this.sending = sending;
        }

        /** The query goes out. */
        Read send() {
            sent = true;
            sending.run();
            return this;
        }

        /** The server takes the snapshot. */
        Read see() {
            snapshot = new HashMap<>(table);
            return this;
        }

        /** The rows arrive. */
        void answer() {
            reads.remove(this);
            complete(new HashMap<>(snapshot));
        }

        /** All three at once. */
        void run() {
            send().see().answer();
        }

        void fail(Throwable cause) {
            reads.remove(this);
            completeExceptionally(cause);
        }

        /** The next of the three steps. */
        void step() {
            if (!sent) {
                send();
            } else if (snapshot == null) {
                see();
            } else {
                answer();
            }
        }

        abstract void complete(Map<ShardingKey, ShardingKey> rows);

        abstract void completeExceptionally(Throwable cause);
    }
}
