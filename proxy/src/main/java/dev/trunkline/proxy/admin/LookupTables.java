package dev.trunkline.proxy.admin;

import dev.trunkline.lookup.LookupStatus;
import dev.trunkline.proxy.engine.RouteCounters;
import dev.trunkline.proxy.metrics.Observation;
import java.util.List;
import java.util.Locale;

/** SHOW LOOKUPS. */
final class LookupTables {

    static final List<String> LOOKUPS = List.of(
            "database",
            "table",
            "column",
            "lookup",
            "state",
            "generation",
            "entries",
            "bytes",
            "loaded_at",
            "age_ms",
            "loads",
            "load_errors",
            "hits",
            "misses",
            "reloads",
            "waits",
            "wait_timeouts",
            "invalidations",
            "writes_paused",
            "unmapped",
            "probes",
            "load_rejected",
            "last_load_ms",
            "last_error",
            "writers",
            "own_reads",
            "own_hits",
            "own_misses");

    private LookupTables() {}

    static Table lookups(Observation seen) {
        Table.Builder table = new Table.Builder(LOOKUPS);
        seen.lookups().forEach((database, maps) -> {
            RouteCounters counters = seen.routes().get(database);
            for (int i = 0; i < maps.size(); i++) {
                row(table, maps.get(i), counters == null ? 0 : counters.translations(i));
            }
        });
        return table.build();
    }

    private static void row(Table.Builder table, LookupStatus map, long asked) {
        boolean isThere = map.ageMillis() >= 0;
        table.row(
                map.database(),
                "*",
                map.column(),
                map.table(),
                map.state().name().toLowerCase(Locale.ROOT),
                map.generation(),
                map.entries(),
                map.bytes(),
                isThere ? Moments.ago(map.ageMillis() * 1_000_000) : null,
                isThere ? map.ageMillis() : null,
                map.loads(),
                map.loadErrors(),
                Math.max(0, asked - map.misses()),
                map.misses(),
                Math.max(0, map.loads() - 1),
                map.misses(),
                map.timeouts(),
                map.invalidations(),
                PoolTables.flag(map.paused()),
                map.unmapped(),
                map.probes(),
                map.rejectedLoads(),
                map.lastLoadMillis(),
                map.lastError(),
                map.writers(),
                map.own().reads(),
                map.own().hits(),
                map.own().misses());
    }
}
