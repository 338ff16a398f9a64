package dev.trunkline.conf;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A whole, valid configuration; immutable. Every default is filled in: a value here is the one in force.
 *
 * <p>The methods search the lists on each call; keep what a statement needs.
 *
 * @param general the settings of the process
 * @param databases servers, in the file's order
 * @param users users, in the file's order
 * @param shardedTables rules of sharded tables, in the file's order
 * @param omnishardedTables omnisharded tables, in the file's order
 * @param rewrite which statements may be rewritten
 * @param admin the admin database
 */
public record Configuration(
        General general,
        List<Database> databases,
        List<User> users,
        List<ShardedTable> shardedTables,
        List<OmnishardedTables> omnishardedTables,
        Rewrite rewrite,
        Admin admin) {

    private static final Comparator<Database> BY_SHARD_PRIMARY_FIRST =
            Comparator.comparingInt(Database::shard).thenComparing(Database::role);

    public Configuration {
        databases = List.copyOf(databases);
        users = List.copyOf(users);
        shardedTables = List.copyOf(shardedTables);
        omnishardedTables = List.copyOf(omnishardedTables);
    }

    /** The databases as clients name them, each once, in the file's order. */
    public List<String> databaseNames() {
        return databases.stream().map(Database::name).distinct().toList();
    }

    /** How many shards a database has; 0 when there is no such database. */
    public int shardCount(String database) {
        return (int) databases(database).stream()
                .mapToInt(Database::shard)
                .distinct()
                .count();
    }

    /** The servers of a database by ascending shard, the primary of a shard first; empty when there is no such one. */
    public List<Database> databases(String database) {
        return databases.stream()
                .filter(entry -> entry.name().equals(database))
                .sorted(BY_SHARD_PRIMARY_FIRST)
                .toList();
    }

    /** The users of a database, in the file's order. */
    public List<User> users(String database) {
        return users.stream().filter(user -> user.database().equals(database)).toList();
    }

    /** The user of a database by name, or null. */
    public @Nullable User user(String database, String name) {
        return users(database).stream()
                .filter(user -> user.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** The rules of a database's sharded tables, in the file's order. */
    public List<ShardedTable> shardedTables(String database) {
        return shardedTables.stream()
                .filter(rule -> rule.database().equals(database))
                .toList();
    }

    /** The omnisharded tables of a database, in the file's order. */
    public List<OmnishardedTables> omnishardedTables(String database) {
        return omnishardedTables.stream()
                .filter(tables -> tables.database().equals(database))
                .toList();
    }

    /** This configuration with the servers and tables of another, and without the users of databases that the other has not. */
    public Configuration withDatabasesOf(Configuration other) {
        List<String> names = other.databaseNames();
        return new Configuration(
                general,
                other.databases,
                users.stream().filter(user -> names.contains(user.database())).toList(),
                other.shardedTables,
                other.omnishardedTables,
                other.rewrite,
                admin);
    }

    /** This configuration with other settings of the process. */
    public Configuration withGeneral(General other) {
        return new Configuration(other, databases, users, shardedTables, omnishardedTables, rewrite, admin);
    }

    /** True when tables are treated alike by both. */
    public boolean hasTablesOf(Configuration other, String database) {
        return shardedTables(database).equals(other.shardedTables(database))
                && omnishardedTables(database).equals(other.omnishardedTables(database))
                && rewrite.equals(other.rewrite);
    }

    /** Whether a database has the same servers in both. */
    public boolean hasServersOf(Configuration other, String database) {
        return databases(database).equals(other.databases(database));
    }
}
