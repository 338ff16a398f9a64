/** From a sharding key value to a shard: the hash, lists and ranges, and the rules of one database. */
@NullMarked
package dev.trunkline.routing.shard;

import org.jspecify.annotations.NullMarked;
