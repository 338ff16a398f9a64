/**
 * The one adapter between Trunkline and Netty: framed channels, event loops, listening and connecting.
 *
 * <p>Nothing outside this package sees a Netty handler or the internals of Vert.x. Public Vert.x {@code NetServer} and
 * {@code NetClient} open the sockets; a handler of ours then sits in their pipeline, because the public buffers cost a
 * copy and an allocation per read (measured: half as much processor time again for a relayed transaction).
 */
@NullMarked
package dev.trunkline.proxy.net;

import org.jspecify.annotations.NullMarked;
