package dev.trunkline.proxy.twophase;

import io.vertx.pgclient.PgConnectOptions;
import org.jspecify.annotations.Nullable;

/** How to reach the shards of one database over connections outside of every pool. */
public interface ShardServers {

    /** As a user that may log in without a client's help. */
    PgConnectOptions options(int shard);

    /** As the user who has prepared a transaction; null when the configuration does not know the user. */
    @Nullable
    PgConnectOptions options(int shard, String owner);
}
