package dev.trunkline.proxy;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.trunkline.conf.Configuration;
import dev.trunkline.conf.General;
import dev.trunkline.proxy.frontend.PasswordEntries;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnectOptions;
import io.vertx.sqlclient.Tuple;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads password entries by {@code auth_query} on shard 0, over few connections of its own outside of every pool. Logins
 * of one user that come at a time share a read: each is answered by one that began after it. For all threads.
 */
final class AuthQuery implements PasswordEntries {

    private static final int CONNECTIONS = 2;
    private static final int MAX_REMEMBERED = 10_000;

    private record Key(String database, String user) {}

    private final Vertx vertx;
    private final Supplier<Configuration> configuration;
    private final Function<String, PgConnectOptions> server;
    private final ConcurrentHashMap<String, Pool> pools = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Key, Reads> reads = new ConcurrentHashMap<>();
    private final Cache<Key, Optional<String>> remembered;

    /**
     * Nothing is connected to before somebody asks.
     *
     * @param configuration in force
     * @param server how shard 0 of a database is reached, asked for anew for each connection
     */
    AuthQuery(Vertx vertx, Supplier<Configuration> configuration, Function<String, PgConnectOptions> server) {
        this.vertx = vertx;
        this.configuration = configuration;
        this.server = server;
        this.remembered = Caffeine.newBuilder()
                .maximumSize(MAX_REMEMBERED)
                .expireAfterWrite(configuration.get().general().authQueryMaxAge())
                .build();
    }

    private Pool pool(String database) {
        Supplier<Future<SqlConnectOptions>> options = () -> Future.succeededFuture(server.apply(database));
        return PgBuilder.pool()
                .using(vertx)
                .with(new PoolOptions()
                        .setMaxSize(CONNECTIONS)
                        .setIdleTimeout(60)
                        .setIdleTimeoutUnit(TimeUnit.SECONDS))
                .connectingTo(options)
                .build();
    }

    @Override
    public Future<@Nullable String> entry(String database, String user) {
        Key key = new Key(database, user);
        Optional<String> known = remembered.getIfPresent(key);
        if (known != null) {
            return Future.succeededFuture(known.orElse(null));
        }
        return reads.computeIfAbsent(key, Reads::new).next().map(entry -> entry.orElse(null));
    }

    private Future<Optional<String>> read(Key key) {
        General general = configuration.get().general();
        String query = general.authQuery();
        if (query == null) {
            return Future.succeededFuture(Optional.empty());
        }
        return pools.computeIfAbsent(key.database, this::pool)
                .preparedQuery(query)
                .execute(Tuple.of(key.user))
                .timeout(general.connectTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .map(rows -> entry(key, rows))
                .onSuccess(entry -> remembered.put(key, entry));
    }

    private static Optional<String> entry(Key key, RowSet<Row> rows) {
        if (rows.size() == 0) {
            return Optional.empty();
        }
        Row row = rows.iterator().next();
        boolean isOfAnother = row.size() > 1 && !key.user.equals(row.getString(0));
        if (rows.size() > 1 || isOfAnother) {
            throw new IllegalStateException("it does not answer with one row for the user");
        }
        return Optional.ofNullable(row.getString(row.size() - 1));
    }

    /** The reads of one user: one under way, and one that begins after it for all who have come since. */
    private final class Reads {

        private final Key key;
        private @Nullable Future<Optional<String>> running;
        private @Nullable Future<Optional<String>> waiting;

        Reads(Key key) {
            this.key = key;
        }

        synchronized Future<Optional<String>> next() {
            if (running == null) {
                return start(read(key));
            }
            if (waiting == null) {
                waiting = running.transform(before -> read(key));
            }
            return waiting;
        }

        private synchronized Future<Optional<String>> start(Future<Optional<String>> read) {
            running = read;
            var unused = read.onComplete(result -> ended());
            return read;
        }

        private synchronized void ended() {
            Future<Optional<String>> next = waiting;
            running = null;
            waiting = null;
            if (next == null) {
                reads.remove(key, this);
            } else {
                var unused = start(next);
            }
        }
    }
}
