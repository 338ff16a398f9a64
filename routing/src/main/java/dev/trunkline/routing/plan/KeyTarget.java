package dev.trunkline.routing.plan;

import dev.trunkline.routing.key.KeyDecoder;
import dev.trunkline.routing.shard.ShardingRule;

/**
 * What values are brought to: the key of a sharded table.
 *
 * @param table its name for messages
 * @param column its key for messages
 * @param stored the values are inserted, not compared: each of them must be known
 */
record KeyTarget(String table, String column, ShardingRule rule, KeyDecoder decoder, boolean stored) {}
