package dev.trunkline.conf;

/**
 * What a table is that is named neither as sharded nor as omnisharded, on a database of several shards.
 *
 * @param mode the kind of treatment
 * @param shard the shard that holds such tables; 0 unless the mode is {@link Mode#SHARD}
 */
public record UnlistedTables(Mode mode, int shard) {

    /** Writes are refused, reads go to shard 0. */
    public static final UnlistedTables ERROR = new UnlistedTables(Mode.ERROR, 0);

    /** Omnisharded. */
    public static final UnlistedTables OMNI = new UnlistedTables(Mode.OMNI, 0);

    /** Kept on one shard. */
    public static UnlistedTables onShard(int shard) {
        return new UnlistedTables(Mode.SHARD, shard);
    }

    /** The kinds of treatment. */
    public enum Mode {
        /** Writes are refused, reads go to shard 0. */
        ERROR,
        /** The table is omnisharded. */
        OMNI,
        /** The table lives on one shard. */
        SHARD
    }
}
