package dev.trunkline.proxy.admin;

import dev.trunkline.proxy.metrics.Observation;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The SHOW commands: {@code SHOW name [column [, ...]] [WHERE column = value [AND ...]]}. */
final class Shows {

    private record Show(List<String> columns, Supplier<Future<Table>> table) {}

    private final Control control;
    private final Map<String, Show> shows = new TreeMap<>();

    Shows(Control control) {
        this.control = control;
        observed("CLIENTS", ClientTables.CLIENTS, ClientTables::clients);
        observed("SERVERS", PoolTables.SERVERS, PoolTables::servers);
        observed("POOLS", PoolTables.POOLS, PoolTables::pools);
        observed("STATS", PoolTables.stats("total_", "avg_"), seen -> PoolTables.stats(seen, true, true));
        observed("STATS_TOTALS", PoolTables.stats("total_"), seen -> PoolTables.stats(seen, true, false));
        observed("STATS_AVERAGES", PoolTables.stats("avg_"), seen -> PoolTables.stats(seen, false, true));
        observed("LISTS", PoolTables.LISTS, PoolTables::lists);
        observed("LOOKUPS", LookupTables.LOOKUPS, LookupTables::lookups);
        observed("COPIES", CopyTables.COPIES, CopyTables::copies);
        observed("CONFIG", ConfigTables.CONFIG, ConfigTables::config);
        observed("DATABASES", ConfigTables.DATABASES, ConfigTables::databases);
        observed("USERS", ConfigTables.USERS, ConfigTables::users);
        observed("STATE", ProcessTables.STATE, ProcessTables::state);
        observed("TRANSACTIONS", ClientTables.TRANSACTIONS, ClientTables::transactions);
        observed("MEM", ProcessTables.MEM, seen -> ProcessTables.mem());
        observed("VERSION", ProcessTables.VERSION, seen -> ProcessTables.version());
        add(
                "PREPARED",
                ProcessTables.PREPARED,
                () -> Future.succeededFuture(ProcessTables.prepared(control.prepared(ProcessTables.LIMIT))));
        // The loops tell the cache what they have counted when they are looked at.
        observed(
                "QUERY_CACHE",
                ProcessTables.QUERY_CACHE,
                seen -> ProcessTables.queryCache(control.plans(ProcessTables.LIMIT)));
        add("HELP", Help.COLUMNS, () -> Future.succeededFuture(Help.table()));
        observed("BANS", PoolTables.BANS, PoolTables::bans);
        add("LISTENERS", ClientTables.LISTENERS, () -> control.listeners().map(ClientTables::listeners));
        nothing(
                "MIRRORS",
                "database",
                "user",
                "total_count",
                "mirrored_count",
                "dropped_count",
                "error_count",
                "queue_length");
        nothing("PEERS", "addr", "last_seen", "clients");
        nothing(
                "REPLICATION",
                "id",
                "database",
                "user",
                "addr",
                "port",
                "shard",
                "role",
                "replica_lag",
                "pg_lsn",
                "lsn_age",
                "pg_is_in_recovery");
        nothing(
                "TASKS",
                "id",
                "scope",
                "type",
                "status",
                "inner_status",
                "started_at",
                "updated_at",
                "elapsed",
                "elapsed_ms");
        ConfigTables.names()
                .forEach(name -> observed(
                        name.toUpperCase(Locale.ROOT), List.of(name), seen -> ConfigTables.setting(seen, name)));
    }

    private void observed(String name, List<String> columns, Function<Observation, Table> table) {
        add(name, columns, () -> control.observe().map(table));
    }

    /** What a feature would show that this product does not have: scripts that look at it find it empty. */
    private void nothing(String name, String... columns) {
        Table empty = new Table(List.of(columns), List.of());
        add(name, empty.columns(), () -> Future.succeededFuture(empty));
    }

    private void add(String name, List<String> columns, Supplier<Future<Table>> table) {
        shows.put(name, new Show(columns, table));
    }

    /** The columns of a SHOW; null if there is none of that name. */
    @Nullable
    List<String> columns(String name) {
        Show show = shows.get(name);
        return show == null ? null : show.columns;
    }

    /** Reads what follows SHOW; throws PgException 42601 or 42703. */
    Command read(Words words) {
        String name = words.keyword();
        Show show = shows.get(name);
        if (show == null) {
            throw AdminErrors.unknownCommand(words.source());
        }
        List<String> columns = list(words, show.columns, name);
        Filter filter = words.take("WHERE") ? Filter.read(words, show.columns, name) : new Filter();
        if (!words.atEnd()) {
            throw AdminErrors.malformed("SHOW " + name, Filter.FORM);
        }
        return Command.rows(
                columns,
                () -> show.table
                        .get()
                        .map(table -> Command.Result.of(filter.apply(table).select(columns))));
    }

    private static List<String> list(Words words, List<String> all, String name) {
        if (words.atEnd() || words.peek().equals("WHERE") || words.take("*")) {
            return all;
        }
        List<String> columns = new ArrayList<>();
        do {
            String column = words.any().toLowerCase(Locale.ROOT);
            if (!all.contains(column)) {
                throw AdminErrors.unknownColumn(column, name);
            }
            columns.add(column);
        } while (words.take(",") || !words.atEnd() && !words.peek().equals("WHERE"));
        return columns;
    }
}
