package dev.trunkline.proxy.engine;

import dev.trunkline.proxy.net.Loop;
import dev.trunkline.proxy.net.Wire;
import dev.trunkline.proxy.pool.LoopPool;
import dev.trunkline.routing.AnalysisBuffers;

/**
 * Where a session lives: what the sessions of one user and database on one loop share.
 *
 * @param user as clients name it
 * @param serverUser the role that the session has on the servers
 * @param pools by shard
 * @param isSessionMode server connections are kept until the client leaves
 * @param preparedLimit prepared statements kept on one server connection
 * @param patienceMillis how long what a vanished client had sent may take before it is cancelled
 * @param routes of this database on this loop
 * @param slowNanos what a request may take before it is logged
 * @param whenEnded hears of the session's end
 */
public record SessionPlace(
        Loop loop,
        Wire wire,
        DatabaseState database,
        String user,
        String serverUser,
        LoopPool[] pools,
        boolean isSessionMode,
        int preparedLimit,
        long patienceMillis,
        AnalysisBuffers buffers,
        ServerNames names,
        Cancels cancels,
        RouteCounters routes,
        long slowNanos,
        Runnable whenEnded) {

    /** The same client's place after its database has come to be served in another way. */
    public SessionPlace on(DatabaseState successor, String newServerUser, LoopPool[] newPools) {
        return new SessionPlace(
                loop,
                wire,
                successor,
                user,
                newServerUser,
                newPools,
                isSessionMode,
                preparedLimit,
                patienceMillis,
                buffers,
                names,
                cancels,
                routes,
                slowNanos,
                whenEnded);
    }

    void ended() {
        whenEnded.run();
    }
}
