package dev.trunkline.proxy;

import dev.trunkline.conf.Configuration;
import dev.trunkline.proxy.engine.DatabaseState;
import dev.trunkline.proxy.engine.PassThrough;
import dev.trunkline.proxy.engine.ServerNames;
import dev.trunkline.proxy.frontend.Accounts;
import dev.trunkline.proxy.frontend.AdminDoor;
import dev.trunkline.proxy.frontend.Admission;
import dev.trunkline.proxy.frontend.CancelKeys;
import dev.trunkline.proxy.frontend.PasswordEntries;
import dev.trunkline.proxy.net.Tls;
import dev.trunkline.proxy.pool.Pools;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * What the event loops of one process share, and nothing else: each part is immutable or made for many threads.
 *
 * @param port what clients connect to; with port 0 in the configuration known when the first loop listens
 */
record Shared(
        Supplier<Configuration> inForce,
        Supplier<Accounts> accounts,
        PasswordEntries entries,
        PassThrough passThrough,
        CancelKeys cancelKeys,
        Map<String, DatabaseState> databases,
        Pools pools,
        ServerNames names,
        AtomicInteger clientCount,
        Admission admission,
        ReserveLoops reserve,
        AtomicInteger port,
        SecureRandom random,
        Tls tls,
        AdminDoor admin) {

    /** The configuration in force. */
    Configuration configuration() {
        return inForce.get();
    }
}
