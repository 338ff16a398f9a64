package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.Frame;
import dev.trunkline.protocol.backend.CommandComplete;
import dev.trunkline.proxy.backend.Reply;
import dev.trunkline.proxy.settings.Settings;
import dev.trunkline.routing.Pin;
import dev.trunkline.routing.Statement;
import dev.trunkline.routing.sql.Command;
import dev.trunkline.routing.sql.StatementKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the session's own record true to what statements changed on the server: run-time parameters, savepoints, what
 * DISCARD and DEALLOCATE threw away. A change counts when the server has said CommandComplete.
 */
final class StateTracker implements Reply.Listener {

    private static final String CLIENT_ENCODING = "client_encoding";

    /** PostgreSQL passes over whatever is no letter or digit in the name of an encoding. */
    private static final Pattern UTF8 = Pattern.compile("\\W*(utf\\W*8|unicode)\\W*", Pattern.CASE_INSENSITIVE);

    private final Session session;
    private final List<Statement> statements;

    private StateTracker(Session session, List<Statement> statements) {
        this.session = session;
        this.statements = statements;
    }

    /** A listener for these statements, or null when none of them changes anything that is kept. */
    static @Nullable StateTracker of(Session session, List<Statement> statements) {
        for (int i = 0; i < statements.size(); i++) {
            if (concerns(statements.get(i))) {
                return new StateTracker(session, statements);
            }
        }
        return null;
    }

    private static boolean concerns(Statement statement) {
        return switch (statement.kind()) {
            case SET,
                    RESET,
                    SET_TRANSACTION,
                    COMMIT,
                    ROLLBACK,
                    SAVEPOINT,
                    RELEASE,
                    ROLLBACK_TO,
                    DISCARD,
                    PREPARE,
                    DEALLOCATE,
                    LISTEN,
                    UNLISTEN -> true;
            default -> !statement.setConfigs().isEmpty();
        };
    }

    /** True for what may put the server's defaults in force: RESET, SET … TO DEFAULT, DISCARD ALL. */
    static boolean mayReset(Statement statement) {
        return switch (statement.kind()) {
            case RESET, DISCARD -> true;
            case SET -> statement.command() instanceof Command.Setting setting && setting.value() == null;
            default -> false;
        };
    }

    @Override
    public void commandComplete(int index, ByteBuf buffer, int start, int end) {
        if (index < statements.size()) {
            boolean rolledBack = isRollback(buffer, start, end);
            apply(session, statements.get(index), rolledBack, session.leases().shards());
        }
    }

    @Override
    public byte @Nullable [] commandCompleteInstead(int index) {
        boolean listens = index < statements.size()
                && statements.get(index).kind() == StatementKind.LISTEN
                && session.listening().isByProxy();
        return listens ? ListenText.COMPLETE : null;
    }

    private static boolean isRollback(ByteBuf buffer, int start, int end) {
        if (buffer.getByte(start + Frame.HEADER_BYTES) != 'R') {
            return false;
        }
        byte[] frame = ByteBufUtil.getBytes(buffer, start, end - start);
        return CommandComplete.hasVerb(frame, Frame.HEADER_BYTES, frame.length - Frame.HEADER_BYTES, "ROLLBACK");
    }

    /**
     * Notes what one statement has changed.
     *
     * @param shards where it ran, save what has been undone there since
     */
    static void apply(Session session, Statement statement, boolean rolledBack, List<Integer> shards) {
        SessionSettings settings = session.settings();
        Command command = statement.command();
        switch (statement.kind()) {
            case SET, RESET -> {
                if (command instanceof Command.Setting setting) {
                    set(session, whole(session, setting), shards);
                }
            }
            case SET_TRANSACTION -> {
                if (command instanceof Command.SetTransaction modes && modes.session()) {
                    SessionCharacteristics.settings(modes.modes()).forEach(setting -> set(session, setting, shards));
                }
            }
            case COMMIT -> {
                if (rolledBack) {
                    rolledBack(session);
                } else {
                    settings.committed();
                }
            }
            case ROLLBACK -> rolledBack(session);
            case SAVEPOINT -> settings.savepoint(savepoint(command));
            case RELEASE -> settings.release(savepoint(command));
            case ROLLBACK_TO -> {
                settings.rollbackTo(savepoint(command));
                serverFollows(session);
            }
            case DISCARD -> discard(session, command, shards);
            case PREPARE -> {
                if (command instanceof Command.SqlPrepared prepared && prepared.name() != null) {
                    session.statements().preparedInSql(prepared.name());
                }
            }
            case DEALLOCATE -> deallocate(session, command);
            case LISTEN, UNLISTEN -> {
                if (command instanceof Command.Channel channel
                        && session.listening().isByProxy()) {
                    listen(session, statement.kind(), channel.channel());
                }
            }
            default -> statement.setConfigs().forEach(setting -> set(session, setting, shards));
        }
    }

    private static void rolledBack(Session session) {
        session.settings().rolledBack();
        serverFollows(session);
    }

    /** The one shard has undone what the session has; over several shards the leases know how far each had come. */
    private static void serverFollows(Session session) {
        if (session.database().shardCount() == 1) {
            session.leases().settingsChanged(session.leases().shards());
        }
    }

    /** The setting as it stands now: a DateStyle may have been given in part, the server reports the whole. */
    private static Command.Setting whole(Session session, Command.Setting setting) {
        boolean partial = setting.name().equals(Settings.DATE_STYLE) && setting.value() != null;
        return partial && !session.isPassThrough()
                ? new Command.Setting(
                        setting.name(), Settings.literal(session.reported().value("DateStyle")), setting.local())
                : setting;
    }

    /** Notes what a statement set by {@code set_config} on some of the shards of a database. */
    static void applySetConfigs(Session session, Statement statement, List<Integer> shards) {
        statement.setConfigs().forEach(setting -> set(session, setting, shards));
        if (!statement.setConfigs().isEmpty() && !session.transaction().isOpen()) {
            session.settings().committed();
        }
    }

    /**
     * Whether a setting can be made again on another connection. Its text is held as UTF-8: what was sent in another
     * encoding may mean something else.
     */
    static boolean isRepeatable(Session session, Command.Setting setting) {
        String value = setting.value();
        if (value == null) {
            return true;
        }
        if (setting.name().equals(CLIENT_ENCODING)) {
            // What has been set before would be said once more in the new encoding.
            return UTF8.matcher(value).matches() || session.settings().current().isAscii();
        }
        return Settings.isAscii(value)
                || UTF8.matcher(session.reported().value(CLIENT_ENCODING)).matches();
    }

    private static void set(Session session, Command.Setting setting, List<Integer> shards) {
        if (setting.local()) {
            return;
        }
        if (session.isPassThrough() && !isRepeatable(session, setting)) {
            session.pin(Pin.UNKNOWN_SETTING);
            return;
        }
        if (setting.name().isEmpty()) {
            session.settings().resetAll();
            session.leases().settingsReset(shards);
        } else {
            session.settings().set(setting.name(), setting.value());
            if (setting.value() == null) {
                session.leases().settingReset(shards, setting.name());
            } else {
                session.leases().settingsChanged(shards);
            }
        }
    }

    private static void discard(Session session, @Nullable Command command, List<Integer> shards) {
        if (command instanceof Command.Discard discard && discard.what().equals("ALL")) {
            session.settings().discardAll();
            session.leases().discarded(shards);
            session.statements().deallocateAll();
            session.unpin();
        } else if (command instanceof Command.Discard discard && discard.what().startsWith("TEMP")) {
            session.unpin(Pin.TEMPORARY_TABLE);
        }
    }

    private static void listen(Session session, StatementKind kind, @Nullable String channel) {
        if (kind == StatementKind.LISTEN && channel != null) {
            session.settings().listen(channel);
        } else {
            session.settings().unlisten(channel);
        }
    }

    private static void deallocate(Session session, @Nullable Command command) {
        if (command instanceof Command.SqlPrepared prepared) {
            if (prepared.name() == null) {
                session.statements().deallocateAll();
            } else {
                session.statements().deallocated(prepared.name());
            }
        }
    }

    private static String savepoint(@Nullable Command command) {
        return command instanceof Command.Savepoint savepoint ? savepoint.name() : "";
    }
}
