package dev.trunkline.proxy.pool;

import java.time.Duration;

/**
 * The numbers of one configured pool.
 *
 * @param size greatest number of server connections, over all loops
 * @param minimumSize idle connections that are kept, over all loops
 * @param checkoutTimeout how long a session waits for a connection
 * @param connectTimeout how long a connection attempt may take, login included
 * @param idleTimeout an idle connection beyond the minimum is closed after this time; zero = never
 * @param lifetime a connection is closed after this time, when it is idle; zero = never
 * @param rollbackTimeout how long clean-up after a vanished session may take before the connection is closed
 * @param healthcheckInterval after this time an idle connection is asked for a sign of life; zero = never
 * @param healthcheckTimeout how long the sign may be out before the connection is closed
 */
public record PoolLimits(
        int size,
        int minimumSize,
        Duration checkoutTimeout,
        Duration connectTimeout,
        Duration idleTimeout,
        Duration lifetime,
        Duration rollbackTimeout,
        Duration healthcheckInterval,
        Duration healthcheckTimeout) {}
