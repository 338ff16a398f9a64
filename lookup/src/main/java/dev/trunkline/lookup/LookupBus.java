package dev.trunkline.lookup;

import dev.trunkline.lookup.source.QueryReads;
import dev.trunkline.lookup.source.ReadForm;
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
 * The event bus between sessions and the {@link LookupVerticle}: addresses and messages. Messages are immutable objects
 * of this process, handed over as they are.
 */
final class LookupBus {

    static final String VERIFY = "trunkline.lookup.verify";
    static final String SETTLED = "trunkline.lookup.settled";
    static final String PAUSE = "trunkline.lookup.pause";
    static final String READS = "trunkline.lookup.reads";
    static final String FORM = "trunkline.lookup.form";

    private static final DeliveryOptions LOCAL =
            new DeliveryOptions().setLocalOnly(true).setCodecName(LocalCodec.NAME);

    /** The loader answers in time itself; the bus only catches a loader that is gone. */
    private static final long GRACE_MILLIS = 1000;

    private final EventBus events;

    LookupBus(Vertx vertx) {
        events = vertx.eventBus();
    }

    /** What a message is about. */
    interface About {
        Lookups lookups();

        SharedLookup lookup();
    }

    /** Keys to be verified before a deadline of {@link Timers#nanoTime}. */
    record Verify(Lookups lookups, SharedLookup lookup, List<ShardingKey> keys, long deadlineNanos) implements About {}

    /** A marked commit has ended; not answered. */
    record Settled(Lookups lookups, SharedLookup lookup) implements About {}

    /** Writes are to be paused. */
    record Pause(Lookups lookups, SharedLookup lookup, Duration timeout) implements About {}

    /** It is to be found out what the query rests on. */
    record Reads(Lookups lookups, SharedLookup lookup) implements About {}

    /** It is to be found out how the query is read on other connections. */
    record Form(Lookups lookups, SharedLookup lookup) implements About {}

    /** What was asked for. */
    private record Answer<T>(T value) {}

    /** Why it is not to be had. */
    private record Refusal(PgException reason) {}

    Future<KeyTranslation> verify(Verify request, Duration wait) {
        return request(VERIFY, request, wait);
    }

    Future<Void> pause(Pause request) {
        return this.<Boolean>request(PAUSE, request, request.timeout()).mapEmpty();
    }

    Future<QueryReads> reads(Reads request, Duration wait) {
        return request(READS, request, wait);
    }

    Future<ReadForm> form(Form request, Duration wait) {
        return request(FORM, request, wait);
    }

    void settled(Settled message) {
        try {
            EventBus unused = events.send(SETTLED, message, LOCAL);
        } catch (IllegalArgumentException noCodecBecauseNoVerticle) {
            // Nobody waits for it: without a verticle nothing is being verified.
        }
    }

    private <T> Future<T> request(String address, About message, Duration wait) {
        DeliveryOptions options = new DeliveryOptions(LOCAL).setSendTimeout(wait.toMillis() + GRACE_MILLIS);
        PgException notRunning = LookupErrors.notRunning(message.lookup().definition());
        try {
            return events.request(address, message, options)
                    .transform(reply -> reply.succeeded()
                            ? LookupBus.<T>unwrap(reply.result().body())
                            : Future.failedFuture(notRunning));
        } catch (IllegalArgumentException noCodecBecauseNoVerticle) {
            return Future.failedFuture(notRunning);
        }
    }

    @SuppressWarnings("unchecked") // The loader answers each address by values of one type.
    private static <T> Future<T> unwrap(Object reply) {
        return reply instanceof Answer<?> answer
                ? Future.succeededFuture((T) answer.value())
                : Future.failedFuture(((Refusal) reply).reason());
    }

    /** Answers a request when the outcome, a value or a PgException, is there. */
    static <T> void answer(Message<?> request, Future<T> outcome) {
        outcome.onComplete(done -> request.reply(
                done.succeeded() ? new Answer<>(done.result()) : new Refusal((PgException) done.cause()), LOCAL));
    }
}
