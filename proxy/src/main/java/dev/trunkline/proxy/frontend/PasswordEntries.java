package dev.trunkline.proxy.frontend;

import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/** Where the password entries of users come from that the configuration does not know. For all threads. */
public interface PasswordEntries {

    /**
     * What is stored for the password of a user, as pg_authid has it, by a read that began after this call or not longer
     * ago than is allowed; null if there is no such user or it has none. Completes on any thread; fails if nobody could
     * be asked.
     *
     * @param database a configured one, as clients name it
     */
    Future<@Nullable String> entry(String database, String user);
}
