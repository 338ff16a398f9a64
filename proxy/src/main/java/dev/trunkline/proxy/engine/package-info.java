/**
 * A client's session once it is logged in: what it sends is routed, sent to servers and answered here. The main road
 * (one statement, one shard) is {@link dev.trunkline.proxy.engine.Session}, {@code SimpleProtocol} or
 * {@code ExtendedProtocol}, {@code Leases}, {@code Relay}; everything over several shards leaves it at
 * {@code MultiShardStatement}.
 */
@NullMarked
package dev.trunkline.proxy.engine;

import org.jspecify.annotations.NullMarked;
