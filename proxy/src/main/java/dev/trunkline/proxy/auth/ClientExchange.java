package dev.trunkline.proxy.auth;

import dev.trunkline.protocol.backend.Authentication;
import org.jspecify.annotations.Nullable;

/**
 * A client's login seen from the proxy, by whatever way it is asked for. One per login, used by one thread at a time.
 * Every exception ends the login; the exchange is of no use after it.
 */
public interface ClientExchange {

    /** The message that starts the login. */
    Authentication offer();

    /**
     * The answer to the client's next message of type {@code 'p'}, whose body is given; null if there is nothing to say.
     * Once {@link #isProven()} holds, AuthenticationOk is to follow it.
     *
     * @throws dev.trunkline.protocol.error.PgException 28P01 FATAL if the proof is wrong, 08P01 FATAL if the message is
     *     malformed, and others by the way of logging in
     */
    @Nullable
    Authentication respond(byte[] buffer, int offset, int length);

    /** Whether {@link #respond} takes milliseconds of processor time and so belongs on a worker thread. */
    boolean isCostly();

    /** Whether the client has proven who it is. */
    boolean isProven();

    /**
     * What the client has proven itself by, for logging in to servers in its name; null while it has not, and where its
     * answer gives nothing away.
     */
    @Nullable
    ProvenSecret proven();
}
