package dev.trunkline.lookup.source;

import io.vertx.pgclient.PgConnectOptions;
import java.util.function.Supplier;

/**
 * The server that is asked: shard 0's primary, as a role that may read the whole of every lookup query (no row-level
 * security applies to it). How it is reached is asked for anew for each connection: passwords and certificates may
 * change meanwhile. Safe for any thread if the supplier is.
 */
public final class LookupServer {

    private final Supplier<PgConnectOptions> options;

    /** The server that the options lead to; the supplier hands out the same or new ones, which are not changed here. */
    public LookupServer(Supplier<PgConnectOptions> options) {
        this.options = options;
    }

    /**
     * A server that is reached in clear.
     *
     * @param host name or address
     * @param port TCP port
     * @param database the server's name of the database
     * @param user the role
     * @param password empty when the server asks for none
     */
    public LookupServer(String host, int port, String database, String user, String password) {
        this(() -> new PgConnectOptions()
                .setHost(host)
                .setPort(port)
                .setDatabase(database)
                .setUser(user)
                .setPassword(password));
    }

    /** The options of the next connection, the caller's own. */
    PgConnectOptions options() {
        return new PgConnectOptions(options.get());
    }

    /** Without the password. */
    @Override
    public String toString() {
        PgConnectOptions now = options.get();
        return now.getHost() + ":" + now.getPort() + "/" + now.getDatabase() + " as " + now.getUser();
    }
}
