package dev.trunkline.proxy.transaction;

/** What a client was told of its transfer. */
enum Told {
    COMMITTED,
    /** Stored nowhere: an error before COMMIT was sent, ROLLBACK, or an error of COMMIT that says so. */
    ROLLED_BACK,
    /** 40003, or no answer to COMMIT: the connection to the proxy is gone. */
    UNKNOWN;

    /** Whether it can be true of a transfer that has left entries with so many accounts. */
    boolean fits(long entries) {
        return switch (this) {
            case COMMITTED -> entries == 2;
            case ROLLED_BACK -> entries == 0;
            case UNKNOWN -> entries == 0 || entries == 2;
        };
    }
}
