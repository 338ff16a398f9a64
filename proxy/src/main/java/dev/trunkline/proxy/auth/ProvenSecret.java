package dev.trunkline.proxy.auth;

import org.jspecify.annotations.Nullable;

/**
 * What the login of a client has given away, by which the proxy can log in to servers in its name: SCRAM keys, or the
 * password itself, or its hash. Exactly one of both is there.
 */
public final class ProvenSecret {

    private final @Nullable ScramKeys keys;
    private final @Nullable String password;

    private final boolean isHash;

    private ProvenSecret(@Nullable ScramKeys keys, @Nullable String password, boolean isHash) {
        this.keys = keys;
        this.password = password;
        this.isHash = isHash;
    }

    static ProvenSecret of(ScramKeys keys) {
        return new ProvenSecret(keys, null, false);
    }

    /** The password itself. */
    public static ProvenSecret of(String password) {
        return new ProvenSecret(null, password, false);
    }

    /** An entry that the client has proven to know: a password, or the hash that is stored of one. */
    static ProvenSecret ofEntry(String entry) {
        return new ProvenSecret(null, entry, Md5Password.isStored(entry));
    }

    boolean isHash() {
        return isHash;
    }

    @Nullable
    ScramKeys keys() {
        return keys;
    }

    @Nullable
    String password() {
        return password;
    }
}
