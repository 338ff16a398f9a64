package dev.trunkline.lookup.source;

/**
 * The server that is asked: shard 0's primary.
 *
 * @param host name or address
 * @param port TCP port
 * @param database the server's name of the database
 * @param user a role that may read the whole of every lookup query (no row-level security applies to it)
 * @param password empty when the server asks for none
 */
public record LookupServer(String host, int port, String database, String user, String password) {

    /** Without the password. */
    @Override
    public String toString() {
        return host + ":" + port + "/" + database + " as " + user;
    }
}
