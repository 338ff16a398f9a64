package dev.trunkline.proxy.twophase;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.SqlState;

/** What two-phase commit refuses to start with. */
final class TwoPhaseErrors {

    private TwoPhaseErrors() {}

    /** 55000: prepared transactions are switched off. */
    static PgException noPreparedTransactions(int shard) {
        return new PgException(
                        SqlState.OBJECT_NOT_IN_PREREQUISITE_STATE,
                        "two_phase_commit needs prepared transactions, and shard " + shard + " allows none")
                .withHint("Set max_prepared_transactions there to at least max_connections, and restart it.");
    }

    /** 55000: the table of decisions is missing. */
    static PgException noDecisionTable(int shard) {
        return new PgException(
                        SqlState.OBJECT_NOT_IN_PREREQUISITE_STATE,
                        "two_phase_commit needs the table trunkline.decision, which shard " + shard + " has not")
                .withHint("Run: trunkline setup --config FILE");
    }

    /** 55000: another process has the same instance_id. */
    static PgException instanceTwice(String instance, int shard) {
        return new PgException(
                        SqlState.OBJECT_NOT_IN_PREREQUISITE_STATE,
                        "another running instance is called \"" + instance + "\" (seen on shard " + shard + ")")
                .withHint("Give each instance an instance_id of its own, or none.");
    }

    /** 08001: the shard is there, or was, and says nothing. */
    static PgException noAnswer(int shard) {
        return new PgException(
                SqlState.SQLCLIENT_UNABLE_TO_ESTABLISH_SQLCONNECTION, "shard " + shard + " does not answer in time");
    }

    /** 42501: nobody may end what this user has prepared. */
    static PgException unknownOwner(String owner, String gid) {
        return new PgException(
                        SqlState.INSUFFICIENT_PRIVILEGE,
                        "prepared transaction " + gid + " belongs to \"" + owner + "\", who is not configured")
                .withHint("End it by hand, or add the user to the configuration.");
    }
}
