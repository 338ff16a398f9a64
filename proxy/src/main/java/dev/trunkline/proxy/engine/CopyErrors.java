package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.SqlState;
import dev.trunkline.routing.key.ShardingKey;
import dev.trunkline.routing.shard.CopyTarget;
import dev.trunkline.routing.shard.Lookup;

/** What COPY over several shards refuses or reports. */
final class CopyErrors {

    private CopyErrors() {}

    /** 0A000: the setting {@code copy_binary_lookup} admits it. */
    static PgException binaryIntoTranslated(CopyTarget target) {
        return new PgException(
                        SqlState.FEATURE_NOT_SUPPORTED,
                        "binary COPY into table \"" + target.label() + "\", whose sharding key is translated")
                .withHint("Use the text or CSV format, or set \"copy_binary_lookup\" to \"translate\".");
    }

    /** 0A000: keys are hashed as the servers store them, and how they would convert these is not known. */
    static PgException encoding(String name) {
        return new PgException(
                        SqlState.FEATURE_NOT_SUPPORTED,
                        "COPY into a sharded table is not supported in encoding \"" + name + "\"")
                .withHint("Convert the data to UTF8.");
    }

    /** 0A000: what marks or divides fields is a character of several bytes on one side or the other. */
    static PgException optionsNotAscii() {
        return new PgException(
                        SqlState.FEATURE_NOT_SUPPORTED,
                        "COPY options with characters beyond ASCII are not supported in this encoding")
                .withHint("Convert the data to UTF8.");
    }

    /** 40001: the mapping that the COPY's own transaction sees has no row for a key. */
    static PgException notMapped(CopyTarget target, Lookup lookup, ShardingKey key) {
        String column = target.shardingRule().column();
        return new PgException(
                        SqlState.SERIALIZATION_FAILURE,
                        "sharding key lookup failed: no row for a value (table \"" + lookup.table() + "\", column \""
                                + column + "\")")
                .withDetail("The lookup query returns no row for \"" + key + "\".")
                .withHint("Insert the mapping first; every value of the column needs a row.")
                .withObject(lookup.schema(), lookup.table(), column);
    }

    /** 0A000: each server would count for itself, and all of them could leave out more rows than the limit. */
    static PgException rejectLimit() {
        return new PgException(
                        SqlState.FEATURE_NOT_SUPPORTED,
                        "COPY option \"reject_limit\" is not supported over several shards")
                .withHint("Leave the option out: the servers tell how many rows they have skipped.");
    }

    /** 40001: rows have been sent by a mapping that has changed since. */
    static PgException mappingChanged(CopyTarget target) {
        return new PgException(
                        SqlState.SERIALIZATION_FAILURE,
                        "sharding key lookup failed: the mapping has changed during COPY into table \"" + target.label()
                                + "\"")
                .withDetail("Rows may have been sent to shards where they do not belong any more. Nothing is stored.")
                .withHint("Repeat the COPY.");
    }
}
