package dev.trunkline.copy.split;

import dev.trunkline.copy.format.RowScanner.KeyValue;

/** Says where the rows of a key belong. Called once per row: it should not allocate. */
public interface KeyPlacement {

    /** The key must be asked for first: see {@link CopySplitter#resume}. */
    int UNKNOWN = -1;

    /**
     * The shard of a row.
     *
     * @param bytes hold the value, decoded, in the stream's encoding, from {@code offset}; not to be kept
     * @return from 0, or {@link #UNKNOWN}
     * @throws dev.trunkline.protocol.error.PgException if the row cannot be stored
     */
    int shard(KeyValue value, byte[] bytes, int offset, int length);
}
