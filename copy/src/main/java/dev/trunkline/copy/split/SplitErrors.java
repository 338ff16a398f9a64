package dev.trunkline.copy.split;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.SqlState;

/** What the division of a stream refuses. */
final class SplitErrors {

    private SplitErrors() {}

    /** 54000: so much would have to be held in memory before it is known where it goes. */
    static PgException keyTooFar(int limit) {
        return new PgException(SqlState.PROGRAM_LIMIT_EXCEEDED, "row of COPY is too long")
                .withDetail("More than " + limit + " bytes stand before the end of its sharding key.")
                .withHint("Put the sharding key first in the column list, or raise \"max_message_size\".");
    }
}
