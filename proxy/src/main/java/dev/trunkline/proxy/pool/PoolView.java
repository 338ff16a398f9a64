package dev.trunkline.proxy.pool;

import dev.trunkline.proxy.backend.ServerAddress;
import dev.trunkline.proxy.measure.Counters;
import java.util.ArrayList;
import java.util.List;

/**
 * A pool at one moment, on one loop or on all.
 *
 * @param idle connections that wait for a session
 * @param leased connections that sessions hold, borrowed ones included
 * @param waiting sessions that wait for a connection
 * @param longestWaitNanos how long the first of them has waited; 0 if there is none
 * @param isReachable false from an attempt to connect that failed to one that did not
 * @param isPaused sessions that hold no connection get none
 * @param isBanned an administrator has taken it out of use
 * @param counters since the start
 * @param servers its connections
 */
public record PoolView(
        Pools.Key key,
        ServerAddress address,
        PoolLimits limits,
        int idle,
        int leased,
        int waiting,
        long longestWaitNanos,
        boolean isReachable,
        boolean isPaused,
        boolean isBanned,
        Counters counters,
        List<ServerView> servers) {

    /** This part of a pool and another one as one. */
    PoolView with(PoolView other) {
        Counters sum = counters.copy();
        sum.add(other.counters);
        List<ServerView> all = new ArrayList<>(servers);
        all.addAll(other.servers);
        return new PoolView(
                key,
                address,
                limits,
                idle + other.idle,
                leased + other.leased,
                waiting + other.waiting,
                Math.max(longestWaitNanos, other.longestWaitNanos),
                isReachable && other.isReachable,
                isPaused || other.isPaused,
                isBanned || other.isBanned,
                sum,
                all);
    }

    /** Connections in a state. */
    public int count(ServerView.State state) {
        return (int) servers.stream().filter(server -> server.state() == state).count();
    }
}
