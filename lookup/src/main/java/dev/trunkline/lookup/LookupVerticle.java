package dev.trunkline.lookup;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.Collection;
import java.util.List;

/** Owns loading and verifying for the lookups of a process. Deploy one, as an event loop verticle. */
public final class LookupVerticle extends VerticleBase {

    private final List<Lookups> databases;

    /** A verticle that serves these databases. */
    public LookupVerticle(Collection<Lookups> databases) {
        this.databases = List.copyOf(databases);
    }

    @Override
    public Future<?> start() {
        vertx.eventBus().registerCodec(new LocalCodec());
        return Future.succeededFuture(databases);
    }

    @Override
    public Future<?> stop() {
        vertx.eventBus().unregisterCodec(LocalCodec.NAME);
        return Future.succeededFuture();
    }
}
