package dev.trunkline.proxy.frontend;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.Severity;
import dev.trunkline.protocol.error.SqlState;

/** Why a login is refused, beyond what the protocol's own errors say. */
final class FrontendErrors {

    private FrontendErrors() {}

    /** 42601, as PostgreSQL refuses a command line switch that it does not know. */
    static PgException unsupportedOption(String option) {
        return new PgException(
                        SqlState.SYNTAX_ERROR,
                        Severity.FATAL,
                        "unsupported command-line option in the start-up packet: " + option)
                .withHint("Only \"-c name=value\" and \"--name=value\" are supported.");
    }

    /** 0A000: a replication connection belongs to one server; there is no stream over shards. */
    static PgException replication() {
        return new PgException(
                        SqlState.FEATURE_NOT_SUPPORTED, Severity.FATAL, "replication connections are not supported")
                .withHint("Connect to the shard itself.");
    }
}
