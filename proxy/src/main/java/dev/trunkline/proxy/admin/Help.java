package dev.trunkline.proxy.admin;

import java.util.List;

/** SHOW HELP: every command with what it does. */
final class Help {

    static final List<String> COLUMNS = List.of("command", "meaning");

    private static final List<List<String>> COMMANDS = List.of(
            List.of("SHOW CLIENTS | SERVERS | POOLS", "who is connected, to whom, and what the pools hold"),
            List.of("SHOW STATS | STATS_TOTALS | STATS_AVERAGES", "what the pools have done"),
            List.of("SHOW COPIES", "COPY FROM STDIN over several shards that is running, a row for each shard"),
            List.of("SHOW LOOKUPS", "the maps that sharding keys are translated by"),
            List.of("SHOW LISTS | DATABASES | USERS | CONFIG", "what is configured, and how much of it is in use"),
            List.of("SHOW PREPARED | QUERY_CACHE | TRANSACTIONS", "what is remembered of statements"),
            List.of("SHOW VERSION | STATE | MEM | HELP", "the process"),
            List.of("SHOW name column, ... WHERE column = value AND ...", "some columns and rows of any of these"),
            List.of("SHOW setting", "the value of a setting of \"general\""),
            List.of("SET setting TO value", "changes a time or a size until the next RELOAD"),
            List.of("RELOAD", "reads the configuration file again"),
            List.of("RECONNECT [database]", "replaces server connections as soon as they are idle"),
            List.of("PAUSE [database], RESUME [database]", "lets new transactions wait; lets them go on"),
            List.of("MAINTENANCE ON | OFF [database]", "the same"),
            List.of("BAN pool, UNBAN [pool]", "takes a pool out of use; its number is the id in SHOW POOLS"),
            List.of("SHOW BANS | LISTENERS", "pools out of use; channels that clients listen to"),
            List.of("KILL client", "ends a client; the number is the id in SHOW CLIENTS"),
            List.of("SHUTDOWN [IMMEDIATE]", "ends the process when clients have finished, or at once"),
            List.of("FLUSH LOOKUPS [database]", "forgets the maps; statements load them anew"),
            List.of("PAUSE LOOKUP WRITES [table]", "refuses writes of lookup tables, and keeps the maps exact"),
            List.of("RESUME LOOKUP WRITES [table]", "lets them in again"));

    private Help() {}

    static Table table() {
        Table.Builder table = new Table.Builder(COLUMNS);
        COMMANDS.forEach(table::row);
        return table.build();
    }
}
