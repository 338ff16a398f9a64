package dev.trunkline.conf;

/** Whether clients that the configuration has no password for may log in with what a server takes for theirs. */
public enum PassthroughAuth {
    /** They may not. */
    DISABLED,
    /** They may over TLS: the password comes in clear. */
    ENABLED,
    /** They may over any connection. */
    ENABLED_PLAIN
}
