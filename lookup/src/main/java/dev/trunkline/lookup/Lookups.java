package dev.trunkline.lookup;

import dev.trunkline.lookup.source.LookupServer;
import dev.trunkline.lookup.source.QueryReads;
import dev.trunkline.lookup.source.ReadForm;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.KeyTranslations;
import dev.trunkline.routing.key.ShardingKey;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lookup maps of one database: what sessions read, verify and take back. Safe for any thread; needs a
 * {@link LookupVerticle} that was given this object, else every verification fails.
 */
public final class Lookups implements KeyTranslations {

    private static final int MAX_LOOKUPS = Long.SIZE;

    /** Of the wait: a read waits for locks for half of it. */
    private static final int PATIENCE_PERCENT = 60;

    private final LookupOptions options;
    private final LookupServer server;
    private final LookupBus bus;
    private final Timers timers;
    private final List<SharedLookup> lookups;

    /**
     * The lookups of a database; nothing is loaded yet.
     *
     * @param definitions by index, from 0 without gaps; at most 64
     * @param server shard 0's primary
     */
    public Lookups(
            Vertx vertx,
            String database,
            List<LookupDefinition> definitions,
            LookupOptions options,
            LookupServer server) {
        this(new LookupBus(vertx), new VertxTimers(vertx), database, definitions, options, server);
    }

    Lookups(
            LookupBus bus,
            Timers timers,
            String database,
            List<LookupDefinition> definitions,
            LookupOptions options,
            LookupServer server) {
        this.bus = bus;
        this.timers = timers;
        this.options = options;
        this.server = server;
        lookups = definitions.stream().map(SharedLookup::new).toList();
        for (int i = 0; i < lookups.size(); i++) {
            LookupDefinition definition = definitions.get(i);
            if (definition.index() != i
                    || i >= MAX_LOOKUPS
                    || !definition.database().equals(database)) {
                throw new IllegalArgumentException("lookups of one database are numbered from 0 to 63 without gaps");
            }
        }
    }

    /**
     * The published snapshot of a map. Before the first load, after an invalidation and while a change is being
     * committed it answers null for every key.
     */
    @Override
    public KeyTranslation translation(int lookup) {
        return lookups.get(lookup).map().current();
    }

    /**
     * Whether a snapshot still says what it said when it was taken. If not, the statement must be translated again
     * before it is sent: a writer has been told "done" since.
     *
     * @param used what {@link #translation} returned, {@link #verify} completed with or {@link OwnLookup} made
     */
    public boolean isCurrent(int lookup, KeyTranslation used) {
        if (used instanceof OwnTranslation own) {
            return own.isCurrent(lookups.get(lookup).map().current());
        }
        MapState basis = used instanceof VerifiedTranslation verified ? verified.basis() : (MapState) used;
        return lookups.get(lookup).map().current().continues(basis);
    }

    /**
     * Verifies keys that a snapshot does not hold.
     *
     * @param keys at least one; all keys of the statement that must be translated by the same snapshot. A snapshot that
     *     may not be published answers for these keys alone, so a caller that is told of further missing keys asks again
     *     for the union of both
     * @return completes on the caller's context, within the wait timeout, with one snapshot that answers every key, from
     *     a read that was sent after this call or that is published; fails with a PgException 40001 if a row is missing,
     *     the map cannot be loaded, shard 0 cannot be reached or the time is up
     */
    public Future<KeyTranslation> verify(int lookup, List<ShardingKey> keys) {
        return verify(lookup, keys, options.waitTimeout());
    }

    private Future<KeyTranslation> verify(int lookup, List<ShardingKey> keys, Duration wait) {
        SharedLookup asked = lookups.get(lookup);
        long deadline = timers.nanoTime() + wait.toNanos();
        return bus.verify(new LookupBus.Verify(this, asked, List.copyOf(keys), deadline), wait)
                .map(verified -> VerifiedTranslation.of(verified, asked.map().current()));
    }

    /**
     * The same for a transaction that may hold locks: what the loader waits for may wait for them in turn, which no
     * server sees. Such a transaction should read by itself then, see {@link #own}: what it has locked is not kept from
     * it.
     *
     * @return null if there is no answer a little after the loader has given up waiting for a lock for the first time
     */
    public Future<@Nullable KeyTranslation> verifySoon(int lookup, List<ShardingKey> keys) {
        return verify(
                        lookup,
                        keys,
                        options.waitTimeout().multipliedBy(PATIENCE_PERCENT).dividedBy(100))
                .recover(cause -> cause instanceof PgException failure && LookupErrors.isTimeout(failure)
                        ? Future.succeededFuture(null)
                        : Future.failedFuture(cause));
    }

    /**
     * Registers a transaction, or a statement that commits by itself, that may write relations behind lookup queries;
     * call it before the first such statement is sent.
     *
     * @param lookupMask bit i = the lookup with index i
     * @param insertOnly only if it is proven that the statement adds rows with new keys and does nothing else: a plain
     *     INSERT or COPY without ON CONFLICT DO UPDATE into a table with a valid, immediate, non-partial unique index on
     *     the key column, without triggers, rules or row security, behind a query of that table alone without
     *     aggregate, DISTINCT, join, subquery, window or LIMIT
     * @throws dev.trunkline.protocol.error.PgException 55P03 if writes of one of the lookups are paused
     */
    public LookupWrite beginWrite(long lookupMask, boolean insertOnly) {
        LookupWrite write = new LookupWrite(
                lookups, options.keepOnInsert(), timers, lookup -> bus.settled(new LookupBus.Settled(this, lookup)));
        write.widen(lookupMask, insertOnly);
        lookups.stream()
                .filter(lookup -> (lookupMask & 1L << lookup.definition().index()) != 0)
                .forEach(this::describe);
        return write;
    }

    /** Asks early: once the write has run, its locks may be in the way. */
    private void describe(SharedLookup lookup) {
        if (lookup.form() == null) {
            var unused = own(lookup.definition().index());
        }
    }

    /**
     * A lookup for a transaction that has written it and reads it by itself from then on.
     *
     * @return fails with 40001 if it is not known yet how the query is read and shard 0 does not tell
     */
    public Future<OwnLookup> own(int lookup) {
        SharedLookup asked = lookups.get(lookup);
        ReadForm known = asked.form();
        return known != null
                ? Future.succeededFuture(new OwnLookup(asked, known, options))
                : bus.form(new LookupBus.Form(this, asked), options.waitTimeout())
                        .map(form -> new OwnLookup(asked, form, options));
    }

    /**
     * The present moment, to be compared with later ones: a transaction takes it before its snapshot, so that
     * {@link OwnLookup#hasChangedSince} can tell whether that shows what is in force.
     */
    public static long moment() {
        return PublishedMap.lastGeneration();
    }

    /** Forgets every map: the next statement of each loads it anew. */
    public void flush() {
        lookups.forEach(lookup -> {
            lookup.map().invalidate();
            lookup.counters().invalidations.increment();
        });
    }

    /**
     * Refuses writes of a lookup table from now on, waits for the transactions that have written it, and loads its map,
     * which stays exact until {@link #resumeWrites}. Reads and translations go on. Only writes through this process are
     * refused.
     *
     * @param timeout how long to wait for transactions and load together
     * @return fails, and nothing is paused, with 55P03 if transactions did not end in time, with 40001 if the map could
     *     not be loaded
     */
    public Future<Void> pauseWrites(int lookup, Duration timeout) {
        return bus.pause(new LookupBus.Pause(this, lookups.get(lookup), timeout));
    }

    /** Ends {@link #pauseWrites}; without effect if nothing is paused. */
    public void resumeWrites(int lookup) {
        lookups.get(lookup).gate().resume();
    }

    /** Every map as it is now, by index. */
    public List<LookupStatus> status() {
        return lookups.stream().map(lookup -> LookupStatus.of(lookup, timers)).toList();
    }

    /**
     * What a lookup's query rests on, through views: the writes of each relation must be marked, each of them must be
     * omnisharded, and nothing that is called may answer otherwise another time.
     *
     * @return fails with 40001 if the server cannot be asked or refuses the query
     */
    public Future<QueryReads> reads(int lookup) {
        return bus.reads(new LookupBus.Reads(this, lookups.get(lookup)), options.waitTimeout());
    }

    LookupOptions options() {
        return options;
    }

    LookupServer server() {
        return server;
    }

    List<SharedLookup> all() {
        return lookups;
    }
}
