package dev.trunkline.proxy.catalog;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.SqlState;

/** Why a server's catalogs cannot be used. */
public final class CatalogErrors {

    private CatalogErrors() {}

    /** 0A000: the server is older than the catalog columns that are read; no retry will help. */
    public static PgException serverTooOld(int serverVersion) {
        return new PgException(SqlState.FEATURE_NOT_SUPPORTED, "the server's version is not supported")
                .withDetail("server_version_num is " + serverVersion + ".")
                .withHint("Use PostgreSQL 12 or later.");
    }
}
