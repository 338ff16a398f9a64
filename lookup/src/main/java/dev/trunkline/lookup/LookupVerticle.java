package dev.trunkline.lookup;

import dev.trunkline.lookup.source.PgLookupSource;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.key.KeyTranslation;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Owns loading and verifying for the lookups of a process. Deploy one, as an event loop verticle; its event loop reads
 * whole tables, so it should be one that serves no session.
 */
public final class LookupVerticle extends VerticleBase {

    private final List<Lookups> databases;
    private final Map<Lookups, DatabaseLoader> loaders = new IdentityHashMap<>();

    /** A verticle that serves these databases. */
    public LookupVerticle(Collection<Lookups> databases) {
        this.databases = List.copyOf(databases);
    }

    @Override
    public Future<?> start() {
        databases.forEach(lookups -> loaders.put(lookups, loader(lookups)));
        vertx.eventBus().registerCodec(new LocalCodec());
        return Future.all(
                vertx.eventBus().localConsumer(LookupBus.VERIFY, this::verify).completion(),
                vertx.eventBus().localConsumer(LookupBus.SETTLED, this::settled).completion());
    }

    @Override
    public Future<?> stop() {
        vertx.eventBus().unregisterCodec(LocalCodec.NAME);
        return Future.all(loaders.values().stream().map(DatabaseLoader::close).toList());
    }

    private DatabaseLoader loader(Lookups lookups) {
        PgLookupSource source =
                new PgLookupSource(vertx, lookups.server(), lookups.options().waitTimeout());
        return new DatabaseLoader(lookups, source, new VertxTimers(vertx), vertx::executeBlocking);
    }

    private void verify(Message<LookupBus.Verify> message) {
        LookupBus.Verify request = message.body();
        DatabaseLoader loader = loaders.get(request.lookups());
        Future<KeyTranslation> answer = loader == null
                ? Future.failedFuture(LookupErrors.notRunning(request.lookup().definition()))
                : loader.loader(request.lookup()).verify(request.keys(), request.deadlineNanos());
        answer.onComplete(outcome -> LookupBus.answer(message, reply(outcome)));
    }

    private static Object reply(AsyncResult<KeyTranslation> outcome) {
        return outcome.succeeded()
                ? new LookupBus.Verified(outcome.result())
                : new LookupBus.Refused((PgException) outcome.cause());
    }

    private void settled(Message<LookupBus.Settled> message) {
        LookupBus.Settled settled = message.body();
        DatabaseLoader loader = loaders.get(settled.lookups());
        if (loader != null) {
            loader.loader(settled.lookup()).commitSettled();
        }
    }
}
