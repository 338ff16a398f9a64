package dev.trunkline.routing.plan;

import dev.trunkline.routing.catalog.Column;
import dev.trunkline.routing.catalog.Relation;
import dev.trunkline.routing.shard.ShardingRule;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a relation is to routing; immutable.
 *
 * @param schema its schema; empty when nobody knows it
 * @param relation what the catalog says; null for a relation that is not in it
 * @param rule the rule of a sharded table; else null
 * @param key the sharding key of a sharded table that is in the catalog; else null
 * @param fault why the relation cannot be used at all; null if it can
 */
record TableUse(
        String schema,
        String name,
        Kind kind,
        @Nullable Relation relation,
        @Nullable ShardingRule rule,
        @Nullable Column key,
        @Nullable String fault) {

    /** The kinds. */
    enum Kind {
        SHARDED,
        OMNISHARDED,
        /** Omnisharded, and read by a client on one shard. */
        STICKY,
        /** On one shard, by the setting for tables that no rule names. */
        SINGLE,
        /** Named by no rule, which is an error for writes; reads go to shard 0. */
        UNLISTED,
        /** A view of which the catalog tells the tables. */
        VIEW,
        /** pg_catalog, information_schema. */
        SYSTEM,
        TEMPORARY,
        /** Not in the catalog, and no rule names it. */
        UNKNOWN
    }

    static TableUse of(String schema, String name, Kind kind) {
        return new TableUse(schema, name, kind, null, null, null, null);
    }

    boolean isOmnisharded() {
        return kind == Kind.OMNISHARDED || kind == Kind.STICKY;
    }

    /** The rule of a sharded table. */
    ShardingRule shardingRule() {
        return Objects.requireNonNull(rule);
    }

    /** The name for messages. */
    String label() {
        return schema.isEmpty() ? name : schema + "." + name;
    }
}
