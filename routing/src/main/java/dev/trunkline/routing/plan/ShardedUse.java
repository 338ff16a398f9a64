package dev.trunkline.routing.plan;

/**
 * A place at which a statement uses a sharded table.
 *
 * @param target its key, for values that are compared
 * @param key the variable of its key
 * @param source the item of the FROM clause that it is
 */
record ShardedUse(KeyTarget target, int key, Source source) {}
