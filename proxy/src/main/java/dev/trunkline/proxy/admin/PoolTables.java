package dev.trunkline.proxy.admin;

import dev.trunkline.proxy.measure.Measure;
import dev.trunkline.proxy.measure.Timing;
import dev.trunkline.proxy.measure.Timings;
import dev.trunkline.proxy.metrics.Observation;
import dev.trunkline.proxy.pool.PoolView;
import dev.trunkline.proxy.pool.ServerView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** SHOW POOLS, SERVERS, STATS and LISTS. A pool's number is its place in the sorted list of pools. */
final class PoolTables {

    static final List<String> POOLS = List.of(
            "id",
            "database",
            "user",
            "addr",
            "port",
            "shard",
            "role",
            "cl_waiting",
            "sv_idle",
            "sv_active",
            "sv_idle_xact",
            "sv_total",
            "maxwait",
            "maxwait_us",
            "pool_mode",
            "paused",
            "banned",
            "healthy",
            "errors",
            "re_synced",
            "out_of_sync",
            "force_closed",
            "online",
            "schema_admin");

    static final List<String> SERVERS = List.of(
            "pool_id",
            "database",
            "user",
            "addr",
            "port",
            "state",
            "connect_time",
            "request_time",
            "remote_pid",
            "client_id",
            "transactions",
            "queries",
            "rollbacks",
            "prepared_statements",
            "healthchecks",
            "errors",
            "bytes_received",
            "bytes_sent",
            "last_sent",
            "last_received",
            "age",
            "application_name");

    static final List<String> LISTS = List.of(
            "databases",
            "users",
            "pools",
            "used_clients",
            "free_clients",
            "free_servers",
            "used_servers",
            "shards",
            "lookups",
            "prepared_statements",
            "query_cache");

    private static final List<String> PLACE = List.of("database", "user", "addr", "port", "shard", "role");

    /** What SHOW STATS counts. */
    private static final List<Measure> STATS = Arrays.stream(Measure.values())
            .filter(measure -> measure != Measure.PREPARED_EVICTIONS
                    && measure != Measure.OUT_OF_SYNC
                    && measure != Measure.FORCE_CLOSED)
            .toList();

    private PoolTables() {}

    /** What SHOW STATS says of the distributions of a pool's database. */
    private static final Map<String, Double> PERCENTILES = new TreeMap<>(Map.of("p50", 50.0, "p95", 95.0, "p99", 99.0));

    static List<String> stats(String... prefixes) {
        Stream<String> counts =
                Arrays.stream(prefixes).flatMap(prefix -> STATS.stream().map(each -> prefix + each.label()));
        Stream<String> percentiles = Arrays.asList(prefixes).contains("avg_")
                ? Arrays.stream(Timing.values())
                        .flatMap(timing -> PERCENTILES.keySet().stream()
                                .map(percentile -> timing.name().toLowerCase(Locale.ROOT) + "_time_" + percentile))
                : Stream.of();
        return Stream.of(PLACE.stream(), counts, percentiles)
                .flatMap(each -> each)
                .toList();
    }

    private static void addPercentiles(List<@Nullable Object> row, @Nullable Timings timings) {
        for (Timing timing : Timing.values()) {
            PERCENTILES
                    .values()
                    .forEach(percentile ->
                            row.add(timings == null ? 0 : timings.of(timing).getValueAtPercentile(percentile)));
        }
    }

    static Table pools(Observation seen) {
        Table.Builder table = new Table.Builder(POOLS);
        for (int id = 0; id < seen.pools().size(); id++) {
            PoolView pool = seen.pools().get(id);
            table.row(
                    id,
                    pool.key().database(),
                    pool.key().user(),
                    pool.address().host(),
                    pool.address().port(),
                    pool.key().shard(),
                    "primary",
                    pool.waiting(),
                    pool.idle(),
                    pool.count(ServerView.State.ACTIVE),
                    pool.count(ServerView.State.IDLE_IN_TRANSACTION),
                    pool.servers().size(),
                    pool.longestWaitNanos() / 1_000_000_000,
                    pool.longestWaitNanos() / 1_000 % 1_000_000,
                    ConfigTables.mode(seen.configuration(), pool.key()),
                    flag(pool.isPaused()),
                    flag(pool.isBanned()),
                    flag(pool.isReachable()),
                    pool.counters().get(Measure.ERRORS),
                    0,
                    pool.counters().get(Measure.OUT_OF_SYNC),
                    pool.counters().get(Measure.FORCE_CLOSED),
                    flag(seen.ready().getOrDefault(pool.key().database(), false)),
                    flag(false));
        }
        return table.build();
    }

    static final List<String> BANS =
            List.of("id", "database", "user", "addr", "port", "shard", "role", "ban_reason", "ban_time_left");

    static Table bans(Observation seen) {
        Table.Builder table = new Table.Builder(BANS);
        for (int id = 0; id < seen.pools().size(); id++) {
            PoolView pool = seen.pools().get(id);
            if (pool.isBanned()) {
                table.row(
                        id,
                        pool.key().database(),
                        pool.key().user(),
                        pool.address().host(),
                        pool.address().port(),
                        pool.key().shard(),
                        "primary",
                        "by an administrator",
                        null);
            }
        }
        return table.build();
    }

    static String flag(boolean value) {
        return value ? "t" : "f";
    }

    static Table servers(Observation seen) {
        Table.Builder table = new Table.Builder(SERVERS);
        for (int id = 0; id < seen.pools().size(); id++) {
            PoolView pool = seen.pools().get(id);
            for (ServerView server : pool.servers()) {
                table.row(server(id, pool, server));
            }
        }
        return table.build();
    }

    private static List<@Nullable Object> server(int id, PoolView pool, ServerView server) {
        return Arrays.asList(
                id,
                pool.key().database(),
                pool.key().user(),
                pool.address().host(),
                pool.address().port(),
                server.state().label(),
                Moments.ago(server.connectedNanos()),
                Moments.ago(server.requestNanos()),
                server.processId(),
                null,
                server.counters().get(Measure.XACT_COUNT),
                server.counters().get(Measure.QUERY_COUNT),
                server.counters().get(Measure.ROLLBACKS),
                server.prepared(),
                0,
                server.counters().get(Measure.ERRORS),
                server.counters().get(Measure.RECEIVED),
                server.counters().get(Measure.SENT),
                Moments.ago(server.requestNanos()),
                Moments.ago(server.readyNanos()),
                server.connectedNanos() / 1_000_000,
                server.applicationName());
    }

    static Table stats(Observation seen, boolean totals, boolean averages) {
        String[] prefixes = Stream.of(totals ? "total_" : "", averages ? "avg_" : "")
                .filter(prefix -> !prefix.isEmpty())
                .toArray(String[]::new);
        Table.Builder table = new Table.Builder(stats(prefixes));
        long now = System.nanoTime();
        for (PoolView pool : seen.pools()) {
            List<@Nullable Object> row = new ArrayList<>(List.of(
                    pool.key().database(),
                    pool.key().user(),
                    pool.address().host(),
                    pool.address().port(),
                    pool.key().shard(),
                    "primary"));
            add(row, totals, pool, (each, measure) -> each.counters().shown(measure));
            add(row, averages, pool, (each, measure) -> seen.averages().of(each, measure, now));
            if (averages) {
                addPercentiles(row, seen.timings().get(pool.key().database()));
            }
            table.row(row);
        }
        return table.build();
    }

    private static void add(
            List<@Nullable Object> row, boolean wanted, PoolView pool, BiFunction<PoolView, Measure, Long> value) {
        if (wanted) {
            STATS.forEach(measure -> row.add(value.apply(pool, measure)));
        }
    }

    static Table lists(Observation seen) {
        int idle = seen.pools().stream().mapToInt(PoolView::idle).sum();
        int all = seen.pools().stream().mapToInt(pool -> pool.servers().size()).sum();
        Table.Builder table = new Table.Builder(LISTS);
        table.row(
                seen.configuration().databaseNames().size(),
                seen.configuration().users().size(),
                seen.pools().size(),
                seen.clients().size(),
                Math.max(0, seen.configuration().general().maxClientConnections() - seen.clientCount()),
                idle,
                all - idle,
                seen.configuration().databaseNames().stream()
                        .mapToInt(seen.configuration()::shardCount)
                        .sum(),
                seen.lookups().values().stream().mapToInt(List::size).sum(),
                seen.preparedCount(),
                seen.plans().count());
        return table.build();
    }
}
