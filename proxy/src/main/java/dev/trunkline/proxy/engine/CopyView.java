package dev.trunkline.proxy.engine;

import java.util.List;

/**
 * One COPY FROM STDIN over several shards at one moment.
 *
 * @param client the process ID that the client was told
 * @param user as the client named itself
 * @param table the one that is filled
 * @param format text, csv or binary
 * @param state copying, verifying a key, ending (what was copied is being checked) or finishing (the servers end it)
 * @param runningNanos since the servers were ready
 * @param shards what has been sent to each
 */
public record CopyView(
        int client, String user, String table, String format, String state, long runningNanos, List<Share> shards) {

    /**
     * What one shard has got.
     *
     * @param rows -1 where nobody counts them: every shard gets all
     * @param bytes of rows and header
     */
    public record Share(int shard, long rows, long bytes) {}
}
