package dev.trunkline.proxy.engine;

import dev.trunkline.conf.User;
import dev.trunkline.protocol.Frame;
import dev.trunkline.protocol.TransactionStatus;
import dev.trunkline.protocol.backend.ErrorResponse;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.ProtocolErrors;
import dev.trunkline.proxy.backend.BackendErrors;
import dev.trunkline.proxy.backend.Reply;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.proxy.backend.Unattended;
import dev.trunkline.proxy.net.Loop;
import dev.trunkline.proxy.pool.LoopPool;
import dev.trunkline.proxy.pool.Waiter;
import dev.trunkline.proxy.settings.Settings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what a server reports to a session that starts with certain settings: asks a server the first time, which
 * also proves the settings valid, and remembers it. The application name is each client's own and reported as it is.
 */
public final class StartupLearning {

    private static final String APPLICATION_NAME = "application_name";
    /** PostgreSQL cuts it to one byte less than NAMEDATALEN. */
    private static final int MAX_NAME_CHARACTERS = 63;

    private final Loop loop;
    private final DatabaseState database;
    private final User user;
    private final Settings settings;

    /** For one client of the given loop; the settings are those of its startup packet. */
    public StartupLearning(Loop loop, DatabaseState database, User user, Settings settings) {
        this.loop = loop;
        this.database = database;
        this.user = user;
        this.settings = settings;
    }

    /**
     * Answers on the loop, at once when it is known.
     *
     * @param pool this user's on shard 0
     * @param patienceMillis how long the database may take to get ready
     */
    public void learn(
            LoopPool pool, long patienceMillis, Consumer<Map<String, String>> learned, Consumer<PgException> failed) {
        String applicationName = plain(settings.get(APPLICATION_NAME));
        if (applicationName != null && database.isReady()) {
            Map<String, String> known = database.reportedAfter(user.name(), settings.with(APPLICATION_NAME, null));
            if (known != null) {
                learned.accept(named(known, applicationName));
                return;
            }
        }
        boolean[] over = {false};
        Loop.Timer timer = loop.schedule(patienceMillis, () -> {
            if (!over[0]) {
                over[0] = true;
                failed.accept(ProtocolErrors.starting(database.name()));
            }
        });
        var unused = database.whenReady()
                .onComplete(ready -> loop.run(() -> {
                    if (!over[0]) {
                        over[0] = true;
                        timer.cancel();
                        ask(pool, learned, failed);
                    }
                }));
    }

    /** The application name as it will be reported, or null when only a server knows. */
    private static @Nullable String plain(@Nullable String literal) {
        if (literal == null) {
            return "";
        }
        if (literal.startsWith("E") || literal.length() > MAX_NAME_CHARACTERS) {
            return null;
        }
        String name = literal.substring(1, literal.length() - 1).replace("''", "'");
        return name.chars().allMatch(c -> c >= ' ' && c < 127) ? name : null;
    }

    private static Map<String, String> named(Map<String, String> known, String applicationName) {
        Map<String, String> reported = new HashMap<>(known);
        reported.put(APPLICATION_NAME, applicationName);
        return reported;
    }

    private void ask(LoopPool pool, Consumer<Map<String, String>> learned, Consumer<PgException> failed) {
        var unused = pool.acquire(false, new Waiter.Taker() {
            @Override
            public void leased(ServerConnection server) {
                apply(pool, server, learned, failed);
            }

            @Override
            public void failed(PgException fault) {
                failed.accept(fault);
            }
        });
    }

    private void apply(
            LoopPool pool,
            ServerConnection server,
            Consumer<Map<String, String>> learned,
            Consumer<PgException> failed) {
        String changes = server.settings().changesTo(settings);
        if (changes.isEmpty()) {
            learned(pool, server, learned);
            return;
        }
        server.handler(new Unattended() {
            private byte @Nullable [] error;

            @Override
            public void error(ServerConnection from, Reply reply, ByteBuf buffer, int start, int end, boolean fatal) {
                error = ByteBufUtil.getBytes(buffer, start, end - start);
            }

            @Override
            public void ready(ServerConnection from, Reply reply, TransactionStatus status) {
                if (error == null) {
                    server.settings(settings);
                    learned(pool, server, learned);
                } else {
                    pool.release(server);
                    failed.accept(EngineErrors.refusedSettings(
                            ErrorResponse.decode(error, Frame.HEADER_BYTES, error.length - Frame.HEADER_BYTES)));
                }
            }

            @Override
            public void lost(ServerConnection from, @Nullable Throwable cause) {
                pool.discard(server);
                failed.accept(BackendErrors.connectionLost(server.address()));
            }
        });
        server.query(changes, Reply.of(Reply.Step.QUERY, Reply.Use.SWALLOW));
    }

    private void learned(LoopPool pool, ServerConnection server, Consumer<Map<String, String>> learned) {
        Map<String, String> reported = new HashMap<>(server.parameters());
        pool.release(server);
        Map<String, String> common = new HashMap<>(reported);
        common.remove(APPLICATION_NAME);
        database.rememberReported(user.name(), settings.with(APPLICATION_NAME, null), common);
        learned.accept(reported);
    }
}
