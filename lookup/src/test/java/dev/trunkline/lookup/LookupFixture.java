package dev.trunkline.lookup;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.lookup.source.LookupServer;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Lookups over shard 0 of real shards, with a verticle of their own; blocking, for tests. */
final class LookupFixture implements AutoCloseable {

    static final String TENANTS = "SELECT id, COALESCE(parent_id, id) FROM tenants";
    static final LookupOptions OPTIONS =
            new LookupOptions(Duration.ofSeconds(5), Duration.ofSeconds(1), LookupMiss.PROBE, true, 1L << 30);

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2));
    private final Lookups lookups;

    private LookupFixture(LookupServer server, LookupOptions options, LookupDefinition... definitions) {
        lookups = new Lookups(vertx, "prod", List.of(definitions), options, server);
        await(vertx.deployVerticle(new LookupVerticle(List.of(lookups))));
    }

    static LookupFixture on(PgShards shards, LookupOptions options, LookupDefinition... definitions) {
        return on(shards.port(0), shards, options, definitions);
    }

    /** With another port, for instance that of a relay. */
    static LookupFixture on(int port, PgShards shards, LookupOptions options, LookupDefinition... definitions) {
        return new LookupFixture(
                new LookupServer(shards.host(), port, shards.database(), PgShards.APP, ""), options, definitions);
    }

    static LookupFixture as(
            String user, String password, PgShards shards, LookupOptions options, LookupDefinition... definitions) {
        return new LookupFixture(
                new LookupServer(shards.host(), shards.port(0), shards.database(), user, password),
                options,
                definitions);
    }

    static LookupOptions options(LookupMiss miss) {
        return options(miss, Duration.ofSeconds(5));
    }

    static LookupOptions options(LookupMiss miss, Duration wait) {
        return new LookupOptions(wait, OPTIONS.reloadInterval(), miss, true, OPTIONS.maxBytes());
    }

    static LookupDefinition tenants(KeyType type) {
        return definition(type, TENANTS);
    }

    static LookupDefinition definition(KeyType type, String query) {
        return new LookupDefinition("prod", 0, "public", "tenants", query, type, "tenant_id");
    }

    Lookups lookups() {
        return lookups;
    }

    Future<KeyTranslation> verifyAsync(ShardingKey... keys) {
        return lookups.verify(0, Arrays.asList(keys));
    }

    KeyTranslation verify(ShardingKey... keys) {
        return await(verifyAsync(keys));
    }

    /** Verifies one text and gives what it translates to. */
    String translate(String key) {
        ShardingKey asked = ShardingKey.ofText(key);
        return String.valueOf(asked.translatedBy(verify(asked)));
    }

    /** What the published map says without asking anybody; null = a miss. */
    ShardingKey hit(ShardingKey key) {
        return key.translatedBy(lookups.translation(0));
    }

    /** Runs something on an event loop of its own and gives what it completes with. */
    <T> Future<T> onAnEventLoop(Function<Context, Future<T>> action) {
        Context context = vertx.getOrCreateContext();
        Promise<T> promise = Promise.promise();
        context.runOnContext(started -> action.apply(context).onComplete(promise));
        return promise.future();
    }

    static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (java.util.concurrent.ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new AssertionError(e.getCause());
        } catch (InterruptedException | java.util.concurrent.TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        await(vertx.close());
    }
}
