package dev.trunkline.conf;

import java.util.List;

/**
 * A user of a database.
 *
 * @param name the user as clients name it
 * @param database the database that it may use
 * @param password what a client may prove itself by: any one of them; empty = nothing, which only suits
 *     {@link AuthType#TRUST}
 * @param serverUser the user on the servers
 * @param serverPassword its passwords on the servers, in the order in which they are tried; empty = none is known (the
 *     client's are stored verifiers or absent)
 * @param poolSize server connections per shard
 * @param poolerMode when its server connections go back to the pool
 */
public record User(
        String name,
        String database,
        @Default("[]") List<Secret> password,
        @DefaultsTo("name") String serverUser,
        @DefaultsTo("password") List<Secret> serverPassword,

        @DefaultsTo("general.default_pool_size") @Range(min = 1, max = 100_000)
        int poolSize,

        @DefaultsTo("databases[].pooler_mode") PoolerMode poolerMode) {

    public User {
        password = List.copyOf(password);
        serverPassword = List.copyOf(serverPassword);
    }
}
