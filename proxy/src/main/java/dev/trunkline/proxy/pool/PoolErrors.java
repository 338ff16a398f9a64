package dev.trunkline.proxy.pool;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.Severity;
import dev.trunkline.protocol.error.SqlState;
import dev.trunkline.proxy.backend.ServerAddress;

/** What a wait for a server connection can end in. */
public final class PoolErrors {

    private PoolErrors() {}

    /** 53300: every connection of the pool was in use for the whole check-out time-out. */
    public static PgException checkoutTimeout(ServerAddress address, long millis) {
        return new PgException(
                        SqlState.TOO_MANY_CONNECTIONS,
                        "no connection to shard " + address.shard() + " became free within " + millis + " ms")
                .withHint("Raise pool_size or checkout_timeout, or shorten transactions.");
    }

    /** 57014, as PostgreSQL says it: the client cancelled while it waited for a connection. */
    public static PgException cancelled() {
        return new PgException(SqlState.QUERY_CANCELED, "canceling statement due to user request");
    }

    /** 57P03: an administrator has taken the server out of use. */
    static PgException banned(ServerAddress address) {
        return new PgException(SqlState.CANNOT_CONNECT_NOW, "the server of shard " + address.shard() + " is banned")
                .withHint("UNBAN in the admin database takes it into use again.");
    }

    /** 57P01: the pool is closed, because the proxy stops or its configuration changed. */
    public static PgException closed() {
        return new PgException(
                SqlState.ADMIN_SHUTDOWN, Severity.FATAL, "terminating connection due to administrator command");
    }
}
