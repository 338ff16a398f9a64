package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.proxy.backend.BackendErrors;
import dev.trunkline.proxy.backend.Reply;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.proxy.measure.Measure;
import dev.trunkline.proxy.pool.LoopPool;
import dev.trunkline.proxy.pool.Waiter;
import dev.trunkline.proxy.settings.Settings;
import dev.trunkline.routing.sql.StatementKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The server connections that a session holds, at most one per shard: its enlistments. A connection is prepared before
 * it is used: it carries the session's settings, and when a block is open it has begun.
 */
final class Leases {

    /** Uses a prepared connection. */
    @FunctionalInterface
    interface Use {
        void with(ServerConnection server);
    }

    private record Savepoint(String name, Settings settings) {}

    private static final class Enlistment {
        private final ServerConnection server;
        private boolean introduced;
        private boolean begun;
        private boolean wrote;
        private Settings settingsAtBegin = Settings.NONE;
        private @Nullable ArrayDeque<Savepoint> savepoints;

        private ArrayDeque<Savepoint> savepoints() {
            if (savepoints == null) {
                savepoints = new ArrayDeque<>();
            }
            return savepoints;
        }

        Enlistment(ServerConnection server) {
            this.server = server;
        }
    }

    private final Session session;
    private LoopPool[] pools;
    private @Nullable Enlistment[] held;
    private int count;
    private int writes;
    private @Nullable Waiter waiter;
    private int waiterShard;
    private @Nullable Consumer<Fault> waiting;

    /** Takes connections from other pools from now on; none may be held. */
    void moveTo(LoopPool[] newPools) {
        pools = newPools;
        held = new Enlistment[newPools.length];
    }

    Leases(Session session, LoopPool[] pools) {
        this.session = session;
        this.pools = pools;
        this.held = new Enlistment[pools.length];
    }

    int count() {
        return count;
    }

    boolean holds(int shard) {
        return held[shard] != null;
    }

    /** A shard that is held, or -1: one that the transaction has written on if there is one, else the lowest. */
    int anyShard() {
        for (int shard = 0; shard < held.length; shard++) {
            if (wroteOn(shard)) {
                return shard;
            }
        }
        for (int shard = 0; shard < held.length; shard++) {
            if (held[shard] != null) {
                return shard;
            }
        }
        return -1;
    }

    /** The shards that are held, ascending. */
    List<Integer> shards() {
        List<Integer> shards = new ArrayList<>(count);
        for (int shard = 0; shard < held.length; shard++) {
            if (held[shard] != null) {
                shards.add(shard);
            }
        }
        return shards;
    }

    /** The connection to a shard when it is held and needs no preparation; else null. */
    @Nullable
    ServerConnection readyNow(int shard) {
        Enlistment enlistment = held[shard];
        if (enlistment == null) {
            return null;
        }
        ServerConnection server = enlistment.server;
        // Within a batch nothing is set: a simple Query of ours would end it.
        return server.unsynced() > 0 || server.settings() == session.settings().current() ? server : null;
    }

    /**
     * The prepared connection to one shard when nothing has to be waited for: the main road. Null sends the caller to
     * {@link #take(int, Use, Consumer)}.
     */
    @Nullable
    ServerConnection takeNow(int shard) {
        Enlistment enlistment = held[shard];
        if (enlistment == null) {
            ServerConnection idle = pools[shard].tryAcquire(count > 0);
            if (idle == null) {
                return null;
            }
            enlistment = enlist(shard, idle);
        }
        ServerConnection server = enlistment.server;
        if (needsSettings(server) || needsBegin(enlistment)) {
            return null;
        }
        introduce(enlistment);
        return server;
    }

    private boolean needsSettings(ServerConnection server) {
        return server.unsynced() == 0
                && !server.settings().equals(session.settings().current());
    }

    private boolean needsBegin(Enlistment enlistment) {
        return !enlistment.begun
                && !session.isPassThrough()
                && session.transaction().isOpen();
    }

    private void introduce(Enlistment enlistment) {
        if (!enlistment.introduced) {
            enlistment.introduced = true;
            session.reported().catchUp(enlistment.server);
        }
    }

    /** The connection to a shard that is held. */
    ServerConnection get(int shard) {
        Enlistment enlistment = held[shard];
        if (enlistment == null) {
            throw new IllegalStateException("shard " + shard + " is not enlisted");
        }
        return enlistment.server;
    }

    /** True when the block has begun on a shard. */
    boolean hasBegun(int shard) {
        Enlistment enlistment = held[shard];
        return enlistment != null && enlistment.begun;
    }

    /** Notes that the transaction has written on a shard. */
    void wrote(int shard) {
        Enlistment enlistment = held[shard];
        if (enlistment != null) {
            enlistment.wrote = true;
            writes++;
        }
    }

    /** How often the session has written on a shard. */
    int writes() {
        return writes;
    }

    /** True when the transaction has written on this shard. */
    boolean wroteOn(int shard) {
        Enlistment enlistment = held[shard];
        return enlistment != null && enlistment.wrote;
    }

    /** True when the block has begun on every shard. */
    boolean haveAllBegun() {
        for (Enlistment enlistment : held) {
            if (enlistment == null || !enlistment.begun) {
                return false;
            }
        }
        return true;
    }

    /** BEGIN was sent behind statements that have run: they belong to the block. */
    void adopt(int shard) {
        Enlistment enlistment = held[shard];
        if (enlistment != null) {
            enlistment.begun = true;
            enlistment.settingsAtBegin = session.settings().current();
            session.transaction().beganEarlier();
        }
    }

    /**
     * Prepares the connection to one shard, taking it from the pool if it is not held, and uses it; at once when
     * nothing has to be waited for. Fails with what the pool or the server said.
     */
    void take(int shard, Use use, Consumer<Fault> failed) {
        take(shard, true, use, failed);
    }

    private void take(int shard, boolean inBlock, Use use, Consumer<Fault> failed) {
        Enlistment enlistment = held[shard];
        if (enlistment != null) {
            prepare(enlistment, inBlock, use, failed);
            return;
        }
        ServerConnection idle = pools[shard].tryAcquire(count > 0);
        if (idle != null) {
            prepare(enlist(shard, idle), inBlock, use, failed);
            return;
        }
        waiting = failed;
        long askedNanos = System.nanoTime();
        Waiter wait = pools[shard].acquire(count > 0, new Waiter.Taker() {
            @Override
            public void leased(ServerConnection server) {
                waiter = null;
                waiting = null;
                session.meter().counters().add(Measure.WAIT_TIME, System.nanoTime() - askedNanos);
                session.guarded(() -> prepare(enlist(shard, server), inBlock, use, failed));
            }

            @Override
            public void failed(PgException fault) {
                waiter = null;
                waiting = null;
                failed.accept(Fault.of(fault));
            }
        });
        if (!wait.isAnswered()) {
            waiter = wait;
            waiterShard = shard;
        }
    }

    private Enlistment enlist(int shard, ServerConnection server) {
        server.handler(session.relay());
        session.leaseTaken(server);
        Enlistment fresh = new Enlistment(server);
        held[shard] = fresh;
        count++;
        return fresh;
    }

    /** True when every connection that is held owes nothing and is outside of a transaction. */
    boolean areIdle() {
        for (Enlistment enlistment : held) {
            if (enlistment != null && !enlistment.server.isIdle()) {
                return false;
            }
        }
        return true;
    }

    /** True when a server has not answered all that was sent to it. */
    boolean isAnswerOwed() {
        for (Enlistment enlistment : held) {
            if (enlistment != null && enlistment.server.isAnswerOwed()) {
                return true;
            }
        }
        return false;
    }

    /** Like {@link #take}, but the connection stays outside of the block: for trying something out. */
    void takeOutsideBlock(int shard, Use use, Consumer<Fault> failed) {
        take(shard, false, use, failed);
    }

    /** Prepares the connections to several shards, taken in order of shard number against deadlocks. */
    void takeAll(List<Integer> shards, Runnable ready, Consumer<Fault> failed) {
        takeFrom(shards, 0, ready, failed);
    }

    private void takeFrom(List<Integer> shards, int index, Runnable ready, Consumer<Fault> failed) {
        if (index == shards.size()) {
            ready.run();
        } else {
            take(shards.get(index), server -> takeFrom(shards, index + 1, ready, failed), failed);
        }
    }

    /** Ends a wait for a connection: the client cancelled or is gone. */
    boolean cancelWait(Fault fault) {
        Waiter wait = waiter;
        Consumer<Fault> failed = waiting;
        if (wait == null || failed == null) {
            return false;
        }
        waiter = null;
        waiting = null;
        pools[waiterShard].withdraw(wait);
        failed.accept(fault);
        return true;
    }

    // ---- preparing

    private void prepare(Enlistment enlistment, boolean inBlock, Use use, Consumer<Fault> failed) {
        ServerConnection server = enlistment.server;
        Settings wanted = session.settings().current();
        if (!needsSettings(server)) {
            begin(enlistment, inBlock, use, failed);
            return;
        }
        String changes = server.settings().changesTo(wanted);
        if (changes.isEmpty()) {
            server.settings(wanted);
            begin(enlistment, inBlock, use, failed);
            return;
        }
        server.query(changes, Reply.of(Reply.Step.QUERY, Reply.Use.SWALLOW, new Waited(server, failed) {
            @Override
            void succeeded() {
                server.settings(wanted);
                begin(enlistment, inBlock, use, failed);
            }
        }));
    }

    private void begin(Enlistment enlistment, boolean inBlock, Use use, Consumer<Fault> failed) {
        introduce(enlistment);
        Transaction transaction = session.transaction();
        if (!inBlock || !needsBegin(enlistment)) {
            use.with(enlistment.server);
            return;
        }
        ServerConnection server = enlistment.server;
        transaction.begins();
        enlistment.begun = true;
        enlistment.settingsAtBegin = session.settings().current();
        for (String name : transaction.savepoints()) {
            enlistment.savepoints().push(new Savepoint(name, enlistment.settingsAtBegin));
        }
        if (transaction.isPlain()) {
            server.query(transaction.opening(), Reply.of(Reply.Step.QUERY, Reply.Use.SWALLOW));
            use.with(server);
            return;
        }
        server.query(transaction.opening(), Reply.of(Reply.Step.QUERY, Reply.Use.SWALLOW, new Waited(server, failed) {
            @Override
            void succeeded() {
                use.with(server);
            }
        }));
    }

    /** Waits for a query of our own on the way to a statement. */
    private abstract class Waited implements Reply.Listener {
        private final ServerConnection server;
        private final Consumer<Fault> failed;
        private @Nullable Fault fault;

        Waited(ServerConnection server, Consumer<Fault> failed) {
            this.server = server;
            this.failed = failed;
        }

        abstract void succeeded();

        @Override
        public void failed() {
            fault = session.relay().takeSwallowed();
        }

        @Override
        public void done() {
            if (fault == null) {
                succeeded();
            } else {
                failed.accept(fault);
            }
        }

        @Override
        public void lost() {
            failed.accept(Fault.of(BackendErrors.connectionLost(server.address())));
        }
    }

    // ---- ends

    /** The block has ended everywhere; the connections stay until they are released. */
    void ended(boolean committed) {
        for (Enlistment enlistment : held) {
            if (enlistment != null) {
                if (enlistment.begun) {
                    enlistment.server.settings(committed ? session.settings().current() : enlistment.settingsAtBegin);
                }
                enlistment.begun = false;
                enlistment.wrote = false;
                enlistment.savepoints = null;
            }
        }
    }

    /** SAVEPOINT, RELEASE or ROLLBACK TO has run on every connection that has begun. */
    void savepoint(StatementKind kind, String name) {
        for (Enlistment enlistment : held) {
            if (enlistment != null && enlistment.begun) {
                if (kind == StatementKind.SAVEPOINT) {
                    enlistment.savepoints().push(new Savepoint(name, enlistment.server.settings()));
                } else {
                    backTo(enlistment, kind, name);
                }
            }
        }
    }

    private static void backTo(Enlistment enlistment, StatementKind kind, String name) {
        Savepoint top = enlistment.savepoints().peek();
        while (top != null && !top.name.equals(name)) {
            enlistment.savepoints().pop();
            top = enlistment.savepoints().peek();
        }
        if (top != null && kind == StatementKind.RELEASE) {
            enlistment.savepoints().pop();
        } else if (top != null) {
            enlistment.server.settings(top.settings);
        }
    }

    /** Something was set on these shards that the session now keeps. */
    void settingsChanged(List<Integer> shards) {
        each(shards, enlistment -> enlistment.server.settings(session.settings().current()));
    }

    /** RESET of one parameter has run on these shards: it is at the server's default there. */
    void settingReset(List<Integer> shards, String name) {
        each(
                shards,
                enlistment ->
                        enlistment.server.settings(enlistment.server.settings().reset(name)));
    }

    /** RESET ALL has run on these shards: everything but who the session is has gone back to the defaults. */
    void settingsReset(List<Integer> shards) {
        each(
                shards,
                enlistment ->
                        enlistment.server.settings(enlistment.server.settings().resetAll()));
    }

    /** DISCARD ALL has run on these shards. */
    void discarded(List<Integer> shards) {
        each(shards, enlistment -> enlistment.server.wasReset());
    }

    private void each(List<Integer> shards, Consumer<Enlistment> action) {
        for (int shard : shards) {
            Enlistment enlistment = held[shard];
            if (enlistment != null) {
                action.accept(enlistment);
            }
        }
    }

    /** DEALLOCATE ALL has run on the held connections. */
    void deallocated() {
        for (Enlistment enlistment : held) {
            if (enlistment != null) {
                enlistment.server.prepared().clear();
            }
        }
    }

    /** True while the session waits for a connection. */
    boolean isWaiting() {
        return waiter != null;
    }

    /** Nobody waits for a connection any more. */
    void abandonWait() {
        if (waiter != null) {
            pools[waiterShard].withdraw(waiter);
            waiter = null;
            waiting = null;
        }
    }

    /** Gives every connection back that can be. */
    void releaseAll() {
        for (int shard = 0; shard < held.length && count > 0; shard++) {
            release(shard);
        }
    }

    /** Gives one connection back to its pool, which closes it when it is not idle. */
    void release(int shard) {
        Enlistment enlistment = held[shard];
        if (enlistment != null) {
            held[shard] = null;
            count--;
            session.leaseEnded();
            pools[shard].release(enlistment.server);
        }
    }

    /** A connection is gone. */
    void lost(ServerConnection server) {
        for (int shard = 0; shard < held.length; shard++) {
            Enlistment enlistment = held[shard];
            if (enlistment != null && enlistment.server == server) {
                held[shard] = null;
                count--;
                session.leaseEnded();
                pools[shard].discard(server);
            }
        }
    }

    /** Gives the held connections away: the session ends, and who takes them cleans them up. */
    void handOver(BiConsumer<LoopPool, ServerConnection> heir) {
        for (int shard = 0; shard < held.length; shard++) {
            Enlistment enlistment = held[shard];
            if (enlistment != null) {
                held[shard] = null;
                count--;
                forgetSettings(enlistment);
                heir.accept(pools[shard], enlistment.server);
            }
        }
    }

    /** A block that is left in the middle takes back what was set in it, unless it commits yet: nobody can tell. */
    private static void forgetSettings(Enlistment enlistment) {
        if (enlistment.begun && !enlistment.server.settings().equals(enlistment.settingsAtBegin)) {
            enlistment.server.needsReset();
        }
    }
}
