package dev.trunkline.conf;

import java.util.List;

/**
 * Tables that hold the same rows on every shard. Names are exact and match in every schema.
 *
 * @param database the database that holds them
 * @param tables their names
 * @param sticky a client reads them on one shard for as long as it is connected, instead of on each in turn
 */
public record OmnishardedTables(
        String database,
        List<String> tables,
        @Default("false") boolean sticky) {

    public OmnishardedTables {
        tables = List.copyOf(tables);
    }
}
