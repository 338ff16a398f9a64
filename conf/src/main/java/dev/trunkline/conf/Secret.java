package dev.trunkline.conf;

/**
 * A password or a stored SCRAM verifier; never part of any {@code toString()}.
 *
 * @param value what is kept secret
 */
public record Secret(String value) {

    /**
     * The value is a stored verifier ({@code SCRAM-SHA-256$...}) as pg_authid holds it: it proves a client, but opens
     * no session on a server.
     */
    public boolean isScramVerifier() {
        return value.startsWith("SCRAM-SHA-256$");
    }

    @Override
    public String toString() {
        return "***";
    }
}
