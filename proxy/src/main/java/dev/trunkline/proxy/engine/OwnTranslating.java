package dev.trunkline.proxy.engine;

import dev.trunkline.lookup.OwnLookup;
import dev.trunkline.lookup.source.OwnRows;
import dev.trunkline.protocol.backend.ResponseFields;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.SqlState;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.ShardingKey;
import io.vertx.core.Promise;
import java.util.List;
import java.util.function.Consumer;

/**
 * The translation of one statement in a transaction that has written the lookup itself: read in this transaction, so
 * that it sees the transaction's own rows, and kept for this statement alone.
 *
 * <p>No row means that there is none only when no commit was on its way to the shards as the statement began: else what
 * it writes is waited for, and read again. A transaction with a snapshot of its own does not see what others have
 * committed since; where that could matter it is to be repeated.
 */
final class OwnTranslating {

    /** How often it is looked whether a commit that is on its way has arrived: one takes a few milliseconds. */
    private static final long SETTLED_POLL_MILLIS = 2;

    private final Session session;
    private final int lookup;
    private final List<ShardingKey> keys;
    private final Consumer<KeyTranslation> then;
    private final Consumer<Fault> failed;
    private final long startedNanos = System.nanoTime();

    private OwnTranslating(
            Session session,
            int lookup,
            List<ShardingKey> keys,
            Consumer<KeyTranslation> then,
            Consumer<Fault> failed) {
        this.session = session;
        this.lookup = lookup;
        this.keys = keys;
        this.then = then;
        this.failed = failed;
    }

    /** Translates these keys, at least one. */
    static void ofKeys(
            Session session,
            int lookup,
            List<ShardingKey> keys,
            Consumer<KeyTranslation> then,
            Consumer<Fault> failed) {
        OwnTranslating translating = new OwnTranslating(session, lookup, keys, then, failed);
        translating.withLookup(own -> translating.read(own, own.read(keys), own.commitInFlight()));
    }

    /** Reads the whole map, for a COPY: while it runs the connection to shard 0 takes its rows. */
    static void ofAll(Session session, int lookup, Consumer<KeyTranslation> then, Consumer<Fault> failed) {
        OwnTranslating translating = new OwnTranslating(session, lookup, List.of(), then, failed);
        translating.withLookup(own -> {
            long commit = own.commitInFlight();
            translating.whenSettled(own, commit, () -> translating.read(own, own.load(), 0));
        });
    }

    private void withLookup(Consumer<OwnLookup> use) {
        session.routing()
                .await(
                        session.database().lookups().own(lookup),
                        own -> {
                            if (own.isPlainText() || isUsualText()) {
                                use.accept(own);
                            } else {
                                fail(own.readsOtherwise("the lookup query holds what client_encoding or"
                                        + " standard_conforming_strings may change"));
                            }
                        },
                        failed);
    }

    private boolean isUsualText() {
        return session.routing().context().standardConformingStrings()
                && "UTF8".equalsIgnoreCase(session.reported().value("client_encoding"));
    }

    private void read(OwnLookup own, OwnRows rows, long commitInFlight) {
        new OwnReading(session, rows, new OwnReading.Outcome() {
                    @Override
                    public void read() {
                        answered(own, rows, commitInFlight);
                    }

                    @Override
                    public void faulty(RuntimeException fault) {
                        fail(own.failed(fault));
                    }

                    @Override
                    public void refused(Fault fault) {
                        OwnTranslating.this.refused(own, rows, commitInFlight, fault);
                    }

                    @Override
                    public void failed(Fault fault) {
                        failed.accept(fault);
                    }
                })
                .start();
    }

    private void answered(OwnLookup own, OwnRows rows, long commitInFlight) {
        if (rows.isElsewhere()) {
            fail(own.readsOtherwise("this user finds other schemas than the one that loads the map"));
        } else if (!rows.sessionUser().equals(session.place().serverUser())) {
            fail(own.readsOtherwise("the session authorization has been changed"));
        } else if (rows.isOfSnapshot()
                && own.hasChangedSince(session.transaction().moment())) {
            fail(own.outdated());
        } else if (rows.missing().isEmpty()) {
            then.accept(own.translation(rows));
        } else if (rows.isOfSnapshot()) {
            verifyElsewhere(own, rows.missing());
        } else if (commitInFlight != 0) {
            whenSettled(own, commitInFlight, () -> read(own, own.read(keys), 0));
        } else {
            fail(own.noRow(rows.missing()));
        }
    }

    /** What the snapshot lacks may have been committed since. */
    private void verifyElsewhere(OwnLookup own, List<ShardingKey> missing) {
        session.routing()
                .await(session.database().lookups().verify(lookup, missing), found -> fail(own.outdated()), failed);
    }

    /** Goes on when a commit has reached every shard, or is known not to. */
    private void whenSettled(OwnLookup own, long commit, Runnable then) {
        if (own.isSettled(commit)) {
            then.run();
            return;
        }
        Promise<Void> settled = Promise.promise();
        poll(own, commit, settled);
        session.routing().await(settled.future(), done -> then.run(), failed);
    }

    private void poll(OwnLookup own, long commit, Promise<Void> settled) {
        if (own.isSettled(commit)) {
            settled.complete();
        } else if (isOver(own)) {
            settled.fail(own.timedOut());
        } else {
            session.loop().later(SETTLED_POLL_MILLIS, () -> poll(own, commit, settled));
        }
    }

    private boolean isOver(OwnLookup own) {
        return System.nanoTime() - startedNanos >= own.waitTimeout().toNanos();
    }

    // ---- what the server refuses

    private void refused(OwnLookup own, OwnRows rows, long commitInFlight, Fault fault) {
        ResponseFields said = fault.response().fields();
        SqlState state = SqlState.of(said.sqlState());
        if (state == SqlState.LOCK_NOT_AVAILABLE || state == SqlState.QUERY_CANCELED && isOver(own)) {
            fail(own.timedOut());
        } else if (state == SqlState.QUERY_CANCELED || said.sqlState().startsWith("40")) {
            failed.accept(fault);
        } else if (rows.isProbe()) {
            // The column may not be what it was when the query was looked at.
            read(own, own.search(keys), commitInFlight);
        } else {
            fail(own.refused(said.sqlState(), said.message()));
        }
    }

    private void fail(PgException reason) {
        failed.accept(Fault.of(reason));
    }
}
