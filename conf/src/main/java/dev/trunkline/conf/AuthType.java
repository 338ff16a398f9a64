package dev.trunkline.conf;

/** How a client proves who it is. */
public enum AuthType {
    /** SCRAM-SHA-256. */
    SCRAM,
    /** A salted MD5 response. */
    MD5,
    /** The password in clear text. */
    PLAIN,
    /** A TLS certificate whose common name is the user's name; no password. */
    CERT,
    /** Not at all: every client is believed. */
    TRUST
}
