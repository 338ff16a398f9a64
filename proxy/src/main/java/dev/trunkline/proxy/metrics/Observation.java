package dev.trunkline.proxy.metrics;

import dev.trunkline.conf.Configuration;
import dev.trunkline.lookup.LookupStatus;
import dev.trunkline.proxy.engine.ClientView;
import dev.trunkline.proxy.engine.RouteCounters;
import dev.trunkline.proxy.measure.Timings;
import dev.trunkline.proxy.pool.PoolView;
import java.util.List;
import java.util.Map;

/**
 * The whole process at one moment. Numbers of different event loops are of slightly different moments.
 *
 * @param configuration in force
 * @param pools sorted by database, user and shard
 * @param timings by database
 * @param routes by database; without those that no client has used
 * @param lookups by database, in the order of its rules
 * @param transactions by database, those that use two-phase commit
 * @param listening by database
 * @param ready by database: true when it can be served
 * @param clients those that are logged in
 * @param clientCount those on the way included
 * @param plans of statement shapes
 * @param preparedCount names given to prepared statements
 * @param preparedBytes their texts and types, about
 * @param averages since a while ago
 * @param isDraining no client is accepted any more
 */
public record Observation(
        Configuration configuration,
        List<PoolView> pools,
        Map<String, Timings> timings,
        Map<String, RouteCounters> routes,
        Map<String, List<LookupStatus>> lookups,
        Map<String, InTwoPhases> transactions,
        Map<String, Listening> listening,
        Map<String, Boolean> ready,
        List<ClientView> clients,
        int clientCount,
        Plans plans,
        long preparedCount,
        long preparedBytes,
        Averages averages,
        boolean isDraining) {

    /**
     * Transactions over several shards.
     *
     * @param committing the names of those that sessions are committing
     * @param recovered how many of owners that were gone have been brought to their end
     */
    public record InTwoPhases(List<String> committing, long recovered) {}

    /**
     * LISTEN in transaction mode.
     *
     * @param clients pairs of a client and a channel
     * @param received notifications from servers
     * @param dropped of them, those that a client was too slow for
     */
    public record Listening(long clients, long received, long dropped) {}

    /**
     * The cache of route plans.
     *
     * @param count plans in it
     * @param analyses statements that asked it
     * @param misses of them, those that were analysed anew
     */
    public record Plans(long count, long analyses, long misses) {

        /** Statements whose shape was known. */
        public long hits() {
            return Math.max(0, analyses - misses);
        }
    }
}
