package dev.trunkline.proxy.auth;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the configuration says of how one user of one database proves itself; immutable, for all threads.
 *
 * <p>Made once per configuration, never per login: a password costs milliseconds of processor time to derive from.
 */
public final class Credentials {

    private final List<PasswordVerifier> verifiers;
    private final boolean isMock;

    private Credentials(List<PasswordVerifier> verifiers, boolean isMock) {
        this.verifiers = List.copyOf(verifiers);
        this.isMock = isMock;
    }

    /**
     * The credentials of a configured user, any one of whose passwords is accepted. Not for event loops.
     *
     * <p>SCRAM tells the client one salt before anything is known of its password, so that all must share it:
     * passwords take over the salt of a stored verifier, while two stored verifiers have to agree.
     *
     * @param secrets passwords or stored verifiers, at least one
     * @throws IllegalArgumentException if there is none, if one is empty or malformed, or if stored verifiers differ in
     *     salt or iterations; no message repeats a secret
     */
    public static Credentials of(String user, String database, List<String> secrets, SaltSource salts) {
        List<PasswordVerifier> verifiers = new ArrayList<>();
        for (String secret : secrets) {
            if (PasswordVerifier.isStored(secret)) {
                verifiers.add(PasswordVerifier.parse(secret));
            }
        }
        byte[] salt = verifiers.isEmpty()
                ? salts.salt(user, database)
                : verifiers.get(0).salt();
        int iterations = verifiers.isEmpty()
                ? PasswordVerifier.DEFAULT_ITERATIONS
                : verifiers.get(0).iterations();
        for (String secret : secrets) {
            if (!PasswordVerifier.isStored(secret)) {
                verifiers.add(PasswordVerifier.derive(secret, salt, iterations));
            }
        }
        requireOneQuestion(verifiers);
        return new Credentials(verifiers, false);
    }

    /**
     * Credentials of a user or database that does not exist: the client is asked the same way, and no answer is
     * accepted. Cheap, for every thread.
     */
    public static Credentials mock(String user, String database, SaltSource salts) {
        PasswordVerifier verifier = new PasswordVerifier(
                salts.salt(user, database),
                PasswordVerifier.DEFAULT_ITERATIONS,
                salts.mockKey("stored key", user, database),
                salts.mockKey("server key", user, database));
        return new Credentials(List.of(verifier), true);
    }

    /** What the client is asked: salt and iterations of all verifiers. */
    PasswordVerifier question() {
        return verifiers.get(0);
    }

    /** The verifier that accepts the proof; null if none does. */
    @Nullable
    PasswordVerifier accepting(byte[] proof, byte[] authMessage) {
        PasswordVerifier accepting = null;
        // All are tried, also after one fits: the time taken tells nothing of which it was.
        for (PasswordVerifier verifier : verifiers) {
            if (verifier.accepts(proof, authMessage)) {
                accepting = verifier;
            }
        }
        return isMock ? null : accepting;
    }

    private static void requireOneQuestion(List<PasswordVerifier> verifiers) {
        if (verifiers.isEmpty()) {
            throw new IllegalArgumentException("a user needs a password");
        }
        for (PasswordVerifier verifier : verifiers) {
            if (!verifier.asksLike(verifiers.get(0))) {
                throw new IllegalArgumentException(
                        "stored verifiers of one user must have the same salt and number of iterations");
            }
        }
    }
}
