package dev.trunkline.lookup;

import org.jspecify.annotations.Nullable;

/**
 * One map at one moment, for operators; counters count since the start.
 *
 * @param database the database's name as clients know it
 * @param table the lookup table
 * @param column the sharding key column
 * @param state what statements find
 * @param paused writes to the table are refused
 * @param generation raised by every invalidation; unique in the process
 * @param entries keys in the published map
 * @param bytes heap that the published map holds, about
 * @param ageMillis since the published map was read; -1 if none is
 * @param lastLoadMillis how long the last load took; 0 before the first
 * @param lastError why the last read failed; null if it did not
 * @param loads whole maps asked for
 * @param loadErrors of them, failed
 * @param rejectedLoads of them, overtaken by a write and not published
 * @param probes batches of single keys asked for
 * @param misses statements with a key that the published map did not hold
 * @param unmapped of them, refused because there is no row
 * @param timeouts of them, refused because the time was up
 * @param own of reads by transactions on their own connections
 * @param invalidations maps forgotten because of a write or a flush
 * @param writers transactions under way, or of unknown outcome, that have written the table
 */
public record LookupStatus(
        String database,
        String table,
        String column,
        State state,
        boolean paused,
        long generation,
        long entries,
        long bytes,
        long ageMillis,
        long lastLoadMillis,
        @Nullable String lastError,
        long loads,
        long loadErrors,
        long rejectedLoads,
        long probes,
        long misses,
        long unmapped,
        long timeouts,
        Own own,
        long invalidations,
        int writers) {

    /**
     * Reads of a lookup by transactions that have written it, or hold locks that the loader might wait for.
     *
     * @param reads sent
     * @param hits statements that were translated by them
     * @param misses statements that were refused because they found no row; counted as unmapped, too
     */
    public record Own(long reads, long hits, long misses) {}

    /** What a statement finds. */
    public enum State {
        /** Nothing: the first statement causes a load. */
        EMPTY,
        /** Nothing yet: a load is under way. */
        LOADING,
        /** A map. */
        LOADED,
        /** A change is being committed: every statement reads for itself. */
        CLOSED
    }

    static LookupStatus of(SharedLookup lookup, Timers timers) {
        LookupDefinition definition = lookup.definition();
        LookupCounters counters = lookup.counters();
        MapState map = lookup.map().current();
        return new LookupStatus(
                definition.database(),
                definition.table(),
                definition.column(),
                state(map, counters),
                lookup.gate().isPaused(),
                map.generation(),
                (long) map.base().size() + map.found().size(),
                map.base().bytes() + map.found().bytes(),
                map.isLoaded() ? (timers.nanoTime() - map.readNanos()) / 1_000_000 : -1,
                counters.lastLoadMillis(),
                counters.lastError(),
                counters.loads.sum(),
                counters.loadErrors.sum(),
                counters.rejectedLoads.sum(),
                counters.probes.sum(),
                counters.misses.sum(),
                counters.unmapped.sum(),
                counters.timeouts.sum(),
                new Own(counters.ownReads.sum(), counters.ownHits.sum(), counters.ownMisses.sum()),
                counters.invalidations.sum(),
                lookup.gate().writers());
    }

    private static State state(MapState map, LookupCounters counters) {
        if (map.isLoaded()) {
            return State.LOADED;
        }
        if (!map.isOpen()) {
            return State.CLOSED;
        }
        return counters.isLoading() ? State.LOADING : State.EMPTY;
    }
}
