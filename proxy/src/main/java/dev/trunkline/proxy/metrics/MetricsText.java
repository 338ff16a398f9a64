package dev.trunkline.proxy.metrics;

import dev.trunkline.lookup.LookupStatus;
import dev.trunkline.proxy.engine.ClientView;
import dev.trunkline.proxy.engine.CopyCounters;
import dev.trunkline.proxy.engine.RouteCounters;
import dev.trunkline.proxy.measure.Measure;
import dev.trunkline.proxy.measure.Timing;
import dev.trunkline.proxy.metrics.Exposition.Type;
import dev.trunkline.proxy.pool.PoolView;
import dev.trunkline.proxy.pool.ServerView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** The numbers of an {@link Observation} as text for Prometheus. */
public final class MetricsText {

    private final Observation seen;
    private final long nanos;
    private final Exposition out;

    private MetricsText(Observation seen, long nanos, String prefix) {
        this.seen = seen;
        this.nanos = nanos;
        this.out = new Exposition(prefix);
    }

    /**
     * The text.
     *
     * @param nanos the present moment
     * @param prefix with which all names begin; may be empty
     */
    public static String of(Observation seen, long nanos, String prefix) {
        MetricsText text = new MetricsText(seen, nanos, prefix);
        text.process();
        text.pools();
        text.statements();
        text.copies();
        text.lookups();
        text.transactions();
        text.listening();
        return text.out.toString();
    }

    // ---- the process

    private void process() {
        out.single("clients", Type.GAUGE, "Clients connected, those on the way included.", seen.clientCount());
        out.single("clients_locked", Type.GAUGE, "Clients that keep their server connections.", locked());
        out.single(
                "max_connections",
                Type.GAUGE,
                "Clients that may be connected.",
                seen.configuration().general().maxClientConnections());
        out.single(
                "pools",
                Type.GAUGE,
                "Pools: one for each user, database and shard.",
                seen.pools().size());
        out.single("draining", Type.GAUGE, "1 while no client is accepted any more.", seen.isDraining() ? 1 : 0);
        out.single("prepared_statements", Type.GAUGE, "Prepared statements known by name.", seen.preparedCount());
        out.single("prepared_statements_memory_used", Type.GAUGE, "Bytes of their texts, about.", seen.preparedBytes());
        out.single(
                "prepared_statements_limit",
                Type.GAUGE,
                "Prepared statements kept on one server connection.",
                seen.configuration().general().preparedStatementsLimit());
        out.single(
                "query_cache_size",
                Type.GAUGE,
                "Route plans in the cache.",
                seen.plans().count());
        out.single(
                "query_cache_hits",
                Type.COUNTER,
                "Statements of a known shape.",
                seen.plans().hits());
        out.single(
                "query_cache_misses",
                Type.COUNTER,
                "Statements analysed anew.",
                seen.plans().misses());
    }

    private long locked() {
        return seen.clients().stream().filter(ClientView::isPinned).count();
    }

    // ---- pools

    private void pools() {
        pools("cl_waiting", Type.GAUGE, "Clients that wait for a connection.", PoolView::waiting);
        pools("sv_active", Type.GAUGE, "Connections at work.", pool -> pool.count(ServerView.State.ACTIVE));
        pools("sv_idle", Type.GAUGE, "Connections that wait for a client.", PoolView::idle);
        pools(
                "sv_idle_xact",
                Type.GAUGE,
                "Connections whose client is idle in a transaction.",
                pool -> pool.count(ServerView.State.IDLE_IN_TRANSACTION));
        pools("sv_total", Type.GAUGE, "Connections.", pool -> pool.servers().size());
        pools(
                "pool_size",
                Type.GAUGE,
                "Connections at most.",
                pool -> pool.limits().size());
        pools(
                "maxwait",
                Type.GAUGE,
                "Seconds that the first in line has waited.",
                pool -> pool.longestWaitNanos() / 1e9);
        pools(
                "pool_reachable",
                Type.GAUGE,
                "0 from a failed attempt to connect on.",
                pool -> pool.isReachable() ? 1 : 0);
        counter("errors", "Errors that servers have answered.", Measure.ERRORS);
        counter("out_of_sync", "Connections given up because the server broke the protocol.", Measure.OUT_OF_SYNC);
        counter("force_closed", "Connections closed while a client held them.", Measure.FORCE_CLOSED);
        for (Measure measure : Measure.values()) {
            if (measure != Measure.OUT_OF_SYNC && measure != Measure.FORCE_CLOSED) {
                String label = measure == Measure.ERRORS ? "server_errors" : measure.label();
                String unit = measure.isTime() ? " in microseconds." : ".";
                counter("total_" + label, "Since the start: " + label + unit, measure);
                pools(
                        "avg_" + label,
                        Type.GAUGE,
                        average(measure, label),
                        pool -> seen.averages().of(pool, measure, nanos));
            }
        }
        timings();
    }

    private static String average(Measure measure, String label) {
        Measure divisor = measure.divisor();
        return divisor == null
                ? "Per second of late: " + label + "."
                : "Microseconds of " + label + " per " + divisor.label() + " of late.";
    }

    private void counter(String name, String help, Measure measure) {
        pools(name, Type.COUNTER, help, pool -> pool.counters().shown(measure));
    }

    private void pools(String name, Type type, String help, ToDoubleFunction<PoolView> value) {
        out.family(name, type, help);
        for (PoolView pool : seen.pools()) {
            out.sample(name, labels(pool), value.applyAsDouble(pool));
        }
    }

    private static Map<String, String> labels(PoolView pool) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("user", pool.key().user());
        labels.put("database", pool.key().database());
        labels.put("host", pool.address().host());
        labels.put("port", Integer.toString(pool.address().port()));
        labels.put("shard", Integer.toString(pool.key().shard()));
        labels.put("role", "primary");
        return labels;
    }

    private void timings() {
        timing("wait_time_seconds", "How long clients waited for a connection.", Timing.WAIT);
        timing("query_time_seconds", "How long servers took for a request.", Timing.QUERY);
        timing("transaction_time_seconds", "How long transactions took.", Timing.TRANSACTION);
    }

    private void timing(String name, String help, Timing timing) {
        out.family(name, Type.HISTOGRAM, help);
        seen.timings()
                .forEach((database, timings) -> out.histogram(name, Map.of("database", database), timings.of(timing)));
    }

    // ---- statements

    private void statements() {
        routes("query_cache_direct", "Statements routed to one shard.", RouteCounters::directCount);
        routes("query_cache_cross", "Statements routed to several shards.", RouteCounters::crossCount);
        routes(
                "omni_divergence",
                "Writes to omnisharded tables that touched more rows on one shard than on another.",
                RouteCounters::divergentCount);
        out.family("statements_refused", Type.COUNTER, "Statements that no shard was asked, by SQLSTATE.");
        seen.routes()
                .forEach((database, counters) -> counters.refusedCounts().forEach((state, count) -> {
                    Map<String, String> labels = new LinkedHashMap<>();
                    labels.put("database", database);
                    labels.put("sqlstate", state);
                    out.sample("statements_refused", labels, count);
                }));
    }

    private void routes(String name, String help, ToLongFunction<RouteCounters> value) {
        out.family(name, Type.COUNTER, help);
        seen.routes()
                .forEach((database, counters) ->
                        out.sample(name, Map.of("database", database), value.applyAsLong(counters)));
    }

    // ---- COPY

    private void copies() {
        routes(
                "copies_total",
                "COPY FROM STDIN over several shards that has begun.",
                counters -> counters.copies().count());
        out.family("copies_running", Type.GAUGE, "Of them, those that have not ended.");
        seen.routes()
                .forEach((database, counters) -> out.sample(
                        "copies_running",
                        Map.of("database", database),
                        counters.copies().views().size()));
        copied("copy_rows_total", "Rows that they have sent, one shard each.", CopyCounters.Moved::rows);
        copied("copy_bytes_total", "Bytes that they have sent.", CopyCounters.Moved::bytes);
    }

    private void copied(String name, String help, ToLongFunction<CopyCounters.Moved> value) {
        out.family(name, Type.COUNTER, help);
        seen.routes()
                .forEach((database, counters) -> counters.copies().moved().forEach((shard, moved) -> {
                    Map<String, String> labels = new LinkedHashMap<>();
                    labels.put("database", database);
                    labels.put("shard", Integer.toString(shard));
                    out.sample(name, labels, value.applyAsLong(moved));
                }));
    }

    // ---- two-phase commit, LISTEN

    private void transactions() {
        if (seen.transactions().isEmpty()) {
            return;
        }
        out.family(
                "two_pc_recovered_total",
                Type.COUNTER,
                "Transactions of instances that were gone, brought to their end.");
        seen.transactions()
                .forEach((database, each) ->
                        out.sample("two_pc_recovered_total", Map.of("database", database), each.recovered()));
        out.family("two_pc_committing", Type.GAUGE, "Transactions that are being committed in two phases.");
        seen.transactions()
                .forEach((database, each) -> out.sample(
                        "two_pc_committing",
                        Map.of("database", database),
                        each.committing().size()));
    }

    private void listening() {
        listening(
                "pub_sub_listeners", Type.GAUGE, "Clients that listen, once for each channel.", each -> each.clients());
        listening("pub_sub_listener_received", Type.COUNTER, "Notifications from servers.", each -> each.received());
        listening(
                "pub_sub_listener_dropped",
                Type.COUNTER,
                "Of them, those that a client was too slow for.",
                each -> each.dropped());
    }

    private void listening(String name, Type type, String help, ToLongFunction<Observation.Listening> value) {
        out.family(name, type, help);
        seen.listening()
                .forEach((database, each) -> out.sample(name, Map.of("database", database), value.applyAsLong(each)));
    }

    // ---- lookups

    private interface LookupValue {
        double of(LookupStatus status, long translations);
    }

    private void lookups() {
        lookup("cache_entries", Type.GAUGE, "Keys in the map.", (map, asked) -> map.entries());
        lookup("cache_bytes", Type.GAUGE, "Bytes of the map, about.", (map, asked) -> map.bytes());
        lookup(
                "age_seconds",
                Type.GAUGE,
                "Age of the map; -1 if none is there.",
                (map, asked) -> map.ageMillis() < 0 ? -1 : map.ageMillis() / 1e3);
        lookup("generation", Type.GAUGE, "Raised by each invalidation.", (map, asked) -> map.generation());
        lookup(
                "writes_paused",
                Type.GAUGE,
                "1 while writes of the table are refused.",
                (map, asked) -> map.paused() ? 1 : 0);
        lookup(
                "last_load_seconds",
                Type.GAUGE,
                "How long the last load took.",
                (map, asked) -> map.lastLoadMillis() / 1e3);
        lookup(
                "cache_hits",
                Type.COUNTER,
                "Statements whose keys were in the map.",
                (map, asked) -> Math.max(0, asked - map.misses()));
        lookup("cache_misses", Type.COUNTER, "Statements with a key that was not.", (map, asked) -> map.misses());
        lookup("queries", Type.COUNTER, "Reads of single keys.", (map, asked) -> map.probes());
        lookup("loads", Type.COUNTER, "Reads of the whole table.", (map, asked) -> map.loads());
        lookup("load_errors", Type.COUNTER, "Of them, failed.", (map, asked) -> map.loadErrors());
        lookup("load_rejected", Type.COUNTER, "Of them, overtaken by a write.", (map, asked) -> map.rejectedLoads());
        lookup("waits", Type.COUNTER, "Statements that waited for the map.", (map, asked) -> map.misses());
        lookup("wait_timeouts", Type.COUNTER, "Of them, in vain.", (map, asked) -> map.timeouts());
        lookup(
                "unmapped",
                Type.COUNTER,
                "Statements refused because a key has no row.",
                (map, asked) -> map.unmapped());
        lookup(
                "own_reads",
                Type.COUNTER,
                "Reads by transactions on their own connections.",
                (map, asked) -> map.own().reads());
        lookup(
                "own_hits",
                Type.COUNTER,
                "Statements translated by what their transaction has read itself.",
                (map, asked) -> map.own().hits());
        lookup(
                "own_misses",
                Type.COUNTER,
                "Statements refused because their transaction has found no row itself.",
                (map, asked) -> map.own().misses());
        lookup(
                "invalidations",
                Type.COUNTER,
                "Maps forgotten because of a write or a flush.",
                (map, asked) -> map.invalidations());
    }

    private void lookup(String name, Type type, String help, LookupValue value) {
        String full = "sharding_lookup_" + name;
        out.family(full, type, help);
        seen.lookups().forEach((database, maps) -> samples(full, database, maps, value));
    }

    private void samples(String name, String database, List<LookupStatus> maps, LookupValue value) {
        RouteCounters counters = seen.routes().get(database);
        for (int i = 0; i < maps.size(); i++) {
            Map<String, String> labels = new LinkedHashMap<>();
            labels.put("database", database);
            labels.put("table", maps.get(i).table());
            labels.put("column", maps.get(i).column());
            out.sample(name, labels, value.of(maps.get(i), counters == null ? 0 : counters.translations(i)));
        }
    }
}
