package dev.trunkline.lookup;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** One map with its loader over a {@link FakeSource} and a {@link FakeTimers}: everything on the test's thread. */
final class LoaderFixture {

    final FakeTimers timers = new FakeTimers();
    final FakeSource source = new FakeSource();
    final LookupOptions options;
    final SharedLookup lookup = new SharedLookup(
            new LookupDefinition("prod", 0, null, "tenants", "SELECT 1, 2", KeyType.VARCHAR, "tenant_id"));
    final MapLoader loader;

    LoaderFixture(LookupMiss miss) {
        this(miss, true);
    }

    LoaderFixture(LookupMiss miss, boolean keepOnInsert) {
        this(miss, keepOnInsert, Duration.ZERO);
    }

    LoaderFixture(LookupMiss miss, Duration maxAge) {
        this(miss, true, maxAge);
    }

    private LoaderFixture(LookupMiss miss, boolean keepOnInsert, Duration maxAge) {
        options = new LookupOptions(
                Duration.ofSeconds(5), Duration.ofSeconds(1), miss, keepOnInsert, Long.MAX_VALUE, maxAge);
        loader = new MapLoader(lookup, source, options, timers, LoaderFixture::now);
    }

    private static <T> Future<T> now(java.util.concurrent.Callable<T> work) {
        try {
            return Future.succeededFuture(work.call());
        } catch (Exception e) {
            return Future.failedFuture(e);
        }
    }

    static ShardingKey key(String text) {
        return ShardingKey.ofText(text);
    }

    LoaderFixture row(String key, String value) {
        source.table.put(key(key), key(value));
        return this;
    }

    /** A loaded map. */
    LoaderFixture loaded() {
        Future<KeyTranslation> warm =
                verify(source.table.keySet().iterator().next().toString());
        source.theLoad().run();
        if (!warm.succeeded()) {
            throw new AssertionError(warm);
        }
        return this;
    }

    Future<KeyTranslation> verify(String... keys) {
        return loader.verify(
                Arrays.stream(keys).map(LoaderFixture::key).toList(),
                timers.nanoTime() + options.waitTimeout().toNanos());
    }

    /** What the published map says; null = a miss. */
    String hit(String key) {
        ShardingKey value = key(key).translatedBy(lookup.map().current());
        return value == null ? null : value.toString();
    }

    LookupWrite write(boolean insertOnly) {
        LookupWrite write =
                new LookupWrite(List.of(lookup), options.keepOnInsert(), timers, settled -> loader.commitSettled());
        write.widen(1, insertOnly);
        return write;
    }

    static String value(Future<KeyTranslation> answer, String key) {
        return String.valueOf(key(key).translatedBy(answer.result()));
    }
}
