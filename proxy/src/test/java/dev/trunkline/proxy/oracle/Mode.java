package dev.trunkline.proxy.oracle;

/** The ways in which clients speak. */
enum Mode {
    /** Query messages. */
    SIMPLE(true, ""),
    /** Parse to Sync in one go, values and results as text. */
    TEXT(true, ""),
    /** Values and results in binary. */
    BINARY(true, ""),
    /** Named statements, prepared once and used again; text. */
    PREPARED(true, ""),
    /** Named statements, binary. */
    PREPARED_BINARY(true, ""),
    /** Parse, Describe, Flush; then Bind, Execute, Sync. */
    FLUSHED(true, ""),
    JDBC(false, "?prepareThreshold=3"),
    JDBC_SIMPLE(false, "?preferQueryMode=simple"),
    JDBC_BINARY(false, "?prepareThreshold=-1"),
    JDBC_CACHED(false, "?preferQueryMode=extendedCacheEverything&prepareThreshold=1");

    final boolean wire;
    private final String urlParameters;

    Mode(boolean wire, String urlParameters) {
        this.wire = wire;
        this.urlParameters = urlParameters;
    }

    boolean isSimple() {
        return this == SIMPLE || this == JDBC_SIMPLE;
    }

    boolean isBinary() {
        return this == BINARY || this == PREPARED_BINARY;
    }

    boolean isPrepared() {
        return this == PREPARED || this == PREPARED_BINARY;
    }

    /** It can send several statements before one Sync. */
    boolean isPipelining() {
        return wire && this != SIMPLE;
    }

    /** A new connection that speaks so. */
    Side open(Place place) {
        return wire ? new WireSide(this, place) : new JdbcSide(place, urlParameters);
    }

    /** Where a server, or the proxy, listens. */
    record Place(int port, String database, String user) {}
}
