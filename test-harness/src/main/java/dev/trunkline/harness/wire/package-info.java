/**
 * A scripted PostgreSQL client on raw sockets.
 *
 * <p>It encodes and decodes by itself, on purpose without the product's codec: a fault there must not hide itself.
 */
@NullMarked
package dev.trunkline.harness.wire;

import org.jspecify.annotations.NullMarked;
