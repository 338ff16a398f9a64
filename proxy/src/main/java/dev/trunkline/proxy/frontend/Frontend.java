package dev.trunkline.proxy.frontend;

import dev.trunkline.conf.Configuration;
import dev.trunkline.proxy.engine.Cancels;
import dev.trunkline.proxy.engine.DatabaseState;
import dev.trunkline.proxy.engine.PassThrough;
import dev.trunkline.proxy.engine.RouteCounters;
import dev.trunkline.proxy.engine.ServerNames;
import dev.trunkline.proxy.engine.Session;
import dev.trunkline.proxy.net.Loop;
import dev.trunkline.proxy.net.Wire;
import dev.trunkline.proxy.pool.LoopPools;
import dev.trunkline.routing.AnalysisBuffers;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * What one loop needs to log clients in.
 *
 * @param accounts those in force; a login keeps the ones that it began with
 * @param entries of users that the configuration does not know
 * @param databases by name as clients know it
 * @param pools of this loop
 * @param buffers of this loop
 * @param sessions of this loop
 * @param routes of this loop, by database
 * @param clientCount clients of the whole process, logged in or on the way
 * @param admission whether they are let in
 * @param admin the admin database
 */
public record Frontend(
        Supplier<Configuration> inForce,
        Loop loop,
        Wire wire,
        Supplier<Accounts> accounts,
        PasswordEntries entries,
        PassThrough passThrough,
        CancelKeys cancelKeys,
        Map<String, DatabaseState> databases,
        LoopPools pools,
        Cancels cancels,
        ServerNames names,
        AnalysisBuffers buffers,
        AtomicInteger clientCount,
        Admission admission,
        Set<Session> sessions,
        Map<String, RouteCounters> routes,
        SecureRandom random,
        AdminDoor admin) {

    /** The configuration in force. */
    Configuration configuration() {
        return inForce.get();
    }

    /** Receives the clients of this loop; called by the wire. */
    public void accept(
            java.util.function.Function<dev.trunkline.proxy.net.FrameSink, dev.trunkline.proxy.net.WireChannel>
                    channel) {
        ClientLogin.begin(this, channel);
    }
}
