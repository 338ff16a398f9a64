package dev.trunkline.proxy;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.trunkline.conf.Configuration;
import dev.trunkline.conf.User;
import dev.trunkline.proxy.frontend.Admission;
import java.lang.management.ManagementFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many clients the process may have by the system's limit of open files. Clients must not take those that
 * connections to servers need: where there is no file left, nobody is served.
 */
final class OpenFiles {

    private static final Logger LOG = LoggerFactory.getLogger(OpenFiles.class);

    /** Connections outside of every pool (loads, catalogs, cancels) and files that are opened later. */
    private static final long OTHERS = 64;

    private OpenFiles() {}

    /** {@code max_client_connections}, or less where the system does not allow as many. */
    static int clientLimit(Configuration configuration) {
        int wanted = configuration.general().maxClientConnections();
        if (!(ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system)) {
            return wanted;
        }
        long free = system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount();
        int limit = clientLimit(wanted, free, serverConnections(configuration));
        if (limit < wanted) {
            LOG.warn(
                    "only {} of max_client_connections={} clients are let in: the process may open {} files",
                    limit,
                    wanted,
                    system.getMaxFileDescriptorCount());
        }
        return limit;
    }

    static int clientLimit(int wanted, long free, long serverConnections) {
        long left = free - serverConnections - OTHERS - Admission.RESERVE;
        return (int) Math.max(1, Math.min(wanted, left));
    }

    private static long serverConnections(Configuration configuration) {
        long connections = 0;
        for (User user : configuration.users()) {
            connections += (long) user.poolSize() * configuration.shardCount(user.database());
        }
        return connections;
    }
}
