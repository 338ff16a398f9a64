package dev.trunkline.conf;

/** What the certificate of a client is asked for. One that is shown must be valid in any case. */
public enum TlsClientVerify {
    /** Nothing: a client may show one or not. */
    DISABLED,
    /** A client must show one that comes from a trusted authority. */
    VERIFY_CA,
    /** It must show one that comes from a trusted authority and whose common name is the user's name. */
    VERIFY_FULL
}
