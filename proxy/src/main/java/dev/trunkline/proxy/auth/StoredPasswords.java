package dev.trunkline.proxy.auth;

import dev.trunkline.protocol.ByteSlice;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a password message is compared with: passwords, {@code md5} hashes and SCRAM verifiers, any one of which will do.
 * Immutable, for all threads. All entries are compared each time and in a time that does not depend on how they differ.
 */
public final class StoredPasswords {

    /** No password at all: nothing is accepted. */
    public static final StoredPasswords NONE = new StoredPasswords(List.of());

    /** The same, which takes as long to find out for a password in clear as a SCRAM verifier of the usual kind. */
    public static final StoredPasswords COSTLY_NONE = new StoredPasswords(List.of(noVerifier()));

    private final List<String> entries;

    private StoredPasswords(List<String> entries) {
        this.entries = List.copyOf(entries);
    }

    /** The entries, each a password or a stored form of one as pg_authid has them. */
    public static StoredPasswords of(List<String> entries) {
        return new StoredPasswords(entries);
    }

    /** Whether the answer to the challenge of {@code md5} with this salt is right. */
    boolean acceptMd5(String user, String answer, ByteSlice salt) {
        boolean isRight = false;
        for (String entry : entries) {
            // A SCRAM verifier yields no hash: the answer cannot be told from a wrong one.
            String expected =
                    PasswordVerifier.isStored(entry) ? "" : Md5Password.answer(Md5Password.ofEntry(user, entry), salt);
            isRight |= equal(expected, answer) && !expected.isEmpty();
        }
        return isRight;
    }

    /** Whether this is the password. */
    boolean acceptClear(String user, String password) {
        boolean isRight = false;
        for (String entry : entries) {
            isRight |= acceptsClear(entry, user, password);
        }
        return isRight && !password.isEmpty();
    }

    private static boolean acceptsClear(String entry, String user, String password) {
        if (PasswordVerifier.isStored(entry)) {
            return PasswordVerifier.parse(entry).fits(password);
        }
        return Md5Password.isStored(entry) ? equal(entry, Md5Password.stored(user, password)) : equal(entry, password);
    }

    /** What a login by md5 proves the knowledge of, if there is but one. */
    @Nullable
    ProvenSecret md5Secret() {
        return entries.size() == 1 ? ProvenSecret.ofEntry(entries.get(0)) : null;
    }

    /** A verifier whose key no password yields: it is no hash of anything. */
    private static String noVerifier() {
        String key = ScramMessage.base64(new byte[32]);
        return "SCRAM-SHA-256$" + PasswordVerifier.DEFAULT_ITERATIONS + ":" + ScramMessage.base64(new byte[16]) + "$"
                + key + ":" + key;
    }

    /** Whether a password in clear takes milliseconds to compare. */
    public boolean isClearCostly() {
        return entries.stream().anyMatch(PasswordVerifier::isStored);
    }

    private static boolean equal(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    /** Without the passwords. */
    @Override
    public String toString() {
        return "StoredPasswords[" + entries.size() + "]";
    }
}
