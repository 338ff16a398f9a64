package dev.trunkline.proxy.twophase;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two-phase commit for one database: names its transactions, knows which of them sessions of this process look after,
 * and brings all others to their end. Safe for any thread.
 *
 * <p>Nothing is kept outside of the shards. A transaction is committed if and only if its row {@code commit} stands in
 * {@code trunkline.decision} on its deciding shard, which is written and committed together with that shard's data. Who
 * finds a prepared transaction whose owner is gone inserts a row {@code abort} first: if that succeeds the owner's own
 * insert cannot any more, should it only have been slow.
 */
public final class TwoPhase {

    private static final Logger LOG = LoggerFactory.getLogger(TwoPhase.class);

    /** So often it is looked for transactions whose owner is gone, and decisions that have been carried out go. */
    private static final long PERIOD_MILLIS = 2_000;

    /** A look is some milliseconds' work and waits for no lock: a shard that needs longer is left to the next. */
    private static final long LONGEST_LOOK_MILLIS = 2_000;

    /** So long a decision may wait for a transaction that is open, below the time after which nobody waits any more. */
    private static final long LONGEST_STATEMENT_MILLIS = 4_000;

    private static final long LONGEST_WAIT_MILLIS = 5_000;

    /** As many at once as a commit of each may need after a shard was lost; more are waiting for one that hangs. */
    private static final int MOST_CONNECTIONS = 16;

    private final Vertx vertx;
    private final String instance;
    private final int shardCount;
    private final ShardServers servers;
    private final Runnable committed;
    private final boolean automatic;
    private final AtomicLong numbers;
    private final Set<GlobalTransaction> lookedAfter = ConcurrentHashMap.newKeySet();
    private final ConcurrentLinkedQueue<GlobalTransaction> carriedOut = new ConcurrentLinkedQueue<>();
    private final List<Liveness> liveness;
    private final ConcurrentHashMap<GlobalTransaction, Promise<Void>> awaited = new ConcurrentHashMap<>();
    private final AtomicLong recovered = new AtomicLong();
    private final AtomicIntegerArray opened;
    private final AtomicBoolean recovers = new AtomicBoolean();
    private volatile boolean ended;

    /**
     * One database's.
     *
     * @param instance the {@code instance_id}
     * @param firstNumber random, so that numbers are not used again after a restart
     * @param automatic single statements that write on several shards commit in two phases as well
     * @param committed called when a transaction of somebody who is gone has been committed: what was read before may
     *     be stale
     */
    public TwoPhase(
            Vertx vertx,
            String instance,
            long firstNumber,
            int shardCount,
            ShardServers servers,
            boolean automatic,
            Runnable committed) {
        this.vertx = vertx;
        this.instance = instance;
        this.numbers = new AtomicLong(firstNumber);
        this.shardCount = shardCount;
        this.servers = servers;
        this.automatic = automatic;
        this.committed = committed;
        this.opened = new AtomicIntegerArray(shardCount);
        this.liveness = IntStream.range(0, shardCount)
                .mapToObj(shard -> new Liveness(vertx, servers, shard, instance))
                .toList();
    }

    /** True when single statements that write on several shards commit in two phases as well. */
    public boolean isAutomatic() {
        return automatic;
    }

    /** How many transactions of owners that were gone have been brought to their end. */
    public long recovered() {
        return recovered.get();
    }

    /** The transactions that sessions of this process are committing. */
    public Set<GlobalTransaction> underWay() {
        return Set.copyOf(lookedAfter);
    }

    /**
     * Checks that every shard can take part, shows that this instance lives, and recovers what earlier ones have left.
     *
     * @return fails with what is missing, or because a shard cannot be reached
     */
    public Future<Void> start() {
        return onEachShard(this::check)
                .compose(all -> Future.all(liveness.stream().map(Liveness::take).toList()))
                .compose(all -> recover())
                .onSuccess(done -> {
                    if (recovers.compareAndSet(false, true)) {
                        recoverLater();
                    }
                })
                .mapEmpty();
    }

    private Future<Void> check(int shard) {
        return with(shard, connection -> connection.query(DecisionTable.CHECK).execute())
                .compose(rows -> {
                    var row = rows.iterator().next();
                    if (row.getInteger(0) == 0) {
                        return Future.failedFuture(TwoPhaseErrors.noPreparedTransactions(shard));
                    }
                    return row.getBoolean(1)
                            ? Future.succeededFuture()
                            : Future.failedFuture(TwoPhaseErrors.noDecisionTable(shard));
                });
    }

    /** Ends the periodic work. */
    public void end() {
        ended = true;
        liveness.forEach(Liveness::end);
    }

    // ---- transactions of this process

    /** A transaction that a session begins to commit, and looks after until it says otherwise. */
    public GlobalTransaction begin(int decider) {
        GlobalTransaction transaction = new GlobalTransaction(instance, numbers.getAndIncrement(), decider);
        lookedAfter.add(transaction);
        return transaction;
    }

    /** Every shard has committed it: its decision may be forgotten. */
    public void carriedOut(GlobalTransaction transaction) {
        lookedAfter.remove(transaction);
        carriedOut.add(transaction);
    }

    /** Nothing of it is left anywhere. */
    public void undone(GlobalTransaction transaction) {
        lookedAfter.remove(transaction);
    }

    /** Completes, on any thread, when the transaction has come to its end on every shard, however long that takes. */
    public Future<Void> settled(GlobalTransaction transaction) {
        return awaited.computeIfAbsent(transaction, absent -> Promise.promise()).future();
    }

    /**
     * Brings a transaction to its end of which a session does not know how it stands: finds out or makes the decision,
     * then carries it out on every shard. If a shard cannot be reached it is tried again and again.
     *
     * @return whether it is committed, when it has been carried out everywhere; fails at the first attempt that does not
     *     succeed, while it goes on in the background
     */
    public Future<Boolean> resolve(GlobalTransaction transaction) {
        return settle(transaction).onComplete(done -> lookedAfter.remove(transaction));
    }

    private Future<Boolean> settle(GlobalTransaction transaction) {
        return decision(transaction)
                .compose(commit ->
                        onEachShard(shard -> end(transaction, shard, commit)).map(all -> commit))
                .onSuccess(commit -> {
                    if (commit) {
                        carriedOut.add(transaction);
                        committed.run();
                    }
                    Promise<Void> waits = awaited.remove(transaction);
                    if (waits != null) {
                        waits.complete();
                    }
                });
    }

    /** The decision, made now if it has not been: an owner that is slow cannot make another one afterwards. */
    private Future<Boolean> decision(GlobalTransaction transaction) {
        Tuple key = Tuple.of(transaction.key());
        return with(
                transaction.decider(),
                connection -> connection
                        .preparedQuery(DecisionTable.GIVE_UP)
                        .execute(key)
                        .compose(done ->
                                connection.preparedQuery(DecisionTable.OUTCOME).execute(key))
                        .map(rows -> rows.iterator().next().getString(0).equals("commit")));
    }

    private Future<Void> end(GlobalTransaction transaction, int shard, boolean commit) {
        if (shard == transaction.decider()) {
            return Future.succeededFuture();
        }
        String gid = transaction.gid(shard);
        return with(
                        shard,
                        connection ->
                                connection.preparedQuery(DecisionTable.OWNER).execute(Tuple.of(gid)))
                .compose(rows -> {
                    if (rows.size() == 0) {
                        return Future.succeededFuture();
                    }
                    return end(gid, rows.iterator().next().getString(0), shard, commit);
                });
    }

    private Future<Void> end(String gid, String owner, int shard, boolean commit) {
        var options = servers.options(shard, owner);
        if (options == null) {
            return Future.failedFuture(TwoPhaseErrors.unknownOwner(owner, gid));
        }
        return PgConnection.connect(vertx, options)
                .compose(connection -> connection
                        .query((commit ? "COMMIT" : "ROLLBACK") + " PREPARED '" + gid + "'")
                        .execute()
                        .recover(TwoPhase::unlessGone)
                        .eventually(() -> connection.close()))
                .<Void>mapEmpty()
                .timeout(LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS)
                .onSuccess(done -> {
                    if (commit) {
                        // Others may take longer: what this shard says of the lookup tables has changed now.
                        committed.run();
                    }
                });
    }

    /** Another instance was faster: it goes by the same decision. */
    private static <T> Future<T> unlessGone(Throwable fault) {
        boolean gone = fault instanceof PgException refused && "42704".equals(refused.getSqlState());
        return gone ? Future.succeededFuture() : Future.failedFuture(fault);
    }

    // ---- recovery

    private void recoverLater() {
        vertx.setTimer(PERIOD_MILLIS, timer -> {
            if (!ended) {
                var unused = recover()
                        .onFailure(fault -> LOG.warn("recovery of transactions: {}", fault.getMessage()))
                        .onComplete(done -> recoverLater());
            }
        });
    }

    /** One look at every shard; shards that cannot be reached are looked at the next time. */
    private Future<Void> recover() {
        List<Future<List<GlobalTransaction>>> found =
                IntStream.range(0, shardCount).mapToObj(this::prepared).toList();
        return Future.join(found).otherwiseEmpty().compose(all -> {
            List<GlobalTransaction> left = found.stream()
                    .filter(Future::succeeded)
                    .flatMap(each -> each.result().stream())
                    .distinct()
                    .toList();
            boolean complete = found.stream().allMatch(Future::succeeded);
            return recover(left).compose(done -> forget(left, complete));
        });
    }

    private Future<List<GlobalTransaction>> prepared(int shard) {
        return look(
                        shard,
                        connection -> connection.query(DecisionTable.PREPARED).execute())
                .map(rows -> {
                    List<GlobalTransaction> transactions = new ArrayList<>();
                    rows.forEach(row -> {
                        GlobalTransaction.Part part = GlobalTransaction.parse(row.getString(0));
                        if (part != null
                                && part.shard() == shard
                                && part.transaction().decider() < shardCount) {
                            transactions.add(part.transaction());
                        }
                    });
                    return transactions;
                });
    }

    private Future<Void> recover(List<GlobalTransaction> prepared) {
        Future<Void> chain = Future.succeededFuture();
        for (GlobalTransaction transaction : prepared) {
            chain = chain.compose(done -> recover(transaction).otherwise(fault -> {
                LOG.warn("cannot end the transaction {} yet: {}", transaction.key(), fault.getMessage());
                return null;
            }));
        }
        return chain;
    }

    private Future<Void> recover(GlobalTransaction transaction) {
        if (lookedAfter.contains(transaction)) {
            return Future.succeededFuture();
        }
        Future<Boolean> alive =
                transaction.instance().equals(instance) ? Future.succeededFuture(false) : isAlive(transaction);
        return alive.compose(owned -> {
            if (owned || lookedAfter.contains(transaction)) {
                return Future.succeededFuture();
            }
            return settle(transaction)
                    .onSuccess(commit -> {
                        recovered.incrementAndGet();
                        LOG.info(
                                "transaction {}, left behind, is {}",
                                transaction.key(),
                                commit ? "committed" : "rolled back");
                    })
                    .mapEmpty();
        });
    }

    /** True when the instance that began a transaction still shows the deciding shard that it lives. */
    private Future<Boolean> isAlive(GlobalTransaction transaction) {
        Tuple lock = Tuple.of(Liveness.lockOf(transaction.instance()));
        return look(
                transaction.decider(),
                connection -> connection
                        .preparedQuery(DecisionTable.TRY_LOCK)
                        .execute(lock)
                        .compose(rows -> rows.iterator().next().getBoolean(0)
                                ? connection
                                        .preparedQuery(DecisionTable.UNLOCK)
                                        .execute(lock)
                                        .map(unlocked -> false)
                                : Future.succeededFuture(true)));
    }

    /** Deletes decisions that nobody will ask for any more. */
    private Future<Void> forget(List<GlobalTransaction> prepared, boolean complete) {
        List<GlobalTransaction> done = new ArrayList<>();
        for (GlobalTransaction each = carriedOut.poll(); each != null; each = carriedOut.poll()) {
            done.add(each);
        }
        String[] standing = prepared.stream().map(GlobalTransaction::key).toArray(String[]::new);
        return onEachShard(shard -> {
                    List<GlobalTransaction> decidedHere = done.stream()
                            .filter(each -> each.decider() == shard)
                            .toList();
                    if (decidedHere.isEmpty() && !complete) {
                        return Future.succeededFuture();
                    }
                    String[] keys =
                            decidedHere.stream().map(GlobalTransaction::key).toArray(String[]::new);
                    return look(
                                    shard,
                                    connection -> connection
                                            .preparedQuery(DecisionTable.FORGET)
                                            .execute(Tuple.of(keys))
                                            .compose(forgotten -> complete
                                                    ? connection
                                                            .preparedQuery(DecisionTable.FORGET_OLD)
                                                            .execute(Tuple.of(standing))
                                                    : Future.succeededFuture()))
                            .onFailure(fault -> carriedOut.addAll(decidedHere))
                            .<Void>mapEmpty()
                            .otherwiseEmpty();
                })
                .mapEmpty();
    }

    // ---- connections

    private Future<Void> onEachShard(Function<Integer, Future<Void>> action) {
        return Future.join(IntStream.range(0, shardCount)
                        .mapToObj(shard -> action.apply(shard))
                        .toList())
                .mapEmpty();
    }

    /** For what no lock can delay: over the connection that is open anyway, if it is. */
    private <T> Future<T> look(int shard, Function<PgConnection, Future<T>> action) {
        PgConnection open = liveness.get(shard).connection();
        if (open == null) {
            return with(shard, action);
        }
        return action.apply(open)
                .timeout(LONGEST_LOOK_MILLIS, TimeUnit.MILLISECONDS)
                .onFailure(fault -> {
                    if (fault instanceof TimeoutException) {
                        // What is asked next would wait behind it.
                        var unused = open.close();
                    }
                });
    }

    /** Over a connection of its own, which a shard that hangs keeps waiting, and not the caller. */
    private <T> Future<T> with(int shard, Function<PgConnection, Future<T>> action) {
        if (opened.incrementAndGet(shard) > MOST_CONNECTIONS) {
            opened.decrementAndGet(shard);
            return Future.failedFuture(TwoPhaseErrors.noAnswer(shard));
        }
        PgConnectOptions options = servers.options(shard);
        // It may wait for the transaction of an owner that stands still: another look will find it again.
        options.addProperty("statement_timeout", Long.toString(LONGEST_STATEMENT_MILLIS));
        return PgConnection.connect(vertx, options)
                .compose(connection -> action.apply(connection).eventually(() -> connection.close()))
                .onComplete(done -> opened.decrementAndGet(shard))
                .timeout(LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS)
                .recover(fault -> Future.failedFuture(
                        fault instanceof TimeoutException ? TwoPhaseErrors.noAnswer(shard) : fault));
    }
}
