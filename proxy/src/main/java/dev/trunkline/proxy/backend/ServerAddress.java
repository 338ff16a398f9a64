package dev.trunkline.proxy.backend;

import dev.trunkline.proxy.auth.ServerAccount;

/**
 * Where a server connection leads and as whom.
 *
 * @param shard from 0
 * @param database the server's database name
 * @param account user and password, shared by all connections of the account: keys are derived once
 */
public record ServerAddress(String host, int port, int shard, String database, ServerAccount account) {

    /** The role on the server. */
    public String user() {
        return account.user();
    }

    @Override
    public String toString() {
        return user() + "@" + host + ":" + port + "/" + database + " (shard " + shard + ")";
    }
}
