package dev.trunkline.lookup;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.ShardingKey;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import java.time.Duration;
import java.util.List;

/**
 * The event bus between sessions and the {@link LookupVerticle}: addresses and messages. Messages are objects of this
 * process, handed over as they are.
 */
final class LookupBus {

    static final String VERIFY = "trunkline.lookup.verify";
    static final String SETTLED = "trunkline.lookup.settled";

    private static final DeliveryOptions LOCAL =
            new DeliveryOptions().setLocalOnly(true).setCodecName(LocalCodec.NAME);

    /** The loader answers in time itself; the bus only catches a loader that is gone. */
    private static final long GRACE_MILLIS = 1000;

    private final EventBus events;

    LookupBus(Vertx vertx) {
        events = vertx.eventBus();
    }

    /** Keys to be verified before a deadline of {@link Timers#nanoTime}; answered by {@link Verified}. */
    record Verify(Lookups lookups, SharedLookup lookup, List<ShardingKey> keys, long deadlineNanos) {}

    /** One snapshot that answers every key. */
    record Verified(KeyTranslation translation) {}

    /** Why there is none. */
    record Refused(PgException reason) {}

    /** A marked commit of this lookup has ended. */
    record Settled(Lookups lookups, SharedLookup lookup) {}

    Future<KeyTranslation> verify(Verify request, Duration wait) {
        DeliveryOptions options = new DeliveryOptions(LOCAL).setSendTimeout(wait.toMillis() + GRACE_MILLIS);
        try {
            return events.request(VERIFY, request, options)
                    .transform(reply -> reply.succeeded()
                            ? unwrap(reply.result().body())
                            : Future.failedFuture(
                                    LookupErrors.notRunning(request.lookup().definition())));
        } catch (IllegalArgumentException noCodecBecauseNoVerticle) {
            return Future.failedFuture(
                    LookupErrors.notRunning(request.lookup().definition()).withCause(noCodecBecauseNoVerticle));
        }
    }

    private static Future<KeyTranslation> unwrap(Object reply) {
        return reply instanceof Verified verified
                ? Future.succeededFuture(verified.translation())
                : Future.failedFuture(((Refused) reply).reason());
    }

    void settled(Lookups lookups, SharedLookup lookup) {
        try {
            EventBus unused = events.send(SETTLED, new Settled(lookups, lookup), LOCAL);
        } catch (IllegalArgumentException noCodecBecauseNoVerticle) {
            // Nobody waits for it: without a verticle nothing is being verified.
        }
    }

    static void answer(Message<?> request, Object reply) {
        request.reply(reply, LOCAL);
    }
}
