package dev.trunkline.lookup;

import dev.trunkline.lookup.source.PgLookupSource;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

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
                this.<LookupBus.Verify>consume(LookupBus.VERIFY, this::verify),
                this.<LookupBus.Settled>consume(LookupBus.SETTLED, this::settled),
                this.<LookupBus.Pause>consume(LookupBus.PAUSE, this::pause),
                this.<LookupBus.Reads>consume(LookupBus.READS, this::reads),
                this.<LookupBus.Form>consume(LookupBus.FORM, this::form));
    }

    private <T> Future<Void> consume(String address, Handler<Message<T>> handler) {
        return vertx.eventBus().localConsumer(address, handler).completion();
    }

    /** Serves one more database from now on. The verticle must be deployed. From any thread. */
    public Future<Void> add(Lookups lookups) {
        return onOwnLoop(() -> {
            loaders.put(lookups, loader(lookups));
            return Future.succeededFuture();
        });
    }

    /** Serves a database no more, and closes the connections that it had for it. From any thread. */
    public Future<Void> remove(Lookups lookups) {
        return onOwnLoop(() -> {
            DatabaseLoader loader = loaders.remove(lookups);
            return loader == null ? Future.succeededFuture() : loader.close();
        });
    }

    private Future<Void> onOwnLoop(Supplier<Future<Void>> step) {
        Promise<Void> done = Promise.promise();
        context.runOnContext(ignored -> {
            var unused = step.get().onComplete(done);
        });
        return done.future();
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
        LookupBus.answer(
                message,
                loader(request)
                        .compose(loader ->
                                loader.loader(request.lookup()).verify(request.keys(), request.deadlineNanos())));
    }

    private void settled(Message<LookupBus.Settled> message) {
        LookupBus.Settled settled = message.body();
        loader(settled).onSuccess(loader -> loader.loader(settled.lookup()).commitSettled());
    }

    private void pause(Message<LookupBus.Pause> message) {
        LookupBus.Pause request = message.body();
        LookupBus.answer(
                message,
                loader(request)
                        .compose(loader -> loader.pauseWrites(request.lookup(), request.timeout()))
                        .map(paused -> true));
    }

    private void reads(Message<LookupBus.Reads> message) {
        LookupBus.Reads request = message.body();
        LookupBus.answer(message, loader(request).compose(loader -> loader.reads(request.lookup())));
    }

    private void form(Message<LookupBus.Form> message) {
        LookupBus.Form request = message.body();
        LookupBus.answer(message, loader(request).compose(loader -> loader.form(request.lookup())));
    }

    private Future<DatabaseLoader> loader(LookupBus.About message) {
        DatabaseLoader loader = loaders.get(message.lookups());
        return loader == null
                ? Future.failedFuture(LookupErrors.notRunning(message.lookup().definition()))
                : Future.succeededFuture(loader);
    }
}
