package dev.trunkline.proxy.auth;

import com.ongres.scram.common.ScramFunctions;
import com.ongres.scram.common.ScramMechanism;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * The salts by which clients are asked for proof: one per user and database, the same at every login.
 *
 * <p>Users that exist and users that do not get theirs from the same secret, so that neither a salt nor its change tells
 * one from the other. Immutable, for all threads.
 */
public final class SaltSource {

    /** The length that PostgreSQL gives its salts. */
    static final int SALT_BYTES = 16;

    private static final int SECRET_BYTES = 32;

    private final byte[] secret;

    private SaltSource(byte[] secret) {
        this.secret = secret;
    }

    /** Salts from a random secret: they last as long as the process. */
    public static SaltSource random(SecureRandom random) {
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        return new SaltSource(secret);
    }

    /** Salts from the given secret, which nobody can guess: the same in every process that has it. */
    public static SaltSource of(byte[] secret) {
        return new SaltSource(secret.clone());
    }

    /** The salt of the user in the database, {@value #SALT_BYTES} bytes. */
    byte[] salt(String user, String database) {
        return Arrays.copyOf(derived("salt", user, database), SALT_BYTES);
    }

    /** 32 bytes that stand for a key which no password yields. */
    byte[] mockKey(String use, String user, String database) {
        return derived(use, user, database);
    }

    private byte[] derived(String use, String user, String database) {
        byte[] message = String.join("\0", use, user, database).getBytes(StandardCharsets.UTF_8);
        return ScramFunctions.hmac(ScramMechanism.SCRAM_SHA_256, secret, message);
    }
}
