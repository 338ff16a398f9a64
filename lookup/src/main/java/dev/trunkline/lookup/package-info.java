/**
 * The sharding key lookup: maps loaded from a table on shard 0, published to all sessions, verified on a miss and taken
 * back by a write. {@link dev.trunkline.lookup.Lookups} is the door.
 */
@NullMarked
package dev.trunkline.lookup;

import org.jspecify.annotations.NullMarked;
