package dev.trunkline.proxy;

import dev.trunkline.conf.Configuration;
import dev.trunkline.conf.Database;
import dev.trunkline.conf.User;
import dev.trunkline.proxy.twophase.ShardServers;
import io.vertx.pgclient.PgConnectOptions;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the proxy's own connections go, which Vert.x's client opens outside of every pool: as the first user of the
 * database that has no need of a client to tell it the password.
 */
final class OwnServers implements ShardServers {

    private final Supplier<Configuration> configuration;
    private final Supplier<TlsFiles> files;
    private final String database;

    OwnServers(Supplier<Configuration> configuration, Supplier<TlsFiles> files, String database) {
        this.configuration = configuration;
        this.files = files;
        this.database = database;
    }

    static PgConnectOptions address(Configuration configuration, String database, int shard) {
        Database server = configuration.databases(database).get(shard);
        return new PgConnectOptions()
                .setHost(server.host())
                .setPort(server.port())
                .setDatabase(server.databaseName());
    }

    @Override
    public PgConnectOptions options(int shard) {
        List<User> users = configuration.get().users(database);
        if (users.isEmpty()) {
            return files.get()
                    .encrypt(address(configuration.get(), database, shard).setUser(database));
        }
        User user = users.stream().filter(OwnServers::canLogIn).findFirst().orElse(users.get(0));
        return as(user, shard);
    }

    @Override
    public @Nullable PgConnectOptions options(int shard, String owner) {
        Optional<User> user = configuration.get().users(database).stream()
                .filter(each -> each.serverUser().equals(owner) && canLogIn(each))
                .findFirst();
        return user.map(found -> as(found, shard)).orElse(null);
    }

    private static boolean canLogIn(User user) {
        return user.password().isEmpty() || !user.serverPassword().isEmpty();
    }

    private PgConnectOptions as(User user, int shard) {
        PgConnectOptions options = address(configuration.get(), database, shard).setUser(user.serverUser());
        if (!user.serverPassword().isEmpty()) {
            options.setPassword(user.serverPassword().get(0).value());
        }
        return files.get().encrypt(options);
    }
}
