package dev.trunkline.conf;

/**
 * One server of one shard of a database. All entries of one name are one database.
 *
 * @param name the database as clients name it
 * @param host the server's host name or address
 * @param port the server's port
 * @param databaseName the database on the server
 * @param shard the number of the shard, from 0
 * @param role what the server is
 * @param poolerMode the mode of users that do not set their own; equal for all servers of a database
 */
public record Database(
        String name,
        String host,
        @Default("5432") @Range(min = 1, max = 65535) int port,
        @DefaultsTo("name") String databaseName,
        @Default("0") @Range(max = 65535) int shard,
        @Default("primary") Role role,
        @DefaultsTo("general.pooler_mode") PoolerMode poolerMode) {}
