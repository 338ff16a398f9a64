package dev.trunkline.proxy.auth;

import com.ongres.scram.common.ScramFunctions;
import com.ongres.scram.common.ScramMechanism;
import com.ongres.scram.common.StringPreparation;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the proxy has to know to check a client's SCRAM-SHA-256 proof and to give its own; immutable.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc5803">RFC 5803</a>, whose form pg_authid follows
 */
public final class PasswordVerifier {

    /** PostgreSQL's default of scram_iterations. */
    static final int DEFAULT_ITERATIONS = 4096;

    private static final ScramMechanism MECHANISM = ScramMechanism.SCRAM_SHA_256;
    private static final int KEY_BYTES = 32;
    private static final String PREFIX = "SCRAM-SHA-256$";
    private static final String BASE64 = "([A-Za-z0-9+/]+={0,2})";
    private static final Pattern STORED =
            Pattern.compile("SCRAM-SHA-256\\$([1-9][0-9]{0,8}):" + BASE64 + "\\$" + BASE64 + ":" + BASE64);

    private final byte[] salt;
    private final int iterations;
    private final byte[] storedKey;
    private final byte[] serverKey;

    PasswordVerifier(byte[] salt, int iterations, byte[] storedKey, byte[] serverKey) {
        this.salt = salt;
        this.iterations = iterations;
        this.storedKey = storedKey;
        this.serverKey = serverKey;
    }

    /** Whether the text is a stored verifier rather than a password. */
    public static boolean isStored(String secret) {
        return secret.startsWith(PREFIX);
    }

    /**
     * The verifier in the form of pg_authid: {@code SCRAM-SHA-256$<iterations>:<salt>$<StoredKey>:<ServerKey>}, the
     * last three in Base64.
     *
     * @throws IllegalArgumentException if the text has another form; the message does not repeat it
     */
    public static PasswordVerifier parse(String stored) {
        Matcher matcher = STORED.matcher(stored);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a SCRAM-SHA-256 verifier");
        }
        Base64.Decoder base64 = Base64.getDecoder();
        byte[] storedKey = base64.decode(matcher.group(3));
        byte[] serverKey = base64.decode(matcher.group(4));
        if (storedKey.length != KEY_BYTES || serverKey.length != KEY_BYTES) {
            throw new IllegalArgumentException("the keys of a SCRAM-SHA-256 verifier have 32 bytes");
        }
        return new PasswordVerifier(
                base64.decode(matcher.group(2)), Integer.parseInt(matcher.group(1)), storedKey, serverKey);
    }

    /**
     * The verifier of a password. Takes milliseconds of processor time: not for event loops.
     *
     * @param password prepared by SASLprep where it can be and taken as it is otherwise, as PostgreSQL does
     * @throws IllegalArgumentException if the password is empty
     */
    public static PasswordVerifier derive(String password, byte[] salt, int iterations) {
        byte[] salted = saltedPassword(password, salt, iterations);
        byte[] storedKey = ScramFunctions.storedKey(MECHANISM, ScramFunctions.clientKey(MECHANISM, salted));
        return new PasswordVerifier(salt, iterations, storedKey, ScramFunctions.serverKey(MECHANISM, salted));
    }

    static byte[] saltedPassword(String password, byte[] salt, int iterations) {
        if (password.isEmpty()) {
            throw new IllegalArgumentException("a password cannot be empty");
        }
        return ScramFunctions.saltedPassword(
                MECHANISM, StringPreparation.POSTGRESQL_PREPARATION, password.toCharArray(), salt, iterations);
    }

    /** Whether this is the password. Takes milliseconds of processor time: not for event loops. */
    boolean fits(String password) {
        if (password.isEmpty()) {
            return false;
        }
        PasswordVerifier derived = derive(password, salt, iterations);
        return MessageDigest.isEqual(derived.storedKey, storedKey);
    }

    byte[] salt() {
        return salt.clone();
    }

    int iterations() {
        return iterations;
    }

    /** Whether both ask the client for the same, so that either may check its answer. */
    boolean asksLike(PasswordVerifier other) {
        return iterations == other.iterations && Arrays.equals(salt, other.salt);
    }

    /** Whether the proof is that of somebody who knows the password; takes the same time for any answer. */
    boolean accepts(byte[] proof, byte[] authMessage) {
        byte[] signature = ScramFunctions.hmac(MECHANISM, storedKey, authMessage);
        byte[] clientKey = ScramFunctions.clientProof(signature, proof);
        return MessageDigest.isEqual(ScramFunctions.hash(MECHANISM, clientKey), storedKey);
    }

    /** The keys of the password, which a proof that was accepted gives away. */
    ScramKeys keys(byte[] proof, byte[] authMessage) {
        byte[] signature = ScramFunctions.hmac(MECHANISM, storedKey, authMessage);
        return new ScramKeys(salt, iterations, ScramFunctions.clientProof(signature, proof), serverKey);
    }

    /** Our own proof to the client. */
    byte[] serverSignature(byte[] authMessage) {
        return ScramFunctions.hmac(MECHANISM, serverKey, authMessage);
    }

    /** Without salt and keys. */
    @Override
    public String toString() {
        return "PasswordVerifier[iterations=" + iterations + "]";
    }
}
