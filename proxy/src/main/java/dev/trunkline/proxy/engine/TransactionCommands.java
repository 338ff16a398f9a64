package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.backend.FixedFrames;
import dev.trunkline.protocol.error.ProtocolErrors;
import dev.trunkline.proxy.backend.BackendErrors;
import dev.trunkline.proxy.backend.Reply;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.proxy.engine.StatementRunner.Completion;
import dev.trunkline.proxy.listen.Channels;
import dev.trunkline.proxy.settings.Settings;
import dev.trunkline.routing.Statement;
import dev.trunkline.routing.sql.Command;
import dev.trunkline.routing.sql.StatementKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Transaction control, settings, channels and DEALLOCATE on a database of several shards. BEGIN is kept until a statement needs a shard;
 * COMMIT and ROLLBACK end what has begun; savepoints and settings go to the shards that have begun and are kept for
 * those that come later.
 */
final class TransactionCommands {

    private final Session session;

    TransactionCommands(Session session) {
        this.session = session;
    }

    /** Carries a statement out if it is of these kinds; false if it is for the shards. */
    boolean run(Statement statement, Completion completion) {
        switch (statement.kind()) {
            case EMPTY -> completion.done(FixedFrames.EMPTY_QUERY_RESPONSE);
            case BEGIN -> begin(statement, completion);
            case COMMIT -> end(statement, true, completion);
            case ROLLBACK -> end(statement, false, completion);
            case SAVEPOINT, RELEASE, ROLLBACK_TO -> savepoint(statement, completion);
            case SET, RESET -> setting(statement, completion);
            case SET_TRANSACTION -> setTransaction(statement, completion);
            case SET_CONSTRAINTS -> setConstraints(statement, completion);
            case DISCARD -> discard(statement, completion);
            case DEALLOCATE -> deallocate(statement, completion);
            case LISTEN -> listen(statement, completion);
            case UNLISTEN -> listened(statement, "UNLISTEN", completion);
            case NOTIFY -> notify(statement, completion);
            case CLOSE -> {
                return closesAll(statement, completion);
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private static String text(Statement statement) {
        return new String(
                statement.text(), statement.start(), statement.end() - statement.start(), StandardCharsets.UTF_8);
    }

    private static boolean startsWith(Statement statement, String word) {
        String text = text(statement).stripLeading();
        return text.length() >= word.length()
                && text.substring(0, word.length()).toUpperCase(Locale.ROOT).equals(word);
    }

    private static <T extends Command> T command(Statement statement, Class<T> type) {
        return type.cast(Objects.requireNonNull(statement.command()));
    }

    // ---- BEGIN, COMMIT, ROLLBACK

    private void begin(Statement statement, Completion completion) {
        Transaction transaction = session.transaction();
        Command.Transaction begin = command(statement, Command.Transaction.class);
        String tag = startsWith(statement, "START") ? "START TRANSACTION" : "BEGIN";
        if (!transaction.isOpen()) {
            transaction.begin(begin.modes(), begin.repeatableRead() || isSnapshotByDefault());
            completion.done(StatementRunner.commandComplete(tag));
            return;
        }
        if (transaction.isWrapped()) {
            transaction.adopt();
        } else {
            session.output(StatementRunner.notice(EngineErrors.alreadyInTransaction()));
        }
        if (begin.modes().isEmpty()) {
            completion.done(StatementRunner.commandComplete(tag));
        } else {
            // To a transaction that is open already they mean what SET TRANSACTION does.
            set(statement, "SET TRANSACTION " + begin.modes(), tag, true, completion);
        }
    }

    /** Modes that BEGIN itself gives may say otherwise: then shards are enlisted sooner than need be. */
    private boolean isSnapshotByDefault() {
        String level = session.settings().current().get("default_transaction_isolation");
        return level != null && !level.toLowerCase(Locale.ROOT).contains("read committed");
    }

    private void end(Statement statement, boolean commit, Completion completion) {
        Transaction transaction = session.transaction();
        Command.Transaction end = command(statement, Command.Transaction.class);
        if (!transaction.isOpen() || transaction.isWrapped()) {
            if (end.chain()) {
                completion.failed(
                        Fault.of(EngineErrors.onlyInTransaction(commit ? "COMMIT AND CHAIN" : "ROLLBACK AND CHAIN")));
                return;
            }
            session.output(StatementRunner.notice(EngineErrors.noTransaction()));
            if (!transaction.isOpen()) {
                completion.done(StatementRunner.commandComplete(commit ? "COMMIT" : "ROLLBACK"));
                return;
            }
        }
        Transaction.Chain chain = end.chain() ? transaction.chain() : null;
        TransactionEnd.Outcome outcome = new TransactionEnd.Outcome() {
            @Override
            public void ended(String tag) {
                if (chain != null) {
                    transaction.begin(chain, isSnapshotByDefault());
                }
                completion.done(StatementRunner.commandComplete(tag));
            }

            @Override
            public void failed(Fault fault) {
                completion.failed(fault);
            }
        };
        if (commit) {
            session.transactions().commit(outcome);
        } else {
            session.transactions().rollback(outcome);
        }
    }

    // ---- savepoints

    private void savepoint(Statement statement, Completion completion) {
        Transaction transaction = session.transaction();
        String name = command(statement, Command.Savepoint.class).name();
        StatementKind kind = statement.kind();
        if (!transaction.isOpen() || transaction.isWrapped()) {
            completion.failed(Fault.of(EngineErrors.onlyInTransaction(
                    kind == StatementKind.RELEASE ? "RELEASE SAVEPOINT" : nameOf(kind))));
            return;
        }
        if (kind == StatementKind.ROLLBACK_TO && transaction.isDoomed()) {
            completion.failed(Fault.of(transaction.refusal()));
            return;
        }
        if (kind != StatementKind.SAVEPOINT && !transaction.hasSavepoint(name)) {
            completion.failed(Fault.of(EngineErrors.noSuchSavepoint(name)));
            return;
        }
        broadcast(text(statement), new Completion() {
            @Override
            public void done(byte[] commandComplete) {
                switch (kind) {
                    case SAVEPOINT ->
                        transaction.savepoint(name, session.reported().mark());
                    case RELEASE -> transaction.release(name);
                    default -> {
                        session.reported().undoTo(transaction.rollbackTo(name));
                        session.transactions().ownChange();
                    }
                }
                StateTracker.apply(session, statement, false, List.of());
                session.leases().savepoint(kind, name);
                completion.done(
                        StatementRunner.commandComplete(kind == StatementKind.ROLLBACK_TO ? "ROLLBACK" : nameOf(kind)));
            }

            @Override
            public void failed(Fault fault) {
                completion.failed(fault);
            }
        });
    }

    private static String nameOf(StatementKind kind) {
        return switch (kind) {
            case RELEASE -> "RELEASE";
            case ROLLBACK_TO -> "ROLLBACK TO SAVEPOINT";
            default -> "SAVEPOINT";
        };
    }

    // ---- settings

    private void setting(Statement statement, Completion completion) {
        Command.Setting setting = command(statement, Command.Setting.class);
        session.runner().checkSetting(setting);
        String tag = statement.kind() == StatementKind.SET ? "SET" : "RESET";
        set(statement, text(statement), tag, setting.local(), completion);
    }

    private void set(Statement statement, String sql, String tag, boolean local, Completion completion) {
        Transaction transaction = session.transaction();
        int anyShard = session.runner().anyShard(false);
        List<Integer> shards = transaction.isOpen() ? begunShards() : List.of(anyShard);
        Completion noted = new Completion() {
            @Override
            public void done(byte[] commandComplete) {
                if (!local) {
                    StateTracker.apply(session, statement, false, shards);
                    if (!transaction.isOpen()) {
                        session.settings().committed();
                    }
                } else if (transaction.isOpen()) {
                    replay(statement, sql);
                }
                completion.done(StatementRunner.commandComplete(tag));
            }

            @Override
            public void failed(Fault fault) {
                completion.failed(fault);
            }
        };
        if (!transaction.isOpen()) {
            onShard(anyShard, sql, noted);
        } else if (shards.isEmpty()) {
            trial(sql, local, noted);
        } else {
            broadcast(sql, noted);
        }
    }

    /** Shards that are enlisted later follow. */
    private void replay(Statement statement, String sql) {
        Transaction transaction = session.transaction();
        if (statement.command() instanceof Command.SetTransaction modes) {
            transaction.mode(sql, modes.repeatableRead());
        } else if (statement.command() instanceof Command.Transaction modes) {
            transaction.mode(sql, modes.repeatableRead());
        } else if (statement.command() instanceof Command.Setting setting
                && setting.name().startsWith("transaction_")) {
            transaction.mode(sql, setting.name().equals("transaction_isolation") && isSnapshot(setting));
        } else {
            transaction.replay(sql);
        }
    }

    /** True also for what says nothing of itself: shards are enlisted sooner than need be then. */
    private static boolean isSnapshot(Command.Setting level) {
        String value = level.value();
        return value == null || !value.toLowerCase(Locale.ROOT).contains("committed");
    }

    /**
     * A SET before the block has begun anywhere: tried out on a server outside of the block, so that a wrong name or
     * value fails here and now, without tying the block to that shard.
     */
    private void trial(String sql, boolean local, Completion noted) {
        int shard = session.runner().anyShard(false);
        boolean held = session.leases().holds(shard);
        session.leases()
                .takeOutsideBlock(
                        shard,
                        server -> {
                            session.reported().tryOut(local);
                            query(server, session.transaction().beginning() + ";" + sql, new Completion() {
                                @Override
                                public void done(byte[] commandComplete) {
                                    takeBack(server, held, () -> noted.done(commandComplete));
                                }

                                @Override
                                public void failed(Fault fault) {
                                    takeBack(server, held, () -> noted.failed(fault));
                                }
                            });
                        },
                        noted::failed);
    }

    private void takeBack(ServerConnection server, boolean held, Runnable then) {
        if (server.isLost()) {
            session.reported().trialEnded();
            then.run();
            return;
        }
        session.reported().takeTrialBack();
        query(server, "ROLLBACK", new Completion() {
            @Override
            public void done(byte[] commandComplete) {
                session.reported().trialEnded();
                if (!held) {
                    session.leases().release(server.address().shard());
                }
                then.run();
            }

            @Override
            public void failed(Fault fault) {
                session.reported().trialEnded();
                then.run();
            }
        });
    }

    private void setTransaction(Statement statement, Completion completion) {
        Command.SetTransaction modes = command(statement, Command.SetTransaction.class);
        if (modes.session()) {
            set(statement, text(statement), "SET", false, completion);
        } else if (modes.snapshot()) {
            completion.failed(Fault.of(EngineErrors.notOverShards("SET TRANSACTION SNAPSHOT")));
        } else if (session.transaction().isOpen()) {
            set(statement, text(statement), "SET", true, completion);
        } else {
            // PostgreSQL warns that it has no effect outside of a block; let it say so.
            onAnyShard(text(statement), completion);
        }
    }

    private void setConstraints(Statement statement, Completion completion) {
        if (session.transaction().isOpen()) {
            set(statement, text(statement), "SET CONSTRAINTS", true, completion);
        } else {
            onAnyShard(text(statement), completion);
        }
    }

    private void discard(Statement statement, Completion completion) {
        if (session.transaction().isOpen()) {
            // PostgreSQL refuses DISCARD ALL inside a block; let it say so.
            onAnyShard(text(statement), completion);
            return;
        }
        int shard = session.runner().anyShard(false);
        onShard(shard, text(statement), new Completion() {
            @Override
            public void done(byte[] commandComplete) {
                StateTracker.apply(session, statement, false, List.of(shard));
                completion.done(commandComplete);
            }

            @Override
            public void failed(Fault fault) {
                completion.failed(fault);
            }
        });
    }

    /** Servers keep what they have prepared: it is prepared under names of our own, for whoever sends the same text. */
    private void deallocate(Statement statement, Completion completion) {
        String name = command(statement, Command.SqlPrepared.class).name();
        if (name == null) {
            session.statements().forgetNamed();
            completion.done(StatementRunner.commandComplete("DEALLOCATE ALL"));
        } else if (session.statements().forgetNamed(name)) {
            completion.done(StatementRunner.commandComplete("DEALLOCATE"));
        } else {
            completion.failed(Fault.of(ProtocolErrors.unknownStatement(name)));
        }
    }

    // ---- channels

    private void listen(Statement statement, Completion completion) {
        String channel =
                Objects.requireNonNull(command(statement, Command.Channel.class).channel());
        session.listening().take(channel, () -> listened(statement, "LISTEN", completion), completion::failed);
    }

    private void listened(Statement statement, String tag, Completion completion) {
        StateTracker.apply(session, statement, false, List.of());
        if (!session.transaction().isOpen()) {
            session.settings().committed();
        }
        completion.done(StatementRunner.commandComplete(tag));
    }

    /** To the shard where the channel is listened to; in a block it counts when that commits. */
    private void notify(Statement statement, Completion completion) {
        String channel =
                Objects.requireNonNull(command(statement, Command.Channel.class).channel());
        onShard(Channels.shardOf(channel, session.database().shardCount()), text(statement), completion);
    }

    /** CLOSE ALL: cursors live in a block alone, and on the shards where it has begun. */
    private boolean closesAll(Statement statement, Completion completion) {
        if (command(statement, Command.Cursor.class).name() != null) {
            return false;
        }
        broadcast(text(statement), new Completion() {
            @Override
            public void done(byte[] unused) {
                completion.done(StatementRunner.commandComplete("CLOSE CURSOR ALL"));
            }

            @Override
            public void failed(Fault fault) {
                completion.failed(fault);
            }
        });
        return true;
    }

    // ---- sending

    private List<Integer> begunShards() {
        return session.leases().shards().stream()
                .filter(session.leases()::hasBegun)
                .toList();
    }

    private void onAnyShard(String sql, Completion completion) {
        onShard(session.runner().anyShard(false), sql, completion);
    }

    private void onShard(int shard, String sql, Completion completion) {
        session.leases().take(shard, server -> query(server, sql, completion), completion::failed);
    }

    /** Sets for the rest of the transaction, on the shards that have not done so and on those that come later. */
    void spreadLocal(List<Command.Setting> settings, List<Integer> setAlready, Completion completion) {
        StringBuilder sql = new StringBuilder();
        for (Command.Setting setting : settings) {
            if (setting.local()) {
                String one = "SET LOCAL " + Settings.quoted(setting.name()) + " TO "
                        + (setting.value() == null ? "DEFAULT" : setting.value());
                session.transaction().replay(one);
                sql.append(one).append(';');
            }
        }
        List<Integer> others = new ArrayList<>(begunShards());
        others.removeAll(setAlready);
        broadcast(others, sql.toString(), completion);
    }

    /** To every shard that has begun; done when all have done it, failed with the first failure. */
    private void broadcast(String sql, Completion completion) {
        broadcast(begunShards(), sql, completion);
    }

    private void broadcast(List<Integer> shards, String sql, Completion completion) {
        if (shards.isEmpty()) {
            completion.done(new byte[0]);
            return;
        }
        int[] left = {shards.size()};
        Fault[] first = new Fault[1];
        Completion each = new Completion() {
            @Override
            public void done(byte[] commandComplete) {
                ended(commandComplete);
            }

            @Override
            public void failed(Fault fault) {
                if (first[0] == null) {
                    first[0] = fault;
                }
                ended(new byte[0]);
            }

            private void ended(byte[] commandComplete) {
                if (--left[0] == 0) {
                    if (first[0] == null) {
                        completion.done(commandComplete);
                    } else {
                        completion.failed(first[0]);
                    }
                }
            }
        };
        for (int shard : shards) {
            query(session.leases().get(shard), sql, each);
        }
    }

    /** One query of ours whose answer is not for the client. */
    private void query(ServerConnection server, String sql, Completion completion) {
        server.query(sql, Reply.of(Reply.Step.QUERY, Reply.Use.SWALLOW, new Reply.Listener() {
            private @Nullable Fault fault;
            private byte[] frame = {};

            @Override
            public void commandComplete(int index, ByteBuf buffer, int start, int end) {
                frame = ByteBufUtil.getBytes(buffer, start, end - start);
            }

            @Override
            public void failed() {
                fault = session.relay().takeSwallowed();
            }

            @Override
            public void done() {
                if (fault == null) {
                    completion.done(frame);
                } else {
                    completion.failed(fault);
                }
            }

            @Override
            public void lost() {
                completion.failed(Fault.of(BackendErrors.connectionLost(server.address())));
            }
        }));
    }
}
