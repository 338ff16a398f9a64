package dev.trunkline.routing;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.key.ShardingKey;
import java.util.List;

/**
 * Where a statement runs. Made by the router, read by the engine; a refusal is not a route but a {@code PgException}.
 */
public sealed interface Route {

    /**
     * Exactly one shard.
     *
     * @param shard from 0
     */
    record One(int shard) implements Route {}

    /**
     * Any single shard gives the right answer; the engine prefers one that the transaction already holds, else takes
     * turns.
     *
     * @param sticky the same shard each time within a session (system catalogs: object identifiers differ by shard)
     */
    record Any(boolean sticky) implements Route {}

    /**
     * Several shards, each of them exactly once.
     *
     * @param shards ascending, at least two
     * @param merge how their answers become one
     */
    record Many(List<Integer> shards, Merge merge) implements Route {}

    /**
     * The statement cannot be routed before these keys are verified by the lookup: the snapshot has no row for them
     * (or is not loaded). Resolve, then route again.
     *
     * @param lookup index of the lookup in the database's rules
     * @param keys canonical keys, each once, at least one
     */
    record NeedsKeys(int lookup, List<ShardingKey> keys) implements Route {}

    /**
     * The router could not analyse the statement. One shard may parse it, without executing anything: a syntax error
     * is then PostgreSQL's to report; a statement that parses is answered with the refusal.
     *
     * @param refusal 0A000
     */
    record Unproven(PgException refusal) implements Route {}

    /**
     * An INSERT whose rows belong to several shards: each gets a statement of its own, with its rows in their order.
     * Rows and counts of the answers are put together as for {@link Merge#CONCATENATE}.
     *
     * @param parts by ascending shard, at least two
     * @param refusal what to answer where statements cannot be replaced
     */
    record Split(List<Part> parts, PgException refusal) implements Route {}

    /**
     * The statement of one shard. Parameters keep their numbers, and all of them are to be bound: each has a type that
     * Parse gave, so that PostgreSQL need not see it used.
     *
     * @param text the whole statement, as UTF-8
     */
    record Part(int shard, byte[] text) {}

    /** How the answers of several shards become one. */
    enum Merge {
        /** Rows of all shards concatenated, counts summed: a sharded table. */
        CONCATENATE,
        /** Every shard does the same; rows and count of the lowest shard are the answer: an omnisharded table, DDL. */
        SINGLE_COUNT
    }
}
