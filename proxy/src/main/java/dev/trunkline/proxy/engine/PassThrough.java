package dev.trunkline.proxy.engine;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.trunkline.conf.Configuration;
import dev.trunkline.conf.Database;
import dev.trunkline.proxy.auth.PasswordMark;
import dev.trunkline.proxy.auth.ServerAccount;
import dev.trunkline.proxy.backend.ServerAddress;
import dev.trunkline.proxy.backend.ServerOpening;
import dev.trunkline.proxy.net.Loop;
import dev.trunkline.proxy.net.Wire;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Lets a server judge passwords of users that the configuration does not know: by a login on shard 0 in the user's name.
 * What a server has said is remembered for a while, as a mark from which no password can be told. For all threads.
 */
public final class PassThrough {

    private static final int MAX_REMEMBERED = 10_000;

    /** Logins that servers judge at a time: each costs one a process. */
    private static final int MAX_UNDER_WAY = 32;

    /** A wrong password that comes again so soon is not shown to the server once more. */
    private static final Duration WRONG_FOR = Duration.ofSeconds(1);

    private record Key(String database, String user) {}

    private record Wrong(Key key, PasswordMark mark) {}

    private final Supplier<Configuration> inForce;
    private final PasswordMark.Maker marks;
    private final AtomicInteger underWay = new AtomicInteger();
    private final Cache<Key, PasswordMark> right;
    private final Cache<Wrong, Boolean> wrong = Caffeine.newBuilder()
            .maximumSize(MAX_REMEMBERED)
            .expireAfterWrite(WRONG_FOR)
            .build();

    /** For the databases of the configuration in force. */
    public PassThrough(Supplier<Configuration> inForce, SecureRandom random) {
        this.inForce = inForce;
        this.marks = new PasswordMark.Maker(random);
        this.right = Caffeine.newBuilder()
                .maximumSize(MAX_REMEMBERED)
                .expireAfterWrite(inForce.get().general().passthroughMaxAge())
                .build();
    }

    /**
     * Whether a server takes the password for that of the user. A server that lets the user in without asking for it has
     * judged nothing: that counts as no. Completes on the loop.
     *
     * @return fails with 08001 if the server cannot be asked, 53300 if too many logins are being judged
     */
    public Future<Boolean> isRight(Loop loop, Wire wire, String database, String user, String password) {
        Key key = new Key(database, user);
        PasswordMark mark = marks.of(password);
        if (mark.equals(right.getIfPresent(key))) {
            return Future.succeededFuture(true);
        }
        if (password.isEmpty() || wrong.getIfPresent(new Wrong(key, mark)) != null) {
            return Future.succeededFuture(false);
        }
        if (underWay.incrementAndGet() > MAX_UNDER_WAY) {
            underWay.decrementAndGet();
            return Future.failedFuture(EngineErrors.tooManyLogins());
        }
        Configuration configuration = inForce.get();
        List<Database> servers = configuration.databases(database);
        if (servers.isEmpty()) {
            underWay.decrementAndGet();
            return Future.succeededFuture(false); // a reload has taken it away
        }
        Duration timeout = configuration.general().connectTimeout();
        return ServerOpening.isAccepted(wire, loop, address(servers.get(0), user, password), timeout)
                .onSuccess(isRight -> remember(key, mark, isRight))
                .onComplete(judged -> underWay.decrementAndGet());
    }

    /** The database has other servers now: what those of before have said does not count. */
    public void forget(String database) {
        right.asMap().keySet().removeIf(key -> key.database.equals(database));
        wrong.asMap().keySet().removeIf(seen -> seen.key.database.equals(database));
    }

    private static ServerAddress address(Database server, String user, String password) {
        ServerAccount account = ServerAccount.ofClient(user, password);
        return new ServerAddress(server.host(), server.port(), 0, server.databaseName(), account);
    }

    private void remember(Key key, PasswordMark mark, boolean isRight) {
        if (isRight) {
            right.put(key, mark);
        } else {
            wrong.put(new Wrong(key, mark), true);
        }
    }
}
