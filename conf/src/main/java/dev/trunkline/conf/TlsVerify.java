package dev.trunkline.conf;

/** How connections to servers are encrypted and verified. */
public enum TlsVerify {
    /** In clear text. */
    DISABLED,
    /** Encrypted where the server offers it; its certificate is not verified. */
    PREFER,
    /** Encrypted; its certificate is not verified. */
    REQUIRE,
    /** Encrypted; the certificate must come from a trusted authority. */
    VERIFY_CA,
    /** Encrypted; the certificate must come from a trusted authority and name the host. */
    VERIFY_FULL
}
