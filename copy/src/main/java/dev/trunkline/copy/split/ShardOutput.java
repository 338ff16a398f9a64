package dev.trunkline.copy.split;

/** Takes the pieces of the client's stream. The bytes are the caller's: to be copied or written at once. */
public interface ShardOutput {

    /** Bytes of rows of one shard; the rows may be incomplete, what is missing comes next for the same shard. */
    void bytes(int shard, byte[] bytes, int from, int end);

    /** Bytes that every shard gets: a header. */
    void toAll(byte[] bytes, int from, int end);
}
