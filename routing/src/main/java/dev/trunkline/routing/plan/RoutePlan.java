package dev.trunkline.routing.plan;

import dev.trunkline.protocol.error.PgException;

/** Where statements of one shape run; immutable, safe for any thread. */
public sealed interface RoutePlan permits RoutePlan.Fixed, RoutePlan.Single, RoutePlan.Refused, KeyedPlan, EqualPlan {

    /** Decided without looking at values. */
    enum Fixed implements RoutePlan {
        /** Any one shard. */
        ANY,
        /** One shard, the same for a session. */
        STICKY,
        /** All shards; each does the same. */
        ALL
    }

    /** One shard, whatever the values. */
    record Single(int shard) implements RoutePlan {}

    /**
     * No shard.
     *
     * @param unread it could not be read, so that PostgreSQL may have something to say about its syntax
     */
    record Refused(PgException refusal, boolean unread) implements RoutePlan {}

    /** The slots of the constants that {@code evaluate} looks at; as {@code ~slot} where a minus stands before it. */
    default int[] slots() {
        return new int[0];
    }

    /** It looks at parameters. */
    default boolean needsParameters() {
        return false;
    }
}
