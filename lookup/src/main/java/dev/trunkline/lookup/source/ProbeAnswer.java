package dev.trunkline.lookup.source;

import dev.trunkline.lookup.map.MapFault;
import dev.trunkline.routing.key.ShardingKey;
import java.util.Map;

/**
 * What a probe found; a key that is in neither map has no row.
 *
 * @param found the translated keys
 * @param faults keys whose rows contradict each other or hold no usable value
 */
public record ProbeAnswer(Map<ShardingKey, ShardingKey> found, Map<ShardingKey, MapFault> faults) {}
