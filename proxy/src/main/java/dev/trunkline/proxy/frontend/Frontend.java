package dev.trunkline.proxy.frontend;

import dev.trunkline.conf.Configuration;
import dev.trunkline.proxy.engine.Cancels;
import dev.trunkline.proxy.engine.DatabaseState;
import dev.trunkline.proxy.engine.ServerNames;
import dev.trunkline.proxy.engine.Session;
import dev.trunkline.proxy.net.Loop;
import dev.trunkline.proxy.net.Wire;
import dev.trunkline.proxy.pool.LoopPool;
import dev.trunkline.proxy.pool.Pools;
import dev.trunkline.routing.AnalysisBuffers;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What one loop needs to log clients in.
 *
 * @param databases by name as clients know it
 * @param pools of this loop
 * @param buffers of this loop
 * @param sessions of this loop
 * @param clientCount clients of the whole process, logged in or on the way
 */
public record Frontend(
        Configuration configuration,
        Loop loop,
        Wire wire,
        Accounts accounts,
        CancelKeys cancelKeys,
        Map<String, DatabaseState> databases,
        Map<Pools.Key, LoopPool> pools,
        Cancels cancels,
        ServerNames names,
        AnalysisBuffers buffers,
        AtomicInteger clientCount,
        Set<Session> sessions,
        SecureRandom random) {

    /** Receives the clients of this loop; called by the wire. */
    public void accept(
            java.util.function.Function<dev.trunkline.proxy.net.FrameSink, dev.trunkline.proxy.net.WireChannel>
                    channel) {
        ClientLogin.begin(this, channel);
    }
}
