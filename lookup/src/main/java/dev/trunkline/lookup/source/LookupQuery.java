package dev.trunkline.lookup.source;

import dev.trunkline.routing.key.KeyType;

/**
 * A lookup query as a source needs it.
 *
 * @param text one SELECT of two columns without a semicolon at its end
 * @param type how the first column is parsed, and the second unless it names shards
 * @param namesShard the second column is the number of a shard, in a key's place: see {@code ShardingRule}
 * @param maxBytes a map that would need more fails to load
 */
public record LookupQuery(String text, KeyType type, boolean namesShard, long maxBytes) {}
