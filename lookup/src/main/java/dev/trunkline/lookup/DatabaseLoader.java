package dev.trunkline.lookup;

import dev.trunkline.lookup.source.LookupSource;
import io.vertx.core.Future;
import java.util.List;

/** The loaders of one database's maps and the connections that they share. Only on the loader's event loop. */
final class DatabaseLoader {

    private final LookupSource source;
    private final List<MapLoader> loaders;

    DatabaseLoader(Lookups lookups, LookupSource source, Timers timers, Offload offload) {
        this.source = source;
        loaders = lookups.all().stream()
                .map(lookup -> new MapLoader(lookup, source, lookups.options(), timers, offload))
                .toList();
    }

    MapLoader loader(SharedLookup lookup) {
        return loaders.get(lookup.definition().index());
    }

    Future<Void> close() {
        loaders.forEach(MapLoader::close);
        return source.close();
    }
}
