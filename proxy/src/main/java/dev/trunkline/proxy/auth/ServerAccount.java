package dev.trunkline.proxy.auth;

import com.ongres.scram.common.ScramFunctions;
import com.ongres.scram.common.ScramMechanism;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The proxy's user on a server, its password, and the keys derived from it; for all threads.
 *
 * <p>One per configured account, kept as long as the configuration: a server asks with the same salt each time, so that
 * the milliseconds of derivation are spent once per server rather than once per connection.
 */
public final class ServerAccount {

    private final String user;
    private final @Nullable String password;
    private final AtomicReference<@Nullable Keys> lastKeys = new AtomicReference<>();

    /** The account; without password it can only log in where the server trusts it. */
    public ServerAccount(String user, @Nullable String password) {
        this.user = user;
        this.password = password == null || password.isEmpty() ? null : password;
    }

    /** What SCRAM derives from a password, a salt and a number of iterations. */
    record Keys(byte[] salt, int iterations, byte[] clientKey, byte[] serverKey) {

        boolean answer(byte[] otherSalt, int otherIterations) {
            return iterations == otherIterations && Arrays.equals(salt, otherSalt);
        }
    }

    /** The user on the server. */
    public String user() {
        return user;
    }

    /**
     * The password.
     *
     * @throws dev.trunkline.protocol.error.PgException 08001 if none is configured
     */
    String password() {
        if (password == null) {
            throw AuthErrors.noServerPassword(user);
        }
        return password;
    }

    /** Whether {@link #keys} answers at once. */
    boolean hasKeys(byte[] salt, int iterations) {
        Keys keys = lastKeys.get();
        return keys != null && keys.answer(salt, iterations);
    }

    /** The keys; derived, which takes milliseconds or more, unless they are those of the last time. */
    Keys keys(byte[] salt, int iterations) {
        Keys keys = lastKeys.get();
        if (keys != null && keys.answer(salt, iterations)) {
            return keys;
        }
        byte[] salted = PasswordVerifier.saltedPassword(password(), salt, iterations);
        Keys derived = new Keys(
                salt,
                iterations,
                ScramFunctions.clientKey(ScramMechanism.SCRAM_SHA_256, salted),
                ScramFunctions.serverKey(ScramMechanism.SCRAM_SHA_256, salted));
        lastKeys.set(derived);
        return derived;
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "ServerAccount[user=" + user + "]";
    }
}
