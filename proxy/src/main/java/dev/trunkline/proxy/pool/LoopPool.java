package dev.trunkline.proxy.pool;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.proxy.backend.BackendErrors;
import dev.trunkline.proxy.backend.ServerAddress;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.proxy.backend.ServerOpening;
import dev.trunkline.proxy.backend.Unattended;
import dev.trunkline.proxy.measure.Counters;
import dev.trunkline.proxy.measure.Measure;
import dev.trunkline.proxy.measure.Timing;
import dev.trunkline.proxy.measure.Timings;
import dev.trunkline.proxy.net.Loop;
import dev.trunkline.proxy.net.Wire;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of one event loop to one server. Waiters are served in order; the connection used last is used first.
 * All methods are called on the loop, save {@link #permitFreed} and {@link #offer}.
 *
 * <p>A connection is idle here, leased to a session, or lent to another loop; it belongs to the loop that opened it and
 * comes back to it after every loan.
 */
public final class LoopPool {

    private static final Logger LOG = LoggerFactory.getLogger(LoopPool.class);

    /** A loop whose waiter has waited this long asks the other loops for an idle connection. */
    private static final long BORROW_AFTER_MILLIS = 5;

    /** A loop that has more than its share gives up one connection in this time at most: opening one costs 25 ms. */
    private static final long DRIFT_NANOS = 50_000_000;

    /** Connections that one loop opens at a time: a server is not to be overrun by all that it may have. */
    private static final int MOST_OPENING = 8;

    private final Loop loop;
    private final Wire wire;
    private final ServerAddress address;
    private PoolLimits limits;
    private final Permits permits;
    private final List<LoopPool> siblings;

    private final Timings timings;
    private final Counters counters = new Counters();
    /** Those that this loop has opened, wherever they are. */
    private final List<ServerConnection> owned = new ArrayList<>(1);

    private final Idle whileIdle = new Idle();
    private final IdleConnections idle = new IdleConnections();
    private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
    /** Those who came while the pool was paused; how long they wait is the administrator's affair. */
    private final ArrayDeque<Waiter> held = new ArrayDeque<>(0);

    private int opening;
    private int open;
    private int leased;
    private boolean hungry;
    private volatile long hungrySinceNanos;
    private boolean borrowTimer;
    private boolean expiring;
    private long waited;
    private long driftedNanos = System.nanoTime();
    private final ConnectPause connectPause = new ConnectPause();
    private boolean closed;
    private boolean paused;
    private boolean banned;

    LoopPool(
            Loop loop,
            Wire wire,
            ServerAddress address,
            PoolLimits limits,
            Permits permits,
            List<LoopPool> siblings,
            Timings timings) {
        this.loop = loop;
        this.wire = wire;
        this.address = address;
        this.limits = limits;
        this.permits = permits;
        this.siblings = siblings;
        this.timings = timings;
    }

    public ServerAddress address() {
        return address;
    }

    public PoolLimits limits() {
        return limits;
    }

    /** Changes the numbers, for what happens from now on. */
    void limits(PoolLimits newLimits) {
        limits = newLimits;
        openUpTo(limits.size());
    }

    /** Connections that sessions of this loop hold, borrowed ones included. */
    public int leased() {
        return leased;
    }

    /** Connections that wait here for a session. */
    public int idle() {
        return idle.size();
    }

    /** Sessions of this loop that wait for a connection. */
    public int waiting() {
        return waiters.size();
    }

    /** The numbers above, taken on the loop; from any thread. */
    Future<Pools.Counts> counts(Pools.Key key) {
        Promise<Pools.Counts> counted = Promise.promise();
        loop.execute(() -> counted.complete(new Pools.Counts(key, idle.size(), leased, waiters.size())));
        return counted.future();
    }

    /** Does something with this pool on its loop, and completes there; from any thread. */
    Future<Void> onLoop(Consumer<LoopPool> action) {
        Promise<Void> done = Promise.promise();
        loop.execute(() -> {
            action.accept(this);
            done.complete();
        });
        return done.future();
    }

    /** Connections given to sessions that did not have to wait. */
    long assignedAtOnce() {
        return counters.get(Measure.SERVER_ASSIGNMENT_COUNT) - waited;
    }

    /** The pool on this loop as it is now; from any thread. */
    Future<PoolView> view(Pools.Key key) {
        Promise<PoolView> viewed = Promise.promise();
        loop.execute(() -> viewed.complete(viewNow(key)));
        return viewed.future();
    }

    private PoolView viewNow(Pools.Key key) {
        Waiter oldest = waiters.peek();
        return new PoolView(
                key,
                address,
                limits,
                idle.size(),
                leased,
                waiters.size() + held.size(),
                oldest == null ? 0 : System.nanoTime() - oldest.sinceNanos(),
                permits.isReachable(),
                paused,
                banned,
                counters.copy(),
                owned.stream()
                        .map(server -> ServerView.of(server, idle.contains(server)))
                        .toList());
    }

    /**
     * Asks for a connection. The taker is answered at once when one is idle and nobody waits, else later, in order.
     *
     * @param goesOn see {@link #tryAcquire}
     * @return the wait, for {@link #withdraw}
     */
    public Waiter acquire(boolean goesOn, Waiter.Taker taker) {
        Waiter waiter = new Waiter(taker, System.nanoTime());
        if (closed) {
            waiter.fail(PoolErrors.closed());
            return waiter;
        }
        if (banned && !goesOn) {
            waiter.fail(PoolErrors.banned(address));
            return waiter;
        }
        if (paused && !goesOn) {
            held.add(waiter);
            return waiter;
        }
        line(waiter);
        return waiter;
    }

    /** Serves a waiter at once if it can be, else puts it in line. */
    private void line(Waiter waiter) {
        if (waiters.isEmpty()) {
            ServerConnection server = pollIdle();
            if (server != null) {
                hand(waiter, server);
                return;
            }
        }
        waiters.add(waiter);
        if (!limits.checkoutTimeout().isZero()) {
            expireLater(limits.checkoutTimeout().toNanos());
        }
        openMore();
        if (!waiters.isEmpty()) {
            borrowLater();
        }
    }

    /**
     * A connection that is idle, when nobody waits for one; else null. It is the caller's until it is given back.
     *
     * @param goesOn the session holds connections already: it gets this one even while the pool is paused, so that it
     *     can finish
     */
    public @Nullable ServerConnection tryAcquire(boolean goesOn) {
        if (closed || (paused || banned) && !goesOn || !waiters.isEmpty()) {
            return null;
        }
        ServerConnection server = pollIdle();
        if (server != null) {
            take(server);
        }
        return server;
    }

    /** Ends a wait without an answer. */
    public void withdraw(Waiter waiter) {
        if (!waiter.isAnswered()) {
            waiter.end();
            waiters.remove(waiter);
            held.remove(waiter);
            feed();
        }
    }

    /** All wait equally long, so the first in line is the first to give up: one timer serves the whole line. */
    private void expireLater(long nanos) {
        if (!expiring) {
            expiring = true;
            loop.later(1 + Math.max(0, nanos / 1_000_000), this::expire);
        }
    }

    private void expire() {
        expiring = false;
        long timeout = limits.checkoutTimeout().toNanos();
        long now = System.nanoTime();
        Waiter first = waiters.peek();
        while (first != null && now - first.sinceNanos() >= timeout) {
            waiters.poll();
            first.fail(
                    PoolErrors.checkoutTimeout(address, limits.checkoutTimeout().toMillis()));
            first = waiters.peek();
        }
        if (first != null) {
            expireLater(timeout - (now - first.sinceNanos()));
        }
        feed();
    }

    /**
     * Gives a connection back. It must be idle; one that needs it is reset first. Never use it afterwards.
     */
    public void release(ServerConnection server) {
        leased--;
        // A slow client may have stopped the reading from it.
        server.wire().reading(true);
        settle(server);
    }

    /** Cleans a connection as far as needed, then passes it on. */
    private void settle(ServerConnection server) {
        if (server.isLost()
                || closed
                || permits.isOverdrawn()
                || isTooOld(server)
                || !server.isIdle()
                || server.isRetired()) {
            drop(server);
        } else if (server.isResetNeeded()) {
            reset(server);
        } else if (server.isCancelUnderWay()) {
            // A late cancel must not hit the next session's statement.
            server.handler(whileIdle);
            loop.later(1, () -> settle(server));
        } else {
            passOn(server);
        }
    }

    private void passOn(ServerConnection server) {
        server.handler(whileIdle);
        if (server.wire().owner() != loop) {
            LoopPool home = ownerOf(server);
            server.wire().giveBack(() -> home.cameBack(server));
            return;
        }
        Waiter next = waiters.peek();
        if (isTurnOfAnother(next) && lendToHungriest(server)) {
            feed();
            return;
        }
        if (next != null) {
            waiters.poll();
            hand(next, server);
        } else {
            idle.push(server, System.nanoTime());
        }
        feed();
    }

    /** True when another loop has waited longer than the first in line here. */
    private boolean isTurnOfAnother(@Nullable Waiter next) {
        LoopPool other = permits.hungriest();
        return other != null && other != this && (next == null || other.hungrySinceNanos - next.sinceNanos() < 0);
    }

    private LoopPool ownerOf(ServerConnection server) {
        for (LoopPool sibling : siblings) {
            if (sibling.loop == server.wire().owner()) {
                return sibling;
            }
        }
        throw new IllegalStateException("a connection without a pool: " + server);
    }

    private void cameBack(ServerConnection server) {
        server.countFor(counters, timings);
        settle(server);
    }

    /** Closes a connection that cannot be used again. Never use it afterwards. */
    public void discard(ServerConnection server) {
        leased--;
        counters.count(Measure.FORCE_CLOSED);
        drop(server);
    }

    private void drop(ServerConnection server) {
        LoopPool owner = ownerOf(server);
        end(server, () -> owner.loop.run(() -> owner.forget(server)));
        feed();
    }

    /** Closes a connection. Its place is free when the server has ended its process: pool_size is kept to the letter. */
    private static void end(ServerConnection server, Runnable whenGone) {
        if (server.isGone()) {
            whenGone.run();
            return;
        }
        server.handler(new Unattended() {
            @Override
            public void lost(ServerConnection from, @Nullable Throwable cause) {
                whenGone.run();
            }
        });
        if (server.isLost()) {
            server.wire().abort();
        } else {
            server.close();
        }
    }

    private void forget(ServerConnection server) {
        owned.remove(server);
        open--;
        permits.closed();
        permits.giveBack();
        openMore();
    }

    private void hand(Waiter waiter, ServerConnection server) {
        take(server);
        waited++;
        long nanos = System.nanoTime() - waiter.sinceNanos();
        counters.add(Measure.WAIT_TIME, nanos);
        timings.record(Timing.WAIT, nanos);
        waiter.answer(server);
    }

    private void take(ServerConnection server) {
        leased++;
        counters.count(Measure.SERVER_ASSIGNMENT_COUNT);
        server.countFor(counters, timings);
    }

    private @Nullable ServerConnection pollIdle() {
        ServerConnection server = idle.poll();
        while (server != null) {
            if (!server.isLost()) {
                return server;
            }
            drop(server);
            server = idle.poll();
        }
        return null;
    }

    private boolean isTooOld(ServerConnection server) {
        long nanos = limits.lifetime().toNanos();
        return nanos > 0 && server.ageNanos() > nanos;
    }

    // ---- opening

    /** Opens connections for the waiters, as far as permits go: this loop's fair share of them at once. */
    private void openMore() {
        openUpTo(fairShare());
    }

    /** What this loop may open before others are known to want none: an even part of the pool, at least one. */
    private int fairShare() {
        return Math.max(1, (limits.size() + siblings.size() - 1) / siblings.size());
    }

    private void openUpTo(int share) {
        while (!closed
                && !connectPause.isOn()
                && opening < Math.min(waiters.size(), MOST_OPENING)
                && open < share
                && permits.tryTake()) {
            open();
        }
        feed();
    }

    private void open() {
        opening++;
        open++;
        long startedNanos = System.nanoTime();
        counters.count(Measure.AUTH_ATTEMPTS);
        var unused = ServerOpening.open(wire, loop, address, limits.connectTimeout(), Unattended.INSTANCE)
                .onComplete(result -> {
                    opening--;
                    if (result.succeeded()) {
                        opened(result.result(), startedNanos);
                    } else {
                        notOpened(result.cause(), startedNanos);
                    }
                });
    }

    private void opened(ServerConnection server, long startedNanos) {
        permits.opened();
        connectPause.forget();
        owned.add(server);
        counters.count(Measure.CONNECT_COUNT);
        counters.add(Measure.CONNECT_TIME, System.nanoTime() - startedNanos);
        server.countFor(counters, timings);
        server.handler(whileIdle);
        settle(server);
        openMore();
        if (!waiters.isEmpty()) {
            borrowLater();
        }
    }

    private void notOpened(Throwable cause, long startedNanos) {
        open--;
        permits.notOpened();
        permits.giveBack();
        PgException fault = cause instanceof PgException known ? known : BackendErrors.unreachable(address, cause);
        LOG.warn("no connection to {}: {}", address, fault.getMessage() + " " + fault.detail());
        if (permits.live() == 0) {
            // No connection lives that could be given back: who asked before this attempt need not wait on.
            siblings.forEach(sibling -> sibling.loop.run(() -> sibling.failWaitersSince(startedNanos, fault)));
        }
        loop.later(connectPause.begin(), () -> {
            connectPause.end();
            openMore();
        });
    }

    private void failWaitersSince(long nanos, PgException fault) {
        List<Waiter> failed = new ArrayList<>();
        for (Iterator<Waiter> each = waiters.iterator(); each.hasNext(); ) {
            Waiter waiter = each.next();
            if (waiter.sinceNanos() - nanos <= 0) {
                each.remove();
                failed.add(waiter);
            }
        }
        failed.forEach(waiter -> waiter.fail(fault));
        feed();
    }

    /** Opens what is missing to the minimum; called by the pool's keeper. */
    void openMinimum() {
        while (!closed
                && !connectPause.isOn()
                && opening < MOST_OPENING
                && permits.taken() < Math.min(limits.minimumSize(), limits.size())
                && permits.tryTake()) {
            open();
        }
    }

    /** Closes what has been idle or alive for too long; called by the pool's keeper. */
    void closeStale() {
        long now = System.nanoTime();
        long limit = limits.idleTimeout().toNanos();
        int[] spare = {permits.taken() - limits.minimumSize()};
        int tooMany = limits.size() - limits.minimumSize();
        idle.takeIf(server -> {
                    boolean tooIdle = limit > 0 && server.idleNanos(now) > limit && spare[0] > 0 || spare[0] > tooMany;
                    boolean stale = server.isLost() || isTooOld(server) || tooIdle;
                    spare[0] -= stale ? 1 : 0;
                    return stale;
                })
                .forEach(this::drop);
    }

    // ---- checking

    /** Asks the servers of connections that have been idle for long for a sign of life; called by the pool's keeper. */
    void checkIdle() {
        long interval = limits.healthcheckInterval().toNanos();
        long now = System.nanoTime();
        if (interval == 0 || closed) {
            return;
        }
        idle.takeIf(server -> Math.min(server.idleNanos(now), server.sinceCheckNanos(now)) > interval)
                .forEach(this::check);
    }

    /** While it is checked a connection is not idle, or a statement could get to it behind a check without an answer. */
    private void check(ServerConnection server) {
        new Housekeeping() {
            @Override
            void done() {
                server.checked();
                alive(server);
            }

            @Override
            void failed() {
                LOG.info("an idle connection to {} was found dead", address);
                drop(server);
            }
        }.run(server, loop, limits.healthcheckTimeout().toMillis(), "");
    }

    private void alive(ServerConnection server) {
        if (closed || server.isLost() || !waiters.isEmpty() || permits.hungriest() != null) {
            settle(server);
        } else {
            server.handler(whileIdle);
            idle.putBack(server);
        }
    }

    // ---- lending

    private void borrowLater() {
        if (!borrowTimer && siblings.size() > 1) {
            borrowTimer = true;
            loop.later(BORROW_AFTER_MILLIS, this::borrow);
        }
    }

    /** Waiters are left: makes this loop known as hungry and asks the others for an idle connection now. */
    private void borrow() {
        borrowTimer = false;
        openUpTo(limits.size());
        Waiter oldest = waiters.peek();
        if (oldest == null || closed) {
            return;
        }
        if (!hungry) {
            hungry = true;
            hungrySinceNanos = oldest.sinceNanos();
            permits.addHungry(this);
        }
        for (LoopPool sibling : siblings) {
            if (sibling != this) {
                sibling.loop.execute(sibling::lendIdle);
            }
        }
    }

    /** Takes this loop off the list of the hungry when nobody waits here any more. */
    private void feed() {
        if (hungry && waiters.isEmpty()) {
            hungry = false;
            permits.removeHungry(this);
        }
    }

    private void lendIdle() {
        if (waiters.isEmpty() && isTurnOfAnother(null)) {
            ServerConnection server = pollIdle();
            if (server != null) {
                passOn(server);
            }
        }
    }

    /** False when no other loop is hungry any more; between a look at the list and this another may have fed it. */
    private boolean lendToHungriest(ServerConnection server) {
        LoopPool borrower = permits.pollHungriest();
        if (borrower == this) {
            hungry = false;
            borrowLater();
        }
        if (borrower == null || borrower == this) {
            return false;
        }
        if (open > fairShare() && System.nanoTime() - driftedNanos > DRIFT_NANOS) {
            drift(server, borrower);
        } else {
            server.wire().lendTo(borrower.loop, () -> borrower.offer(server));
        }
        return true;
    }

    /**
     * Lets a loop that has less than its share have a permit for good, instead of a connection for a moment: a loan
     * costs several hops between loops each time.
     */
    private void drift(ServerConnection server, LoopPool borrower) {
        driftedNanos = System.nanoTime();
        open--;
        end(server, () -> {
            owned.remove(server);
            permits.closed();
            borrower.loop.execute(borrower::receivePermit);
        });
    }

    private void receivePermit() {
        hungry = false;
        if (closed || waiters.isEmpty()) {
            permits.giveBack();
        } else {
            open();
            borrowLater();
        }
    }

    /** A connection of another loop arrives on this one. */
    private void offer(ServerConnection server) {
        hungry = false;
        Waiter waiter = server.isLost() ? null : waiters.poll();
        if (waiter == null) {
            settle(server);
        } else {
            hand(waiter, server);
        }
        if (!waiters.isEmpty()) {
            borrowLater();
        }
    }

    /** A permit became free somewhere; called from any thread. */
    void permitFreed() {
        loop.execute(this::openMore);
    }

    // ---- cleaning

    /** DISCARD ALL, then on; a server that does not carry it out in time is dropped. */
    private void reset(ServerConnection server) {
        new Housekeeping() {
            @Override
            void done() {
                server.count(Measure.CLEANED);
                server.wasReset();
                settle(server);
            }

            @Override
            void failed() {
                drop(server);
            }
        }.run(server, loop, limits.rollbackTimeout().toMillis(), "DISCARD ALL");
    }

    /** From now on who holds no connection gets none, and waits. */
    void pause() {
        paused = true;
    }

    /** Those who have waited go on. */
    void resume() {
        paused = false;
        for (Waiter waiter = held.poll(); waiter != null; waiter = held.poll()) {
            waiter.restart(System.nanoTime());
            line(waiter);
        }
    }

    /** Replaces every connection: idle ones now, others when they come back. */
    void reconnect() {
        for (ServerConnection server : List.copyOf(owned)) {
            if (idle.take(server)) {
                drop(server);
            } else {
                server.wire().home().run(server::retire);
            }
        }
    }

    /**
     * Refuses whoever asks from now on, save sessions that hold connections and may finish, and who waits; idle connections
     * are closed.
     */
    void ban() {
        banned = true;
        refuseWaiters(PoolErrors.banned(address));
        idle.drain(this::drop);
    }

    /** Ends {@link #ban}. */
    void unban() {
        banned = false;
    }

    /** Closes every idle connection and refuses waiters; leased ones are closed as they come back. */
    void close() {
        closed = true;
        refuseWaiters(PoolErrors.closed());
        idle.drain(this::drop);
    }

    private void refuseWaiters(PgException reason) {
        List<Waiter> refused = new ArrayList<>(waiters);
        refused.addAll(held);
        waiters.clear();
        held.clear();
        refused.forEach(waiter -> waiter.fail(reason));
    }

    /** Hears a connection that nobody uses: it may only end. */
    private final class Idle extends Unattended {

        @Override
        public void lost(ServerConnection server, @Nullable Throwable cause) {
            if (idle.take(server)) {
                drop(server);
            }
        }
    }
}
