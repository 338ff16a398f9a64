package dev.trunkline.lookup;

import dev.trunkline.lookup.source.LookupQuery;
import dev.trunkline.lookup.source.PgLookupSource;
import dev.trunkline.lookup.source.QueryReads;
import dev.trunkline.lookup.source.ReadForm;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;

/** The loaders of one database's maps and the connections that they share. Only on the loader's event loop. */
final class DatabaseLoader {

    private final Lookups lookups;
    private final PgLookupSource source;
    private final Timers timers;
    private final List<MapLoader> loaders;

    DatabaseLoader(Lookups lookups, PgLookupSource source, Timers timers, Offload offload) {
        this.lookups = lookups;
        this.source = source;
        this.timers = timers;
        source.whenDescribed(this::described);
        loaders = lookups.all().stream()
                .map(lookup -> new MapLoader(lookup, source, lookups.options(), timers, offload))
                .toList();
    }

    MapLoader loader(SharedLookup lookup) {
        return loaders.get(lookup.definition().index());
    }

    Future<Void> pauseWrites(SharedLookup lookup, Duration timeout) {
        long deadline = timers.nanoTime() + timeout.toNanos();
        return new WritePause(lookup, loader(lookup), timers).pause(deadline);
    }

    /** What a lookup's query rests on; fails with a PgException. */
    Future<QueryReads> reads(SharedLookup lookup) {
        return told(lookup, source.reads(query(lookup)));
    }

    /** How a lookup's query is read on other connections; fails with a PgException. */
    Future<ReadForm> form(SharedLookup lookup) {
        ReadForm known = lookup.form();
        return known != null ? Future.succeededFuture(known) : told(lookup, source.describe(query(lookup)));
    }

    private static <T> Future<T> told(SharedLookup lookup, Future<T> read) {
        return read.recover(cause ->
                Future.failedFuture(LoadFailure.of(lookup.definition(), cause).error()));
    }

    private LookupQuery query(SharedLookup lookup) {
        return lookup.definition().query(lookups.options());
    }

    private void described(LookupQuery query, ReadForm form) {
        lookups.all().stream().filter(lookup -> query(lookup).equals(query)).forEach(lookup -> lookup.form(form));
    }

    Future<Void> close() {
        loaders.forEach(MapLoader::close);
        return source.close();
    }
}
