/** Divides a COPY stream by the sharding keys of its rows, and knows which of the client's lines went where. */
@NullMarked
package dev.trunkline.copy.split;

import org.jspecify.annotations.NullMarked;
