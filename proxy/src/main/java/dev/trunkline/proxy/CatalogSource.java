package dev.trunkline.proxy;

import dev.trunkline.conf.Database;
import dev.trunkline.conf.Secret;
import dev.trunkline.conf.User;
import dev.trunkline.proxy.catalog.CatalogLoader;
import dev.trunkline.routing.catalog.Catalog;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads the catalog of shard 0 over a connection of its own, outside of every pool. */
final class CatalogSource implements Supplier<Future<Catalog>> {

    private final Vertx vertx;
    private final PgConnectOptions options;

    CatalogSource(Vertx vertx, Database shard0, @Nullable User user) {
        this.vertx = vertx;
        this.options = new PgConnectOptions()
                .setHost(shard0.host())
                .setPort(shard0.port())
                .setDatabase(shard0.databaseName());
        if (user != null) {
            options.setUser(user.serverUser());
            Secret password = user.serverPassword();
            if (password != null) {
                options.setPassword(password.value());
            }
        }
    }

    @Override
    public Future<Catalog> get() {
        return PgConnection.connect(vertx, options)
                .compose(connection -> CatalogLoader.load(connection).eventually(() -> connection.close()));
    }
}
