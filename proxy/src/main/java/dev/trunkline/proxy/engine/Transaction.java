package dev.trunkline.proxy.engine;

import dev.trunkline.lookup.Lookups;
import dev.trunkline.protocol.TransactionStatus;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.ProtocolErrors;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A session's transaction on a database of several shards: whether a block is open, how it begins on a shard that is
 * enlisted later, and what such a shard must be told first. On a database of one shard the server knows all this.
 */
final class Transaction {

    enum State {
        /** No block. */
        NONE,
        /** The client sent BEGIN. */
        BLOCK,
        /** Opened by the proxy for one request: a write over several shards, or several statements in one Query. */
        WRAPPED
    }

    /** The transaction began before it was a block: nobody knows when its snapshot was taken. */
    private static final long UNKNOWN_MOMENT = 0;

    private static final long NEVER = -1;

    /** The mark says how many changes the client had been told of by then: see {@link ReportedParameters}. */
    private record Step(boolean savepoint, boolean mode, String name, String sql, int mark) {

        static Step replayed(String sql, boolean mode) {
            return new Step(false, mode, "", sql, 0);
        }
    }

    /** How a transaction begins that goes on where another has ended: AND CHAIN. */
    static final class Chain {
        private final String begin;
        private final boolean snapshotIsolation;
        private final List<Step> modes;

        /** Nothing is kept. */
        private Chain() {
            begin = "BEGIN";
            snapshotIsolation = false;
            modes = List.of();
        }

        private Chain(Transaction ending) {
            begin = ending.begin;
            snapshotIsolation = ending.snapshotIsolation;
            modes = ending.steps.stream().filter(Step::mode).toList();
        }
    }

    private static final Chain NO_CHAIN = new Chain();

    private State state = State.NONE;
    private boolean singleStatement;
    private boolean failed;
    private boolean doomed;
    private @Nullable PgException untold;
    private String begin = "BEGIN";
    private boolean snapshotIsolation;
    private long moment = NEVER;
    private Chain inherited = NO_CHAIN;
    private final List<Step> steps = new ArrayList<>(0);

    boolean isOpen() {
        return state != State.NONE;
    }

    boolean isWrapped() {
        return state == State.WRAPPED;
    }

    boolean isFailed() {
        return failed;
    }

    /** BEGIN of the client: with these transaction modes as written. */
    void begin(String modes, boolean snapshot) {
        state = State.BLOCK;
        begin = modes.isEmpty() ? "BEGIN" : "BEGIN " + modes;
        snapshotIsolation = snapshot;
    }

    /** What AND CHAIN keeps: the modes, those that were set later included. What it was not begun with goes as it fails. */
    Chain chain() {
        return failed && savepoints().isEmpty() ? inherited : new Chain(this);
    }

    /**
     * The next block of a chain.
     *
     * @param snapshot blocks have REPEATABLE READ or SERIALIZABLE by default
     */
    void begin(Chain chain, boolean snapshot) {
        state = State.BLOCK;
        begin = chain.begin;
        snapshotIsolation = snapshot || chain.snapshotIsolation;
        steps.addAll(chain.modes);
        inherited = chain;
    }

    /** A block of the proxy's own, for several statements of one request. */
    void wrap() {
        state = State.WRAPPED;
        begin = "BEGIN";
    }

    /** A block of the proxy's own for one statement over several shards. */
    void wrapSingle() {
        wrap();
        singleStatement = true;
    }

    /** Another statement runs in the block. */
    void anotherStatement() {
        singleStatement = false;
    }

    /** True for a block of the proxy's own around one statement. */
    boolean isSingleStatement() {
        return singleStatement && isWrapped();
    }

    /** BEGIN inside a wrapped string of statements: from now on the client's block. */
    void adopt() {
        state = State.BLOCK;
    }

    void fail() {
        if (isOpen()) {
            failed = true;
        }
    }

    /**
     * What the transaction has done on one server is gone with the connection: it can only be rolled back as a whole.
     *
     * @param news null when the client has been told
     */
    void doom(@Nullable PgException news) {
        if (isOpen()) {
            failed = true;
            doomed = true;
            untold = news;
        }
    }

    /** True when no savepoint can save it. */
    boolean isDoomed() {
        return doomed;
    }

    /** Why the transaction failed, when the client does not know yet; it is told once. */
    @Nullable
    PgException takeNews() {
        PgException news = untold;
        untold = null;
        return news;
    }

    /** What a statement in the failed transaction is answered. */
    PgException refusal() {
        PgException news = takeNews();
        return news == null ? ProtocolErrors.transactionFailed() : news;
    }

    /** A shard is about to be told to begin: its snapshot is no older than this moment. */
    void begins() {
        if (moment == NEVER) {
            moment = Lookups.moment();
        }
    }

    /** A shard's statements before the block belong to it. */
    void beganEarlier() {
        moment = UNKNOWN_MOMENT;
    }

    /** No shard's snapshot is older than this moment of {@link Lookups#moment()}. */
    long moment() {
        return moment;
    }

    void end() {
        state = State.NONE;
        moment = NEVER;
        singleStatement = false;
        failed = false;
        doomed = false;
        untold = null;
        begin = "BEGIN";
        snapshotIsolation = false;
        inherited = NO_CHAIN;
        steps.clear();
    }

    /** The names of the savepoints that stand, oldest first. */
    List<String> savepoints() {
        return steps.stream().filter(Step::savepoint).map(Step::name).toList();
    }

    /** REPEATABLE READ or SERIALIZABLE. */
    boolean isSnapshotIsolation() {
        return snapshotIsolation;
    }

    /** Something that a shard enlisted later must be told after BEGIN. */
    void replay(String sql) {
        steps.add(Step.replayed(sql, false));
    }

    /**
     * The same for a mode of the transaction.
     *
     * @param snapshot it asks for REPEATABLE READ or SERIALIZABLE
     */
    void mode(String sql, boolean snapshot) {
        steps.add(Step.replayed(sql, true));
        snapshotIsolation |= snapshot;
    }

    void savepoint(String name, int mark) {
        steps.add(new Step(true, false, name, "SAVEPOINT " + identifier(name), mark));
    }

    boolean hasSavepoint(String name) {
        return steps.stream().anyMatch(step -> step.savepoint && step.name.equals(name));
    }

    /** RELEASE: this savepoint and those after it are forgotten; what was set since stays. */
    void release(String name) {
        int at = lastSavepoint(name);
        if (at >= 0) {
            for (Iterator<Step> each = steps.listIterator(at); each.hasNext(); ) {
                if (each.next().savepoint) {
                    each.remove();
                }
            }
        }
    }

    /** ROLLBACK TO a savepoint that stands: everything after it is undone; it stays. Returns its mark. */
    int rollbackTo(String name) {
        int at = lastSavepoint(name);
        steps.subList(at + 1, steps.size()).clear();
        failed = false;
        return steps.get(at).mark;
    }

    /** The mark of the youngest savepoint; 0 when none stands. */
    int mark() {
        for (int i = steps.size() - 1; i >= 0; i--) {
            if (steps.get(i).savepoint) {
                return steps.get(i).mark;
            }
        }
        return 0;
    }

    private int lastSavepoint(String name) {
        for (int i = steps.size() - 1; i >= 0; i--) {
            if (steps.get(i).savepoint && steps.get(i).name.equals(name)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * What a shard must be sent when it is enlisted: BEGIN, what came after it, and a query that takes the snapshot when
     * the transaction is to have one: all shards are enlisted together then.
     */
    String opening() {
        if (steps.isEmpty() && !snapshotIsolation) {
            return begin;
        }
        String sql = beginning();
        return snapshotIsolation ? sql + ";SELECT 1" : sql;
    }

    /** The same up to where modes may still be set. */
    String beginning() {
        StringBuilder sql = new StringBuilder(begin);
        for (Step step : steps) {
            sql.append(';').append(step.sql);
        }
        return sql.toString();
    }

    /** True when the opening is BEGIN alone, which cannot fail: the statement may follow without waiting. */
    boolean isPlain() {
        return steps.isEmpty() && !snapshotIsolation && begin.equals("BEGIN");
    }

    TransactionStatus status() {
        if (state != State.BLOCK) {
            return TransactionStatus.IDLE;
        }
        return failed ? TransactionStatus.FAILED : TransactionStatus.IN_TRANSACTION;
    }

    static String identifier(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
