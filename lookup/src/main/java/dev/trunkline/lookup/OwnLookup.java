package dev.trunkline.lookup;

import dev.trunkline.lookup.source.LookupQuery;
import dev.trunkline.lookup.source.OwnRows;
import dev.trunkline.lookup.source.ReadForm;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.ShardingKey;
import java.time.Duration;
import java.util.List;

/**
 * A lookup as a transaction that has written it reads it: on its own connection to shard 0, where its own rows are. Safe
 * for any thread.
 *
 * <p>Whoever carries the reads out sees to it that a read is sent after the statement began, and that nothing of it is
 * used for another statement.
 */
public final class OwnLookup {

    private final SharedLookup lookup;
    private final ReadForm form;
    private final LookupOptions options;

    OwnLookup(SharedLookup lookup, ReadForm form, LookupOptions options) {
        this.lookup = lookup;
        this.form = form;
        this.options = options;
    }

    /** A read of these keys: of their rows alone where that means the same as looking into the whole map. */
    public OwnRows read(List<ShardingKey> keys) {
        if (!form.probeable()) {
            return search(keys);
        }
        lookup.counters().ownReads.increment();
        return OwnRows.probe(query(), form, keys, timeoutMillis());
    }

    /** A read of these keys that goes through all rows. */
    public OwnRows search(List<ShardingKey> keys) {
        lookup.counters().ownReads.increment();
        return OwnRows.search(query(), form, keys, timeoutMillis());
    }

    /** A read of the whole map. */
    public OwnRows load() {
        lookup.counters().ownReads.increment();
        return OwnRows.load(query(), form, timeoutMillis());
    }

    private LookupQuery query() {
        return lookup.definition().query(options);
    }

    private long timeoutMillis() {
        return Math.max(1, options.waitTimeout().toMillis());
    }

    /** How long a statement may wait. */
    public Duration waitTimeout() {
        return options.waitTimeout();
    }

    /** True when the query's text means the same in every encoding and under every rule for strings. */
    public boolean isPlainText() {
        return lookup.definition().query().chars().allMatch(character -> character < 128 && character != '\\');
    }

    /** What was read, for one statement. */
    public KeyTranslation translation(OwnRows rows) {
        lookup.counters().ownHits.increment();
        return new OwnTranslation(rows.map(), lookup.map().current().generation());
    }

    /** Whether somebody's change of the lookup has been committed since a moment of {@link Lookups#moment()}. */
    public boolean hasChangedSince(long moment) {
        return lookup.map().current().generation() > moment;
    }

    /**
     * The newest of the commits that are on their way to the shards and write this lookup; 0 = there is none. A value may
     * be in the table on a shard that such a commit has reached: as long as it has not settled nobody may be told that
     * there is no row.
     */
    public long commitInFlight() {
        return lookup.commits().newest();
    }

    /** True when this commit and all before it have settled. */
    public boolean isSettled(long commit) {
        return lookup.commits().oldest() > commit;
    }

    /** 40001: no row for these keys. */
    public PgException noRow(List<ShardingKey> missing) {
        lookup.counters().ownMisses.increment();
        lookup.counters().unmapped.increment();
        return LookupErrors.noRow(lookup.definition(), missing);
    }

    /** 40001: no answer in time. */
    public PgException timedOut() {
        return LookupErrors.timedOut(lookup.definition(), options.waitTimeout());
    }

    /**
     * 40001: the server refuses the read.
     *
     * @param sqlState as the server said
     * @param message likewise
     */
    public PgException refused(String sqlState, String message) {
        // Messages of data exceptions quote the data, and a key value must not come into a log.
        boolean quotesData = sqlState.startsWith("22");
        return LookupErrors.loadFailed(
                lookup.definition(), quotesData ? "the query fails with SQLSTATE " + sqlState : message);
    }

    /** 40001: the rows are no map, or another failure of a read. */
    public PgException failed(RuntimeException cause) {
        return LoadFailure.of(lookup.definition(), cause).error();
    }

    /** 40001: what the transaction sees of the lookup is not what is in force. */
    public PgException outdated() {
        return LookupErrors.outdated(lookup.definition());
    }

    /** 0A000: the transaction cannot read the lookup as the loader does. */
    public PgException readsOtherwise(String reason) {
        return LookupErrors.readsOtherwise(lookup.definition(), reason);
    }
}
