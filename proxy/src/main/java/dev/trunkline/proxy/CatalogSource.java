package dev.trunkline.proxy;

import dev.trunkline.proxy.catalog.CatalogLoader;
import dev.trunkline.routing.catalog.Catalog;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import java.util.function.Supplier;

/** Reads the catalog of shard 0 over a connection of its own, outside of every pool. */
final class CatalogSource implements Supplier<Future<Catalog>> {

    private final Vertx vertx;
    private final Supplier<PgConnectOptions> options;

    CatalogSource(Vertx vertx, Supplier<PgConnectOptions> options) {
        this.vertx = vertx;
        this.options = options;
    }

    @Override
    public Future<Catalog> get() {
        return PgConnection.connect(vertx, options.get())
                .compose(connection -> CatalogLoader.load(connection).eventually(() -> connection.close()));
    }
}
