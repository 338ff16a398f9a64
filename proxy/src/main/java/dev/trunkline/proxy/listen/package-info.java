/**
 * LISTEN for sessions that have no server connection of their own: one connection per database, shard and role hears for
 * all of them. Knows nothing of sessions; each has an {@link dev.trunkline.proxy.listen.Inbox}.
 */
@NullMarked
package dev.trunkline.proxy.listen;

import org.jspecify.annotations.NullMarked;
