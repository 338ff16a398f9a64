package dev.trunkline.proxy.listen;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.SqlState;

/** Why a LISTEN cannot be. */
final class ListenErrors {

    private ListenErrors() {}

    /** 55000, as for anything that the server's state does not allow: a standby takes no LISTEN, for instance. */
    static PgException refused(String channel, int shard, String reason) {
        return new PgException(
                        SqlState.OBJECT_NOT_IN_PREREQUISITE_STATE,
                        "cannot listen to channel \"" + channel + "\" on the server of shard " + shard)
                .withDetail(reason);
    }
}
