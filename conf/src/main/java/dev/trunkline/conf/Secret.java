package dev.trunkline.conf;

import java.util.regex.Pattern;

/**
 * A password, a stored SCRAM verifier or a stored MD5 hash; never part of any {@code toString()}.
 *
 * @param value what is kept secret
 */
public record Secret(String value) {

    private static final Pattern MD5_HASH = Pattern.compile("md5[0-9a-f]{32}");

    /**
     * The value is a stored verifier ({@code SCRAM-SHA-256$...}) as pg_authid holds it: it proves a client, but opens
     * no session on a server.
     */
    public boolean isScramVerifier() {
        return value.startsWith("SCRAM-SHA-256$");
    }

    /**
     * The value is a stored hash of PostgreSQL's {@code md5} passwords: it proves a client that does not use SCRAM, and
     * opens a session on a server that asks by {@code md5}. PostgreSQL, too, takes what looks like one for one.
     */
    public boolean isMd5Hash() {
        return MD5_HASH.matcher(value).matches();
    }

    @Override
    public String toString() {
        return "***";
    }
}
