package dev.trunkline.routing.plan;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.SqlState;

/** Why a statement is refused on a database of several shards. */
public final class RoutingErrors {

    private RoutingErrors() {}

    /** 0A000: the statement may be valid SQL, but where its rows live cannot be told. */
    public static PgException notAnalysed(String reason) {
        return new PgException(
                        SqlState.FEATURE_NOT_SUPPORTED, "statement cannot be analysed on a database of several shards")
                .withDetail(reason)
                .withHint("Rewrite the statement in a simpler form.");
    }
}
