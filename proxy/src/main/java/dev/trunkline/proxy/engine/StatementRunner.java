package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.backend.CommandComplete;
import dev.trunkline.protocol.backend.NoticeResponse;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.frontend.Bind;
import dev.trunkline.proxy.backend.BackendErrors;
import dev.trunkline.proxy.backend.Reply;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.proxy.backend.ServerStatement;
import dev.trunkline.routing.Pin;
import dev.trunkline.routing.Route;
import dev.trunkline.routing.Statement;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.Parameters;
import dev.trunkline.routing.shard.CopyTarget;
import dev.trunkline.routing.sql.Command;
import dev.trunkline.routing.sql.StatementKind;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs one statement of a session on a database of several shards: what the proxy answers itself, what goes to one
 * shard, what goes to several. Results go to the client as they come; the CommandComplete is handed to the caller, who
 * knows when the client may see it.
 */
final class StatementRunner {

    /** One statement and how it is sent. */
    interface Execution {

        Statement statement();

        /** The bound values, or null in the simple protocol. */
        @Nullable
        Parameters parameters();

        /** The most rows that the client takes; 0 = all. A statement that returns more fails. */
        default int maxRows() {
            return 0;
        }

        /** Whether the client is told what the rows look like. */
        default boolean isDescribed() {
            return true;
        }

        /** What the client was told before; null = nothing. */
        default @Nullable ServerStatement told() {
            return null;
        }

        /** The client is told what the rows look like now. */
        default void told(ServerStatement now) {}

        /** The message that binds the values, or null in the simple protocol. */
        default @Nullable Bind bind() {
            return null;
        }

        /** Whether the client is told when there are no rows to be described. */
        default boolean hearsNoData() {
            return true;
        }

        /**
         * Sends the statement with handled replies; the last of them ends with ReadyForQuery and has this listener.
         *
         * @param part what this shard gets in place of the statement; null = the statement itself
         */
        void send(ServerConnection server, Route.@Nullable Part part, Reply.Listener last);

        /** Where in the client's text a position is that is counted in what a shard was sent; 0 = nowhere. */
        default int sourcePosition(Route.@Nullable Part part, int position) {
            return part == null ? position : part.sourcePosition(statement().text(), position);
        }
    }

    /** How a statement went. */
    interface Completion {

        /** It ran; the frame is its CommandComplete (or EmptyQueryResponse). */
        void done(byte[] commandComplete);

        /** It failed; nothing of the error has been sent to the client. */
        void failed(Fault fault);
    }

    private final Session session;
    private final TransactionCommands commands;

    StatementRunner(Session session) {
        this.session = session;
        this.commands = new TransactionCommands(session);
    }

    /** Runs a statement; the session is suspended meanwhile. A write over several shards opens a wrapped block. */
    void run(Execution execution, Completion completion) {
        Statement statement = execution.statement();
        try {
            if (session.transaction().isFailed() && !endsFailedBlock(statement.kind())) {
                throw session.transaction().refusal();
            }
            if (!commands.run(statement, completion)) {
                data(execution, completion);
            }
        } catch (PgException refusal) {
            completion.failed(Fault.of(refusal));
        }
    }

    private static boolean endsFailedBlock(StatementKind kind) {
        return kind == StatementKind.COMMIT || kind == StatementKind.ROLLBACK || kind == StatementKind.ROLLBACK_TO;
    }

    private void data(Execution execution, Completion completion) {
        Statement statement = execution.statement();
        place(statement, execution.parameters(), shards -> onShards(execution, shards, completion), completion::failed);
    }

    /** What no route can make right. */
    private void check(Statement statement) {
        if (statement.pin() != Pin.NONE) {
            throw EngineErrors.notOverShards(describe(statement.pin()));
        }
        if (session.transactions().hasChangedDefinitions() && statement.touchesSharded()) {
            throw EngineErrors.shardedAfterDefinition();
        }
        statement.setConfigs().forEach(this::checkSetting);
    }

    /**
     * Whether the other shards can be told of a setting.
     *
     * @throws PgException 0A000 if they cannot
     */
    void checkSetting(Command.Setting setting) {
        if (!StateTracker.isRepeatable(session, setting)) {
            throw EngineErrors.settingNotInUtf8(setting.name());
        }
    }

    private static String describe(Pin pin) {
        return switch (pin) {
            case NONE -> "this statement";
            case TEMPORARY_TABLE -> "a temporary table";
            case ADVISORY_LOCK -> "a session-level advisory lock";
            case HOLD_CURSOR -> "a cursor WITH HOLD";
            case LISTEN -> "LISTEN";
            case SQL_PREPARED -> "PREPARE";
            case LIBRARY -> "LOAD";
            case UNKNOWN_SETTING -> "a set_config whose arguments are no constants";
        };
    }

    /**
     * The connection of the one shard that a plain statement runs on, ready for it, when nothing has to be waited for
     * and nothing is to be refused; else null, for {@link #place} to find out what is to be done.
     */
    @Nullable
    ServerConnection placeNow(Statement statement, @Nullable Parameters parameters) {
        Transaction transaction = session.transaction();
        boolean several = statement.hasUnknownRelation()
                || statement.writesOmnisharded()
                || transaction.isOpen() && !statement.isReadOnly();
        if (several || owesSnapshot()) {
            return null;
        }
        Route route = session.routing().routeNow(statement, parameters);
        int shard = route instanceof Route.One one
                ? one.shard()
                : route instanceof Route.Any any ? anyShard(any.sticky()) : -1;
        ServerConnection server = shard < 0 ? null : session.leases().takeNow(shard);
        if (server == null || !session.routing().isCurrent()) {
            return null;
        }
        session.place().routes().direct();
        return server;
    }

    /** True when nothing but the server's own answer is needed, if it runs on one shard. */
    boolean isPlain(Statement statement) {
        return !session.transaction().isFailed()
                && statement.pin() == Pin.NONE
                && statement.setConfigs().isEmpty()
                && !statement.isDdl()
                && statement.lookupWrites() == 0
                && (statement.kind() == StatementKind.READ || statement.kind() == StatementKind.WRITE)
                && !(session.transactions().hasChangedDefinitions() && statement.touchesSharded());
    }

    /**
     * Where a statement runs.
     *
     * @param merge how the answers of several shards merge; null for a single shard
     * @param split what each of the shards gets in place of the statement; null if all get the statement
     * @param copy the rows that the client will send decide which of them goes where; null for all else
     * @param computed what is computed on the first shard before the statement runs; null for all else
     */
    record Placement(
            List<Integer> shards,
            Route.@Nullable Merge merge,
            Route.@Nullable Split split,
            Route.@Nullable Copy copy,
            Route.@Nullable Computed computed) {

        Placement(List<Integer> shards, Route.@Nullable Merge merge) {
            this(shards, merge, null, null, null);
        }

        static Placement of(Route.Computed computed) {
            return new Placement(computed.shards(), Route.Merge.SINGLE_COUNT, null, null, computed);
        }

        /** Every shard takes part in a COPY FROM. */
        static Placement of(Route.Copy copy, List<Integer> shards) {
            Route.Merge merge = copy.target().isOmnisharded() ? Route.Merge.SINGLE_COUNT : Route.Merge.CONCATENATE;
            return new Placement(shards, merge, null, copy, null);
        }

        static Placement of(Route.Split split) {
            List<Integer> shards = split.parts().stream().map(Route.Part::shard).toList();
            return new Placement(shards, Route.Merge.CONCATENATE, split, null, null);
        }

        Route.@Nullable Part part(int index) {
            if (copy != null) {
                return copy.part();
            }
            if (computed != null) {
                return computed.part();
            }
            return split == null ? null : split.parts().get(index);
        }

        /** See {@link MergedRows}. */
        List<Integer> rowOrder() {
            return split == null ? List.of() : split.rowParts();
        }

        boolean parseFirst() {
            return split != null && split.parseFirst();
        }
    }

    /** Looks at a placement before connections are taken; throws PgException to refuse it. */
    interface Check {

        /** Goes on by {@code then} when the placement is possible, at once or later. */
        void check(Placement placement, Runnable then);
    }

    /** Routes a statement and prepares the connections; routes again when a mapping has changed meanwhile. */
    void place(
            Statement statement, @Nullable Parameters parameters, Consumer<Placement> placed, Consumer<Fault> failed) {
        place(statement, parameters, (placement, then) -> then.run(), placed, failed);
    }

    /** The same with a look at the placement before connections are taken. */
    void place(
            Statement statement,
            @Nullable Parameters parameters,
            Check check,
            Consumer<Placement> placed,
            Consumer<Fault> failed) {
        check(statement);
        session.routing()
                .route(
                        statement,
                        parameters,
                        route -> session.guarded(() -> {
                            try {
                                enlist(statement, parameters, route, check, placed, failed);
                            } catch (PgException refusal) {
                                failed.accept(Fault.of(refusal));
                            }
                        }),
                        failed);
    }

    private void enlist(
            Statement statement,
            @Nullable Parameters parameters,
            Route route,
            Check check,
            Consumer<Placement> placed,
            Consumer<Fault> failed) {
        if (route instanceof Route.Unproven unproven) {
            new ParseOnly(session).run(statement, unproven.refusal(), failed);
            return;
        }
        Placement placement = handled(statement, placementOf(route));
        check.check(
                placement,
                () -> session.guarded(() -> {
                    try {
                        lease(statement, parameters, placement, check, placed, failed);
                    } catch (PgException refusal) {
                        failed.accept(Fault.of(refusal));
                    }
                }));
    }

    private void lease(
            Statement statement,
            @Nullable Parameters parameters,
            Placement placement,
            Check check,
            Consumer<Placement> placed,
            Consumer<Fault> failed) {
        if (!statement.isReadOnly()) {
            beforeWrite(statement, placement);
        }
        boolean wasEmpty = session.leases().count() == 0;
        session.leases()
                .takeAll(
                        owesSnapshot() ? session.database().allShards() : placement.shards,
                        () -> {
                            if (session.routing().isCurrent()) {
                                placed.accept(placement);
                            } else {
                                if (wasEmpty) {
                                    session.releaseIdle();
                                }
                                place(statement, parameters, check, placed, failed);
                            }
                        },
                        failed);
    }

    /**
     * True before the first statement of a transaction with a snapshot of its own: all shards take theirs now, as close
     * to each other as can be, not when a statement happens to need them.
     */
    private boolean owesSnapshot() {
        Transaction transaction = session.transaction();
        return transaction.isSnapshotIsolation() && !session.leases().haveAllBegun();
    }

    private void beforeWrite(Statement statement, Placement placement) {
        Transaction transaction = session.transaction();
        transaction.anotherStatement();
        if (placement.merge != null
                && !transaction.isOpen()
                && statement.kind() != StatementKind.UTILITY_OUTSIDE_BLOCK) {
            transaction.wrapSingle();
        }
        if (transaction.isOpen()) {
            session.transactions().mark(statement);
        }
    }

    /**
     * Where the other shards must follow, now or when an error takes it back, even one shard's answer is not simply
     * passed on; nor where a lookup map must before the client may know.
     */
    private Placement handled(Statement statement, Placement placement) {
        return placement.merge == null && (!statement.setConfigs().isEmpty() || statement.lookupWrites() != 0)
                ? new Placement(placement.shards, Route.Merge.SINGLE_COUNT)
                : placement;
    }

    /** A placement on one shard alone. */
    static Placement onOne(int shard) {
        return new Placement(List.of(shard), null);
    }

    private Placement placementOf(Route route) {
        if (route instanceof Route.One one) {
            return onOne(one.shard());
        }
        if (route instanceof Route.Any any) {
            return onOne(anyShard(any.sticky()));
        }
        if (route instanceof Route.Many many) {
            return new Placement(many.shards(), many.merge());
        }
        if (route instanceof Route.Split split) {
            return Placement.of(split);
        }
        if (route instanceof Route.Computed computed) {
            return Placement.of(computed);
        }
        if (route instanceof Route.Copy copy) {
            SplitCopy.check(session, copy);
            return Placement.of(copy, session.database().allShards());
        }
        throw new IllegalStateException("a route that cannot be placed: " + route);
    }

    /** A shard that the transaction holds, else a fixed one for the catalogs, else the next in turn. */
    int anyShard(boolean sticky) {
        int held = session.leases().anyShard();
        if (held >= 0) {
            return held;
        }
        return sticky ? 0 : session.database().nextShard();
    }

    /** Runs a statement on the shards it was placed on. */
    void onShards(Execution execution, Placement placement, Completion completion) {
        Statement statement = execution.statement();
        if (statement.writesRows()) {
            placement.shards.forEach(session.leases()::wrote);
        }
        if (statement.lookupWrites() != 0) {
            session.transactions().ownChange();
        }
        if (placement.computed() != null) {
            new Computing(session, execution, placement.computed())
                    .run(computed -> onShards(computed, placement, completion, null), completion::failed);
            return;
        }
        int own = SplitCopy.ownLookup(session, placement.copy());
        if (own >= 0) {
            OwnTranslating.ofAll(
                    session, own, map -> onShards(execution, placement, completion, map), completion::failed);
        } else {
            onShards(execution, placement, completion, null);
        }
    }

    /** The map is for a COPY whose transaction has written the lookup itself. */
    private void onShards(
            Execution execution, Placement placement, Completion completion, @Nullable KeyTranslation ownMap) {
        Statement statement = execution.statement();
        MultiShardStatement run = new MultiShardStatement(
                session, execution, placement, ownMap, spreading(statement, placement, completion));
        if (placement.copy() != null && placement.copy().target().isOmnisharded()) {
            lockCopied(placement.copy().target(), placement.shards.get(0), run::start, completion);
        } else if (placement.parseFirst()) {
            ServerConnection first = session.leases().get(placement.shards.get(0));
            new ParseOnly(session).check(first, statement, execution.parameters(), run::start, completion::failed);
        } else {
            run.start();
        }
    }

    /**
     * Other writes of an omnisharded table begin on the first shard and take their locks there. The rows of a COPY reach
     * all shards at once: so that no two writers wait for each other on different shards, it lets no other in.
     */
    private void lockCopied(CopyTarget target, int shard, Runnable then, Completion completion) {
        String schema = target.schema().isEmpty() ? "" : Transaction.identifier(target.schema()) + ".";
        String sql = "LOCK TABLE " + schema + Transaction.identifier(target.table()) + " IN SHARE ROW EXCLUSIVE MODE";
        ServerConnection server = session.leases().get(shard);
        new ShardCommand(session) {
            @Override
            void succeeded() {
                session.guarded(then);
            }

            @Override
            void refused(@Nullable Fault fault) {
                completion.failed(fault == null ? Fault.of(session.transaction().refusal()) : fault);
            }

            @Override
            public void lost() {
                completion.failed(Fault.of(BackendErrors.connectionLost(server.address())));
            }
        }.send(server, sql);
    }

    /** What set_config sets for the transaction holds on its other shards as well. */
    private Completion spreading(Statement statement, Placement placement, Completion completion) {
        if (!setsLocally(statement)) {
            return completion;
        }
        return new Completion() {
            @Override
            public void done(byte[] commandComplete) {
                commands.spreadLocal(statement.setConfigs(), placement.shards, new Completion() {
                    @Override
                    public void done(byte[] unused) {
                        completion.done(commandComplete);
                    }

                    @Override
                    public void failed(Fault fault) {
                        completion.failed(fault);
                    }
                });
            }

            @Override
            public void failed(Fault fault) {
                completion.failed(fault);
            }
        };
    }

    /** True in a block when a statement calls set_config for the rest of the transaction. */
    private boolean setsLocally(Statement statement) {
        return session.transaction().isOpen() && statement.setConfigs().stream().anyMatch(Command.Setting::local);
    }

    // ---- helpers for those who answer themselves

    static byte[] commandComplete(String tag) {
        FrameWriter out = new FrameWriter();
        new CommandComplete(tag).encode(out);
        return out.toByteArray();
    }

    static byte[] notice(PgException notice) {
        FrameWriter out = new FrameWriter();
        NoticeResponse.of(notice).encode(out);
        return out.toByteArray();
    }
}
