package dev.trunkline.proxy.twophase;

import dev.trunkline.protocol.error.PgException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Tuple;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the other instances that this one lives: a session-level advisory lock on one shard, held over a connection of
 * its own, taken again when the connection is lost. It only spares transactions that are on their way; that nothing goes
 * wrong without it is the decision table's.
 */
final class Liveness {

    private static final Logger LOG = LoggerFactory.getLogger(Liveness.class);

    private static final long RETRY_MILLIS = 1_000;

    private final Vertx vertx;
    private final ShardServers servers;
    private final int shard;
    private final String instance;
    private volatile @Nullable PgConnection holder;
    private volatile boolean ended;

    Liveness(Vertx vertx, ShardServers servers, int shard, String instance) {
        this.vertx = vertx;
        this.servers = servers;
        this.shard = shard;
        this.instance = instance;
    }

    /** The lock of an instance. */
    static long lockOf(String instance) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(("trunkline instance " + instance).getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(digest).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Completes when the lock is held; fails when another process holds it. */
    Future<Void> take() {
        if (holder != null) {
            return Future.succeededFuture();
        }
        return PgConnection.connect(vertx, options())
                .compose(connection -> connection
                        .preparedQuery(DecisionTable.TRY_LOCK)
                        .execute(Tuple.of(lockOf(instance)))
                        .compose(rows -> {
                            if (rows.iterator().next().getBoolean(0)) {
                                held(connection);
                                return Future.<Void>succeededFuture();
                            }
                            PgException taken = TwoPhaseErrors.instanceTwice(instance, shard);
                            return connection.close().compose(closed -> Future.<Void>failedFuture(taken));
                        }));
    }

    private PgConnectOptions options() {
        PgConnectOptions options = servers.options(shard);
        options.addProperty("application_name", "trunkline liveness");
        return options;
    }

    private void held(PgConnection connection) {
        holder = connection;
        connection.closeHandler(closed -> {
            holder = null;
            if (!ended) {
                LOG.warn("lost the connection that shows shard {} that this instance lives", shard);
                takeAgain();
            }
        });
    }

    private void takeAgain() {
        vertx.setTimer(RETRY_MILLIS, timer -> {
            if (!ended) {
                var unused = take().onFailure(fault -> takeAgain());
            }
        });
    }

    /** The connection that holds the lock; null while there is none. */
    @Nullable
    PgConnection connection() {
        return holder;
    }

    void end() {
        ended = true;
        PgConnection connection = holder;
        if (connection != null) {
            var unused = connection.close();
        }
    }
}
