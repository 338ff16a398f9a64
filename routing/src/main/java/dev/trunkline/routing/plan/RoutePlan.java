package dev.trunkline.routing.plan;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.shard.CopyTarget;

/** Where statements of one shape run; immutable, safe for any thread. */
public sealed interface RoutePlan
        permits RoutePlan.Fixed,
                RoutePlan.Single,
                RoutePlan.Refused,
                RoutePlan.Copy,
                RoutePlan.Computed,
                KeyedPlan,
                EqualPlan {

    /** Decided without looking at values. */
    enum Fixed implements RoutePlan {
        /** Any one shard. */
        ANY,
        /** One shard, the same for a session. */
        STICKY,
        /** All shards; each does the same. */
        ALL,
        /** All shards; each has rows of its own. */
        SPREAD
    }

    /** COPY FROM: the rows say where they belong. */
    record Copy(CopyTarget target) implements RoutePlan {}

    /** All shards, once what each of them would compute for itself has been computed on one. */
    record Computed(Once once) implements RoutePlan {}

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
